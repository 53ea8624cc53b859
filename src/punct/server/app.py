"""The application: routes, errors and middleware put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection
from importlib.metadata import version
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from punct.server import openapi
from punct.server.accounts import mail_routes as account_mail_routes
from punct.server.accounts import player_routes
from punct.server.accounts import routes as account_routes
from punct.server.analyses import routes as analysis_routes
from punct.server.appointments import routes as appointment_routes
from punct.server.auth.middleware import AuthMiddleware
from punct.server.calendars import routes as calendar_routes
from punct.server.challenges import alert_routes
from punct.server.challenges import routes as challenge_routes
from punct.server.clock import Now, utc_now
from punct.server.composition import run_services
from punct.server.db.database import open_database
from punct.server.documentation.routes import BUILT_SITE, documentation_router
from punct.server.dumps import routes as dump_routes
from punct.server.dumps.model import DumpConfiguration
from punct.server.engines import routes as engine_routes
from punct.server.games import live_routes, offer_routes, record_routes, search_routes, snapshots
from punct.server.games import routes as game_routes
from punct.server.games.store import GameStore
from punct.server.habits import routes as habit_routes
from punct.server.http import errors as http_errors
from punct.server.http.bodies import MAX_EVENT_LOOP_BYTES
from punct.server.http.proxies import LOOPBACK, ProxyMiddleware, TrustedProxies
from punct.server.http.security import SecurityMiddleware
from punct.server.lobby import routes as lobby_routes
from punct.server.mail import routes as mail_routes
from punct.server.mail.model import MailConfiguration
from punct.server.notebooks import routes as notebook_routes
from punct.server.notifications import routes as notification_routes
from punct.server.openings import routes as opening_routes
from punct.server.operations import routes as operation_routes
from punct.server.operations.metrics import MetricsMiddleware
from punct.server.page.embed_routes import embed_router
from punct.server.page.files import BUILT_PAGE
from punct.server.page.routes import page_router
from punct.server.pictures import routes as picture_routes
from punct.server.plans import routes as plan_routes
from punct.server.positions import routes as position_routes
from punct.server.push import routes as push_routes
from punct.server.puzzles import routes as puzzle_routes
from punct.server.ratings import routes as rating_routes
from punct.server.relations import routes as relation_routes
from punct.server.vacations import routes as vacation_routes
from punct.server.webhooks import routes as webhook_routes


def create_app(
    data: Path | str | None = None,
    *,
    store: GameStore | None = None,
    workers: int | None = None,
    hosts: Collection[str] | None = None,
    origins: Collection[str] | None = None,
    web: Path = BUILT_PAGE,
    documentation: Path = BUILT_SITE,
    online: bool = False,
    broker_url: str | None = None,
    proxies: str = LOOPBACK,
    site: str = "http://localhost",
    now: Now = utc_now,
    mail: MailConfiguration | None = None,
    dumps: DumpConfiguration | None = None,
) -> FastAPI:
    """Return the server's application.

    ``data`` is the folder of its database, or a database's URL, unless an open ``store`` is given; ``workers`` the
    number of engine processes; ``hosts`` the host names it serves, besides IP addresses (any if None); ``web`` the
    folder of the built page and ``documentation`` that of the built site; ``online`` whether people play each other
    across a network, with accounts and seats of their own; ``broker_url`` the Redis that several processes on one
    database share; ``origins`` the origins of its pages, for passkeys (any if None); ``proxies`` the trusted proxies,
    in the form of FORWARDED_ALLOW_IPS; ``site`` the address by which players reach the server, for links in messages;
    ``mail`` how it sends mail, if it does; ``dumps`` where it publishes finished games, if it does.
    """

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        opened = store or GameStore(open_database(data or default_data_folder()))
        try:
            async with run_services(
                opened,
                workers,
                online=online,
                broker_url=broker_url,
                now=now,
                origins=origins,
                site=site,
                mail=mail,
                dumps=dumps,
            ) as services:
                app.state.services = services
                yield
        finally:
            opened.close()

    app = FastAPI(
        title="PÜNCT",
        version=version("punct"),
        description="Games of PÜNCT: the server judges the rules, stores every move, and plays.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # FastAPI would compute it on the event loop; see openapi.py
        openapi_tags=openapi.TAGS,
        generate_unique_id_function=openapi.operation_id,
        swagger_ui_oauth2_redirect_url=None,
        lifespan=life,
    )
    http_errors.install(app)
    snapshots.install(app)
    # The busiest first: they are tried in turn.
    for routes in (
        game_routes,
        live_routes,
        lobby_routes,
        offer_routes,
        position_routes,
        record_routes,
        search_routes,
        picture_routes,
        analysis_routes,
        opening_routes,
        puzzle_routes,
        player_routes,
        relation_routes,
        habit_routes,
        dump_routes,
        account_routes,
        account_mail_routes,
        mail_routes,
        challenge_routes,
        appointment_routes,
        notification_routes,
        push_routes,
        alert_routes,
        rating_routes,
        vacation_routes,
        plan_routes,
        notebook_routes,
        engine_routes,
        operation_routes,
        webhook_routes,
        calendar_routes,
        openapi,
    ):
        app.include_router(routes.router)
    app.include_router(calendar_routes.feed_router)
    app.include_router(documentation_router(documentation))
    app.include_router(embed_router(web))
    app.include_router(page_router(web))
    app.add_middleware(GZipMiddleware, minimum_size=500, compresslevel=6, thread_minimum_size=MAX_EVENT_LOOP_BYTES)
    if online:
        app.add_middleware(AuthMiddleware)
    app.add_middleware(SecurityMiddleware, hosts=hosts)
    app.add_middleware(MetricsMiddleware)
    app.state.proxies = TrustedProxies(proxies, online=online)
    app.add_middleware(ProxyMiddleware, proxies=app.state.proxies)
    app.openapi = lambda: openapi.openapi_document(app)  # type: ignore[method-assign]  # FastAPI's documented way
    return app


def default_data_folder() -> Path:
    """Return where this user's data belongs."""
    from platformdirs import user_data_path

    return user_data_path("punct", appauthor=False)
