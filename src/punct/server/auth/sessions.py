"""Sessions and tokens: which player makes a request."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections import OrderedDict
from datetime import timedelta
from typing import Final, NamedTuple

from punct.server.auth.errors import BadTokenError, UnknownPlayerError
from punct.server.auth.events import CachesInvalidated, PlayerChanged, SessionsInvalidated
from punct.server.auth.handles import handle_key
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.store import AuthStore
from punct.server.broker.broker import Broker
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError
from punct.server.events import EventBus

SESSION_DURATION: Final = timedelta(days=365)
"""How long a session lasts after it was last used."""
_SECRET_BYTES: Final = 32
_RENEWAL_INTERVAL: Final = timedelta(days=1)
"""A session or token that is used is written to the store once in this time."""
CACHE_SECONDS: Final = 60.0
"""How long a session or token is cached, unless an event says that its player has changed."""
_MAX_CACHED: Final = 20_000
_TOPIC: Final = "players"
"""The broker's topic of players who have changed, or whose sessions have ended."""


def new_secret() -> str:
    """Return a new random secret for a session or a token."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the hash by which the store knows a secret. Secrets are long and random: nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class SessionEndedError(Exception):
    """A session has ended since it was looked up: its secret opens nothing any more."""


class NewSession(NamedTuple):
    """The result of a login."""

    session: StoredSession
    secret: str
    """For the cookie: it opens the session."""
    changed_games: list[str]
    """The ids of games that were a guest's, and belong to the account now."""


