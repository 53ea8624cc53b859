"""The application: routes, errors and middleware put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from punct.server.api import conflicts, errors, metrics, openapi
from punct.server.api.bodies import LARGE
from punct.server.api.gate import Gate
from punct.server.api.guard import Guard
from punct.server.api.proxies import LOOPBACK, Proxies, ProxyHeaders
from punct.server.api.routes import (
    account,
    analysis,
    board,
    challenges,
    games,
    live,
    offers,
    people,
    pictures,
    puzzles,
    records,
)
from punct.server.api.routes.client import client_router
from punct.server.api.services import run_services
from punct.server.client import BUILT
from punct.server.play.clock import Now, utc_now
from punct.server.store import GameStore, open_database


def create_app(
    data: Path | str | None = None,
    *,
    store: GameStore | None = None,
    workers: int | None = None,
    hosts: Collection[str] | None = None,
    origins: Collection[str] | None = None,
    web: Path = BUILT,
    online: bool = False,
    broker_url: str | None = None,
    proxies: str = LOOPBACK,
    now: Now = utc_now,
) -> FastAPI:
    """Return the server's application.

    ``data`` is the folder its games are kept in, or a database's address, unless an open ``store`` is given;
    ``workers`` how many engines think at once; ``hosts`` the names it answers to, besides addresses in numbers (any
    if None); ``web`` the folder of the built client; ``online`` whether people play here across a network, each in
    their own seats: else everything is everybody's, as at home; ``broker_url`` the Redis by which several processes
    on one database work together; ``origins`` where its own pages are, for passkeys (any if None); ``proxies``
    those that are trusted to say whom they bring, as FORWARDED_ALLOW_IPS names them.
    """

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        opened = store or GameStore(open_database(data or default_data_folder()))
        try:
            async with run_services(
                opened, workers, online=online, broker_url=broker_url, now=now, origins=origins
            ) as services:
                app.state.services = services
                yield
        finally:
            opened.close()

    app = FastAPI(
        title="PÜNCT",
        version=version("punct"),
        description="Games of PÜNCT: the server judges the rules, stores every turn, and plays.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # FastAPI would work it out on the event loop; ours is with the routes
        openapi_tags=openapi.TAGS,
        generate_unique_id_function=openapi.operation_id,
        swagger_ui_oauth2_redirect_url=None,
        lifespan=life,
    )
    errors.install(app)
    conflicts.install(app)
    # The busiest first: they are tried in turn.
    for routes in (games, live, offers, board, records, pictures, analysis, puzzles, people, account, challenges):
        app.include_router(routes.router)
    app.include_router(metrics.router)
    app.include_router(client_router(web))
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6, thread_minimum_size=LARGE)
    if online:
        app.add_middleware(Gate)
    app.add_middleware(Guard, hosts=hosts)
    app.add_middleware(metrics.Measure)
    app.state.proxies = Proxies(proxies, online=online)
    app.add_middleware(ProxyHeaders, proxies=app.state.proxies)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def default_data_folder() -> Path:
    """Return where this user's data belongs."""
    from platformdirs import user_data_path

    return user_data_path("punct", appauthor=False)
