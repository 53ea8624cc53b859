"""Live connections end with the session or token by which they were opened."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from starlette.websockets import WebSocket

from punct.server.auth.events import SessionsInvalidated
from punct.server.auth.identity import identity_of
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.sessions import Sessions
from punct.server.db.errors import StoreError
from punct.server.events import EventBus
from punct.server.http.registry import services_of
from punct.server.tasks import BackgroundTasks

CHECK_SECONDS: Final = 120.0
"""Between two checks for expired sessions and tokens: expiry publishes no event."""


class _Connection(NamedTuple):
    player_id: str
    credential: StoredSession | StoredToken


class SessionConnections:
    """The live connections of players. What one may receive is decided when it is opened."""

    def __init__(self, sessions: Sessions, bus: EventBus) -> None:
        """Check connections again whenever sessions are invalidated."""
        self._sessions = sessions
        self._open: dict[asyncio.Event, _Connection] = {}
        self._tasks = BackgroundTasks("checking the sessions of live connections")
        bus.subscribe(SessionsInvalidated, self._check_player)

    @contextlib.contextmanager
    def register(
        self, player: StoredPlayer | None, credential: StoredSession | StoredToken | None, generation: int
    ) -> Iterator[asyncio.Event]:
        """Watch a connection; the event is set once its session or token has ended. A stranger has neither.

        ``generation`` is that of the sessions when the credential was looked up.
        """
        ended = asyncio.Event()
        if player is not None and credential is not None:
            self._open[ended] = _Connection(player.id, credential)
            if generation != self._sessions.generation:  # it may have ended between the lookup and now
                self._tasks.start(self._check({ended: self._open[ended]}))
        try:
            yield ended
        finally:
            self._open.pop(ended, None)

    async def run(self) -> None:
        """Check every connection now and then, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            await self._check(dict(self._open))

    async def close(self) -> None:
        """Stop checking."""
        await self._tasks.cancel()

    def _check_player(self, event: SessionsInvalidated) -> None:
        connections = {
            ended: connection
            for ended, connection in self._open.items()
            if event.player_id in (None, connection.player_id)
        }
        if connections:
            self._tasks.start(self._check(connections))

    async def _check(self, connections: dict[asyncio.Event, _Connection]) -> None:
        for ended, connection in connections.items():
            with contextlib.suppress(StoreError):  # while the store cannot be read, nothing is said to have ended
                if not await self._sessions.is_valid(connection.credential):
                    ended.set()


def register_connection(socket: WebSocket) -> contextlib.AbstractContextManager[asyncio.Event]:
    """Return a context for a live connection, with the event that its session has ended; at home it never ends."""
    services = services_of(socket)
    if not services.online:
        return contextlib.nullcontext(asyncio.Event())
    identity = identity_of(socket)
    credential = identity.token or identity.session
    return services.get(SessionConnections).register(identity.player, credential, identity.generation)
