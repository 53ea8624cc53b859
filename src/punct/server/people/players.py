"""Players: how they become known, and stay it."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from punct.server.people.names import clean_name
from punct.server.store import PlayerStore, StoredPlayer, StoredSession

SESSION: Final = timedelta(days=365)
"""So long a browser is known after it was last seen."""
_FRESH: Final = timedelta(days=1)
"""So long nothing is written down about a player who is here."""
REMEMBERED_SECONDS: Final = 10.0
"""So long a session is not looked up again."""
_MOST_REMEMBERED: Final = 20_000
_SECRET_BYTES: Final = 32

Player = StoredPlayer
"""Somebody who plays online."""


def hashed(secret: str) -> str:
    """Return what the store knows a secret by. Secrets are long and random: nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Players:
    """All players of this server."""

    def __init__(self, store: PlayerStore, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Take over a store; ``now`` tells the time."""
        self._store, self._now = store, now
        self._changes = 0
        self._remembered: OrderedDict[str, tuple[StoredSession, float]] = OrderedDict()

    # ------------------------------------------------------------------ becoming known

    async def known(self, secret: str) -> StoredSession | None:
        """Return the session of a browser, by the secret it was given; None if it has ended."""
        session_id = hashed(secret)
        remembered = self._remembered.get(session_id)
        if remembered is not None and time.monotonic() - remembered[1] < REMEMBERED_SECONDS:
            session = remembered[0]
        else:
            self._remembered.pop(session_id, None)
            changes = self._changes
            found = await asyncio.to_thread(self._store.session, session_id)
            if found is None:
                return None
            session = found if self._changes != changes else self._remember(found)  # else it may be what was
        return session if session.expires > self._now() else None

    async def renewed(self, session: StoredSession) -> StoredSession | None:
        """Have a session last from now on; None if it was renewed not long ago."""
        now = self._now()
        if session.expires - now > SESSION - _FRESH:
            return None
        await asyncio.wrap_future(self._store.renew(session, now, now + SESSION))
        return self._remember(session._replace(expires=now + SESSION))

    async def welcome(self) -> tuple[StoredSession, str]:
        """Return a new guest's session, and the secret that opens it."""
        secret, now = secrets.token_urlsafe(_SECRET_BYTES), self._now()
        session = await asyncio.wrap_future(self._store.welcome(hashed(secret), now, now + SESSION))
        return self._remember(session), secret

    # ------------------------------------------------------------------ as others see them

    async def get(self, player_id: str) -> Player | None:
        """Return a player."""
        return await asyncio.to_thread(self._store.get, player_id)

    async def rename(self, player: Player, name: str | None) -> Player:
        """Give a player another name, or none; raises InvalidNameError."""
        await asyncio.wrap_future(self._store.rename(player.id, None if name is None else clean_name(name)))
        return await self._anew(player)

    async def settle(self, player: Player, settings: Mapping[str, Any] | None) -> Player:
        """Keep a player's settings."""
        await asyncio.wrap_future(self._store.settle(player.id, settings))
        return await self._anew(player)

    # ------------------------------------------------------------------ within

    def forget(self, player_id: str) -> None:
        """Look a player up anew: they changed, here or in another process."""
        self._changes += 1
        for session_id in [key for key, (session, _) in self._remembered.items() if session.player.id == player_id]:
            del self._remembered[session_id]

    async def _anew(self, player: Player) -> Player:
        self.forget(player.id)
        return await self.get(player.id) or player

    def _remember(self, session: StoredSession) -> StoredSession:
        self._remembered[session.id] = session, time.monotonic()
        self._remembered.move_to_end(session.id)
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return session
