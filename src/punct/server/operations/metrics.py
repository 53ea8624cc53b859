"""How the server fares, for those who run it: alive, ready, and figures for Prometheus.

With several processes, the figures are those of all: each keeps its own in a folder that the supervisor names in
``PROMETHEUS_MULTIPROC_DIR``.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import secrets
import time
from collections.abc import Awaitable
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from punct.server.broker.broker import Broker
from punct.server.engines.service import Engines
from punct.server.games.service import Games
from punct.server.http.proxies import source_of
from punct.server.http.registry import services_of
from punct.server.live.hub import Hub
from punct.server.log import REQUEST_ID
from punct.server.operations import figures
from punct.server.operations.figures import REQUESTS, SOCKETS

router: Final = APIRouter(include_in_schema=False)

READY_SECONDS: Final = 3.0
"""How long the store and the broker may take to answer."""
GAUGE_SECONDS: Final = 1.0
"""Between two updates of the gauges."""
TOKEN_VARIABLE: Final = "PUNCT_METRICS_TOKEN"
"""In the environment: who names it may see the figures from elsewhere."""
_ID: Final = re.compile(rb"[A-Za-z0-9_.:-]{1,64}")
_NO_ROUTE: Final = "other"
_PROCESS: Final = secrets.token_urlsafe(6)
_NUMBERS: Final = itertools.count(1)


@router.get("/healthz")
async def is_alive() -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def is_ready(request: Request) -> Response:
    """Say whether the store and the broker answer: else a proxy should ask another machine."""
    services = services_of(request)

    async def within(asked: Awaitable[bool]) -> bool:
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asked
        except Exception:  # whatever it is, the log of whoever needs it says more
            return False

    store, broker = within(services.get(Games).is_reachable()), within(services.get(Broker).is_reachable())
    found = {"store": await store, "broker": await broker}
    # Another machine's proxy would be no better: whoever runs this one has to mend it.
    proxy = not request.app.state.proxies.has_silent_proxy
    return JSONResponse({**found, "proxy": proxy}, 200 if all(found.values()) else 503)


@router.get("/metrics")
async def tell_figures(request: Request) -> Response:
    """Tell all figures, to this machine or to whoever has the token."""
    if not _may_see(request):
        return PlainTextResponse("Only from this machine, or with the token that its server was given.\n", 403)
    services_of(request).get(LoadGauges).update()
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return Response(await asyncio.to_thread(generate_latest, registry), media_type=CONTENT_TYPE_LATEST)


def _may_see(request: Request) -> bool:
    token, given = os.environ.get(TOKEN_VARIABLE), request.headers.get("authorization", "")
    if token and secrets.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return True
    return source_of(request.scope).is_local


class LoadGauges:
    """Updates the gauges of this process: the metrics of all processes are summed from them."""

    def __init__(self, engines: Engines, hub: Hub) -> None:
        self._engines, self._hub = engines, hub

    async def run(self) -> None:
        """Update the gauges every second, until cancelled."""
        while True:
            self.update()
            await asyncio.sleep(GAUGE_SECONDS)

    def update(self) -> None:
        """Set the gauges to what is now."""
        figures.set_load(self._engines.waiting, len(self._hub.watched_games))


class MetricsMiddleware:
    """Gives every request an id, which its answer and the log tell, and measures how long it takes."""

    def __init__(self, app: ASGIApp) -> None:
        """Measure an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = _name_of(scope)
        status = 0
        begun = time.perf_counter()

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = name
            await send(message)

        token = REQUEST_ID.set(name)
        try:
            await self._app(scope, receive, send_named)
        finally:
            REQUEST_ID.reset(token)
            route = getattr(scope.get("route"), "path", _NO_ROUTE)
            REQUESTS.labels(scope["method"] if route != _NO_ROUTE else "", route, str(status)).observe(
                time.perf_counter() - begun
            )

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = _name_of(scope)

        async def send_named(message: Message) -> None:
            if message["type"] == "websocket.accept":
                message.setdefault("headers", [])
                MutableHeaders(scope=message)["X-Request-Id"] = name
            await send(message)

        token = REQUEST_ID.set(name)
        try:
            with SOCKETS.track_inprogress():
                await self._app(scope, receive, send_named)
        finally:
            REQUEST_ID.reset(token)


def _name_of(scope: Scope) -> str:
    """Return a request's id: the one that a proxy gave it, if it makes sense."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.fullmatch(value):
            return str(value, "ascii")
    return f"{_PROCESS}-{next(_NUMBERS)}"