class Sessions:
    """Looks up players by the secrets of their sessions and tokens, and caches them.

    The cache is dropped for a player whenever a PlayerChanged event comes, from this process or through the broker.
    """

    def __init__(self, store: AuthStore, broker: Broker, bus: EventBus, now: Now = utc_now) -> None:
        """Use a store; follow what changes players, here and in other processes."""
        self._store, self._broker, self._bus, self._now = store, broker, bus, now
        self.generation = 0
        """Counts invalidations: what was read in an earlier generation may be out of date."""
        self._sessions: OrderedDict[str, tuple[StoredSession, float]] = OrderedDict()
        self._tokens: OrderedDict[str, tuple[StoredPlayer, StoredToken, float]] = OrderedDict()
        bus.subscribe(PlayerChanged, self._on_player_changed)
        bus.subscribe(CachesInvalidated, lambda _: self.invalidate(None))
        broker.on_message(_TOPIC, self._on_announcement)

    async def start(self) -> None:
        """Follow what other processes announce."""
        await self._broker.subscribe(_TOPIC)

    # ------------------------------------------------------------------ sessions

    async def find(self, secret: str) -> StoredSession | None:
        """Return the session that a secret opens; None if it has ended."""
        session_id = hash_secret(secret)
        cached = self._sessions.get(session_id)
        if cached is not None and time.monotonic() - cached[1] < CACHE_SECONDS:
            session = cached[0]
        else:
            self._sessions.pop(session_id, None)
            generation = self.generation
            stored = await asyncio.to_thread(self._store.find_session, session_id)
            if stored is None:
                return None
            session = stored
            if self.generation == generation:
                self._cache(session)
        return session if session.expires > self._now() else None

    async def renew(self, session: StoredSession) -> StoredSession | None:
        """Extend a session; None if that was done not long ago. Raises SessionEndedError."""
        now = self._now()
        if session.expires - now > SESSION_DURATION - _RENEWAL_INTERVAL:
            return None
        expires = now + SESSION_DURATION
        if not await asyncio.wrap_future(self._store.renew_session(session, now, expires)):
            self._sessions.pop(session.id, None)
            raise SessionEndedError
        # Only what is cached is updated: the session given may have been read before its player was changed.
        if session.id in self._sessions:
            cached, since = self._sessions[session.id]
            self._sessions[session.id] = cached._replace(expires=expires), since
        return session._replace(expires=expires)

    async def create_guest(self) -> NewSession:
        """Create a guest, and return their session."""
        secret, now = new_secret(), self._now()
        session = await asyncio.wrap_future(self._store.create_guest(hash_secret(secret), now, now + SESSION_DURATION))
        self._cache(session)
        return NewSession(session, secret, [])

    async def end(self, session: StoredSession) -> None:
        """Log a player out in one browser."""
        await asyncio.wrap_future(self._store.end_session(session.id))
        self.announce(session.player.id)

    async def end_all(self, player: StoredPlayer) -> None:
        """Log a player out in every browser."""
        with contextlib.suppress(ConflictError):  # deleted just now
            await asyncio.wrap_future(self._store.end_sessions(player.id))
        self.announce(player.id)

    # ------------------------------------------------------------------ tokens

    async def find_token(self, secret: str) -> tuple[StoredPlayer, StoredToken]:
        """Return the player for whom a token acts, and the token; raises BadTokenError."""
        token_id, now = hash_secret(secret), self._now()
        cached = self._tokens.get(token_id)
        if cached is None or time.monotonic() - cached[2] > CACHE_SECONDS:
            self._tokens.pop(token_id, None)
            generation = self.generation
            stored = await asyncio.to_thread(self._store.find_token, token_id)
            if stored is None:
                raise BadTokenError
            cached = (*stored, time.monotonic())
            if self.generation == generation:
                self._tokens[token_id] = cached
                while len(self._tokens) > _MAX_CACHED:
                    self._tokens.popitem(last=False)
            last_use = stored[1].used
            if last_use is None or now - last_use > _RENEWAL_INTERVAL:
                await asyncio.wrap_future(self._store.record_token_use(token_id, now))
        player, token, _ = cached
        if token.expires is not None and token.expires <= now:
            raise BadTokenError
        return player, token

    async def is_valid(self, credential: StoredSession | StoredToken) -> bool:
        """Tell whether a session or token still exists in the store, and has not expired."""
        expiry = await asyncio.to_thread(self._store.get_expiry, credential)
        return expiry is not None and expiry > self._now()

    # ------------------------------------------------------------------ players

    async def get_player(self, player_id: str) -> StoredPlayer | None:
        """Return a player, as stored."""
        return await asyncio.to_thread(self._store.get, player_id)

    async def require_player(self, player_id: str) -> StoredPlayer:
        """Return a player, as stored; raises UnknownPlayerError."""
        player = await self.get_player(player_id)
        if player is None:
            raise UnknownPlayerError
        return player

    async def resolve_player(self, reference: str) -> StoredPlayer:
        """Return a player by id, or by ``@`` and a handle; raises UnknownPlayerError."""
        if not reference.startswith("@"):
            return await self.require_player(reference)
        player = await asyncio.to_thread(self._store.find_by_handle, handle_key(reference[1:]))
        if player is None:
            raise UnknownPlayerError
        return player

    def announce(self, player_id: str) -> None:
        """Publish that a player has changed, here and to the other processes: all drop the player's cached sessions."""
        self._bus.publish(PlayerChanged(player_id))

    # ------------------------------------------------------------------ the cache

    def invalidate(self, player_id: str | None) -> None:
        """Drop what is cached of a player; of everybody if None."""
        self.generation += 1
        if player_id is None:
            self._sessions.clear()
            self._tokens.clear()
        else:
            for session_id in [key for key, (session, _) in self._sessions.items() if session.player.id == player_id]:
                del self._sessions[session_id]
            for token_id in [key for key, (player, _, _) in self._tokens.items() if player.id == player_id]:
                del self._tokens[token_id]
        self._bus.publish(SessionsInvalidated(player_id))

    def _on_player_changed(self, event: PlayerChanged) -> None:
        self.invalidate(event.player_id)
        if event.is_local:
            self._broker.publish(_TOPIC, event.player_id.encode())

    def _on_announcement(self, _: str, player_id: bytes) -> None:
        self._bus.publish(PlayerChanged(player_id.decode(), is_local=False))

    def _cache(self, session: StoredSession) -> None:
        self._sessions[session.id] = session, time.monotonic()
        self._sessions.move_to_end(session.id)
        while len(self._sessions) > _MAX_CACHED:
            self._sessions.popitem(last=False)
