"""Serves the built page at every path outside the API."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from punct.server.auth.routing import ApiRoute
from punct.server.http.static_files import advice_response, static_response
from punct.server.page.files import BUILT_PAGE, PageFiles, missing_page_advice


def page_router(folder: Path = BUILT_PAGE) -> APIRouter:
    """Return the route that serves everything outside the API; it must come last."""
    router = APIRouter(route_class=ApiRoute)
    files = PageFiles(folder)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def client(path: str, request: Request) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(404, "There is nothing here.")
        result = await run_in_threadpool(files.find, path)
        if result is None:
            if path == "":
                advice = await run_in_threadpool(missing_page_advice, folder)
                return advice_response(
                    "The server runs; the board is missing",
                    advice or "The page is there by now: load it again.",
                    "The API works meanwhile: its description is at </api/v1/openapi.json>.",
                )
            raise HTTPException(404, "There is nothing here.")
        file, is_named_by_content = result
        return static_response(request, file, is_named_by_content=is_named_by_content)

    return router
