"""The application: routes, errors and middleware put together."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from punct.server import errors, openapi, routes_board


def create_app() -> FastAPI:
    """Return the server's application."""
    app = FastAPI(
        title="PÜNCT",
        version=version("punct"),
        description="Games of PÜNCT: the server judges the rules, stores every turn, and plays.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        swagger_ui_oauth2_redirect_url=None,
    )
    errors.install(app)
    app.include_router(routes_board.router)
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app
