"""Prometheus metrics of a running server: requests, connections, games, moves, and the engine's queue.

With several processes, ``/metrics`` sums over all of them: each writes its values into a folder that the supervisor
names in ``PROMETHEUS_MULTIPROC_DIR``.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import secrets
import time
from typing import Final

from prometheus_client import Counter, Gauge, Histogram
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from punct.server.engines.service import Engines
from punct.server.events import EventBus
from punct.server.games.events import GameChanged, GameEnded
from punct.server.live.hub import Hub
from punct.server.log import REQUEST_ID

_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
REQUESTS: Final = Histogram(
    "punct_request_seconds", "From a request to the end of its answer.", ("method", "route", "status"), buckets=_BUCKETS
)
SOCKETS: Final = Gauge("punct_sockets", "Live connections.", multiprocess_mode="livesum")
GAMES_BEGUN: Final = Counter("punct_games_begun", "Games that were begun.")
GAMES_ENDED: Final = Counter("punct_games_ended", "Games that came to an end.", ("ending",))
MOVES: Final = Counter("punct_turns", "Turns that were played.", ("by",))
ENGINE_QUEUE: Final = Gauge("punct_engine_queue", "Thoughts that wait for an engine.", multiprocess_mode="livesum")
GAMES_WATCHED: Final = Gauge("punct_games_watched", "Games that somebody watches.", multiprocess_mode="livesum")

GAUGE_SECONDS: Final = 1.0
"""Between two updates of the gauges."""
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9_.:-]{1,64}")
_NO_ROUTE: Final = "other"
_PROCESS: Final = secrets.token_urlsafe(6)
_NUMBERS: Final = itertools.count(1)


class Metrics:
    """Counts games and moves by their events, and updates the gauges of this process."""

    def __init__(self, engines: Engines, hub: Hub, bus: EventBus) -> None:
        """Subscribe to the events of games."""
        self._engines, self._hub = engines, hub
        bus.subscribe(GameChanged, self._count_change)
        bus.subscribe(GameEnded, self._count_end)

    async def run(self) -> None:
        """Update the gauges every second, until cancelled: other processes read them from the shared folder."""
        while True:
            self.update_gauges()
            await asyncio.sleep(GAUGE_SECONDS)

    def update_gauges(self) -> None:
        """Set the gauges to the current values."""
        ENGINE_QUEUE.set(self._engines.waiting)
        GAMES_WATCHED.set(len(self._hub.watched_games))

    def _count_change(self, event: GameChanged) -> None:
        """Count a game that was begun, or a move that was played, in this process."""
        game = event.game
        if not event.is_local:
            return
        if game.revision == 1:
            GAMES_BEGUN.inc()
        elif game.moves and game.moves[-1].played_at == game.stored.updated:
            MOVES.labels(game.stored.seats[game.moves[-1].colour].kind).inc()

    def _count_end(self, event: GameEnded) -> None:
        """Count a game that has just ended."""
        assert event.game.outcome is not None
        GAMES_ENDED.labels(event.game.outcome.reason.name.lower()).inc()


class MetricsMiddleware:
    """Gives every request an id, which its response and the log contain, and measures its duration."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an app."""
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
        request_id = _request_id(scope)
        status = 0
        start = time.perf_counter()

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        token = REQUEST_ID.set(request_id)
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            REQUEST_ID.reset(token)
            route = getattr(scope.get("route"), "path", _NO_ROUTE)
            REQUESTS.labels(scope["method"] if route != _NO_ROUTE else "", route, str(status)).observe(
                time.perf_counter() - start
            )

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = _request_id(scope)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "websocket.accept":
                message.setdefault("headers", [])
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        token = REQUEST_ID.set(request_id)
        try:
            with SOCKETS.track_inprogress():
                await self._app(scope, receive, send_with_id)
        finally:
            REQUEST_ID.reset(token)


def _request_id(scope: Scope) -> str:
    """Return a request's id: the one in ``X-Request-Id``, if it is well-formed, or a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            return str(value, "ascii")
    return f"{_PROCESS}-{next(_NUMBERS)}"
