"""Players: how they become known, and stay it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from punct.server.people.names import clean_login, clean_name
from punct.server.people.passwords import Passwords
from punct.server.people.proofs import acted
from punct.server.people.ratings import judge
from punct.server.people.refusals import (
    BadLinkError,
    BadTokenError,
    HasAccountError,
    LoginTakenError,
    NoAccountError,
    PasskeyNeededError,
    StrangerError,
    TooLateError,
    UnknownPlayerError,
    UnknownTokenError,
    WrongPasswordError,
)
from punct.server.refusal import KeyReusedError
from punct.server.store import (
    UNPROVED,
    ConflictError,
    PlayerStore,
    Proof,
    RepeatedError,
    RequestKey,
    ResetLink,
    StoredPlayer,
    StoredSession,
    StoredToken,
    TakenError,
)

SESSION: Final = timedelta(days=365)
"""So long a browser is known after it was last seen."""
_FRESH: Final = timedelta(days=1)
"""So long nothing is written down about a player who is here."""
REMEMBERED_SECONDS: Final = 60.0
"""So long a session is not looked up again, unless somebody tells that its player has changed."""
_MOST_REMEMBERED: Final = 20_000
_SECRET_BYTES: Final = 32
TOKEN_PREFIX: Final = "punct_"
"""By which people, and programs that look for leaked secrets, tell a token."""
MOST_TOKENS: Final = 20
SCOPES: Final = ("read", "challenge", "play")
"""What a token may be made for: to see its player's games; to make and accept challenges; to play."""

Player = StoredPlayer
"""Somebody who plays online."""
Session = StoredSession
"""A browser in which a player is known."""


def hashed(secret: str) -> str:
    """Return what the store knows a secret by. Secrets are long and random: nothing slower is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


class SessionEndedError(Exception):
    """A session has ended meanwhile: its secret opens nothing any more."""


class Entry(NamedTuple):
    """What comes of a login."""

    session: StoredSession
    secret: str
    """That opens the session."""
    changed: list[str]
    """The games that have another player by it."""


class Players:
    """All players of this server."""

    def __init__(
        self,
        store: PlayerStore,
        passwords: Passwords | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Take over a store; ``now`` tells the time."""
        self._store, self._now = store, now
        self._passwords = passwords or Passwords()
        self._listeners: list[Callable[[str], None]] = []
        self._forgetting: list[Callable[[str | None], None]] = []
        self._changes = 0
        self._tokens: OrderedDict[str, tuple[Player, StoredToken, float]] = OrderedDict()
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
        """Have a session last from now on; None if it was renewed not long ago. Raises SessionEndedError."""
        now = self._now()
        if session.expires - now > SESSION - _FRESH:
            return None
        changes = self._changes
        if not await asyncio.wrap_future(self._store.renew(session, now, now + SESSION)):
            self._remembered.pop(session.id, None)
            raise SessionEndedError
        session = session._replace(expires=now + SESSION)
        return session if self._changes != changes else self._remember(session)  # else it may have ended since

    async def welcome(self) -> Entry:
        """Return a new guest's session."""
        secret, now = secrets.token_urlsafe(_SECRET_BYTES), self._now()
        session = await asyncio.wrap_future(self._store.welcome(hashed(secret), now, now + SESSION))
        return Entry(self._remember(session), secret, [])

    async def log_in(self, login: str, password: str, before: StoredSession | None) -> Entry:
        """Make an account holder known in a browser. If it knew a guest, what was the guest's is theirs now."""
        found = await asyncio.to_thread(self._store.credentials, login.strip().lower())
        player_id, known = found or (None, None)
        right, newer = await self._passwords.belongs(password, known)
        if not right or player_id is None:
            raise WrongPasswordError
        return await self.enter(player_id, before, Proof(password=known), rehashed=newer)

    async def enter(
        self,
        player_id: str,
        before: StoredSession | None,
        proof: Proof = UNPROVED,
        *,
        rehashed: str | None = None,
        password: str | None = None,
    ) -> Entry:
        """Make a player known in a browser who has proved who they are; and if it is another one now, their password.

        All of it or nothing: a guest whose games could not be handed over is still known, and a proof that no longer
        holds opens nothing.
        """
        secret, now = secrets.token_urlsafe(_SECRET_BYTES), self._now()
        new = hashed(secret), now + SESSION
        try:
            changed = await acted(
                self._store.enter(new, player_id, now, before, proof=proof, rehashed=rehashed, password=password)
            )
        except ConflictError:
            raise UnknownPlayerError from None  # deleted in this very moment
        if before is not None and before.player.id != player_id:
            self._changed(before.player.id)
        self._changed(player_id)
        session = await self.known(secret)
        if session is None:
            raise StrangerError  # ended in this very moment, by another password or by logging out everywhere
        return Entry(session, secret, changed)

    async def log_out(self, session: StoredSession) -> None:
        """Have a browser no longer know its player."""
        await asyncio.wrap_future(self._store.end_session(session.id))
        self._changed(session.player.id)

    async def log_out_everywhere(self, player: Player) -> None:
        """Have no browser know a player any more."""
        with contextlib.suppress(ConflictError):  # deleted in this very moment
            await asyncio.wrap_future(self._store.end_sessions(player.id))
        self._changed(player.id)

    # ------------------------------------------------------------------ accounts

    async def make_account(self, session: StoredSession, login: str, password: str) -> Entry:
        """Make a guest an account holder: everything stays theirs. They are known by a new secret from then on."""
        login = await self.free_login(session.player, login)
        kept = await self._passwords.hashed(password, login=login)
        try:
            await asyncio.wrap_future(self._store.make_account(session.player.id, login, kept))
        except TakenError:
            raise LoginTakenError from None
        except ConflictError:
            raise HasAccountError from None
        return await self.enter(session.player.id, session)

    async def free_login(self, player: Player, login: str) -> str:
        """Return the login that a guest may have, as it is kept; raises LoginTakenError, InvalidLoginError."""
        if player.has_account:
            raise HasAccountError
        login = clean_login(login)
        if await asyncio.to_thread(self._store.credentials, login) is not None:
            raise LoginTakenError
        return login

    async def set_password(self, player: Player, password: str, proof: Proof) -> Entry:
        """Take another password, or the first, of whoever has proved who they are. Every other browser logs in anew."""
        kept = await self._passwords.hashed(password, login=player.login or "")
        return await self.enter(player.id, None, proof, password=kept)

    async def reset_password(self, link: str, password: str, before: StoredSession | None) -> Entry:
        """Set the password of whoever has lost it, by the link that works once; raises BadLinkError."""
        player_id, _, secret = link.partition("/")
        opened = ResetLink(hashed(secret), self._now())
        login = await asyncio.to_thread(self._store.login_to_reset, player_id, opened)
        if login is None:
            raise BadLinkError
        kept = await self._passwords.hashed(password, login=login)
        return await self.enter(player_id, before, Proof(link=opened), password=kept)

    async def prove(self, player: Player, password: str) -> Proof:
        """Have an account holder prove by their password that it is them; raises WrongPasswordError.

        PasskeyNeededError for whoever has none. What is done on the strength of it takes the proof along.
        """
        if not player.has_account:
            raise NoAccountError
        if not player.has_password:
            raise PasskeyNeededError
        known = await asyncio.to_thread(self._store.password, player.id)
        right, _ = await self._passwords.belongs(password, known)
        if not right:
            raise WrongPasswordError
        return Proof(password=known)

    async def delete(self, player: Player, proof: Proof) -> list[str]:
        """Forget a player with everything that is theirs alone; return the games that changed or are gone."""
        forgotten = await acted(self._store.forget(player.id, self._now(), judge, proof))
        self._changed(player.id)
        if forgotten is None:
            return []
        for other in forgotten.rated:
            self._changed(other)
        return forgotten.games

    async def make_bot(self, player: Player, proof: Proof) -> Player:
        """Mark an account as a bot's, for good."""
        try:
            await acted(self._store.make_bot(player.id, proof))
        except ConflictError:
            raise TooLateError("Only an account that has not played with anybody yet can become a bot's.") from None
        return await self._anew(player)

    async def adopt(self, player: Player, secret: str) -> list[str]:
        """Make an account holder the administrator, by the secret that the server printed; return the games adopted."""
        if not player.has_account:
            raise NoAccountError("An administrator needs an account: make one first, then open the link again.")
        if player.kind == "bot":
            raise TooLateError("A program plays in this account; whoever looks after the server needs another one.")
        try:
            adopted = await asyncio.wrap_future(self._store.adopt(hashed(secret), player.id))
        except ConflictError:
            raise BadLinkError from None
        self._changed(player.id)
        return adopted

    # ------------------------------------------------------------------ tokens

    async def by_token(self, secret: str) -> tuple[Player, StoredToken]:
        """Return for whom a token speaks, and the token; raises BadTokenError."""
        token_id, now = hashed(secret), self._now()
        remembered = self._tokens.get(token_id)
        if remembered is None or time.monotonic() - remembered[2] > REMEMBERED_SECONDS:
            self._tokens.pop(token_id, None)
            changes = self._changes
            found = await asyncio.to_thread(self._store.token, token_id)
            if found is None:
                raise BadTokenError
            remembered = (*found, time.monotonic())
            if self._changes == changes:
                self._tokens[token_id] = remembered
                while len(self._tokens) > _MOST_REMEMBERED:
                    self._tokens.popitem(last=False)
            used = found[1].used
            if used is None or now - used > _FRESH:
                await asyncio.wrap_future(self._store.use_token(token_id, now))
        player, token, _ = remembered
        if token.expires is not None and token.expires <= now:
            raise BadTokenError
        return player, token

    async def tokens(self, player: Player) -> list[StoredToken]:
        """Return a player's tokens, the newest first."""
        return await asyncio.to_thread(self._store.tokens, player.id)

    async def make_token(
        self,
        player: Player,
        name: str,
        scopes: Iterable[str],
        lasting: timedelta | None,
        proof: Proof,
        request: RequestKey | None = None,
    ) -> tuple[StoredToken, str]:
        """Return a new token, and the secret, which nobody will see again.

        Asked again with the same key, the token has another secret, and the first one is worth nothing.
        """
        if not player.has_account:
            raise NoAccountError
        secret, now = TOKEN_PREFIX + secrets.token_urlsafe(_SECRET_BYTES), self._now()
        expires = None if lasting is None else now + lasting
        token = StoredToken(hashed(secret), clean_name(name), frozenset(scopes), now, expires, None)
        try:
            await acted(self._store.add_token(player.id, token, MOST_TOKENS, proof, request))
            self._changed(player.id)
        except RepeatedError:
            raise KeyReusedError from None
        except ConflictError:
            raise TooLateError(f"Nobody has more than {MOST_TOKENS} tokens; delete one first.") from None
        return token, secret

    async def delete_token(self, player: Player, token_id: str) -> None:
        """Have a token no longer speak for anybody."""
        if not await asyncio.wrap_future(self._store.delete_token(player.id, token_id)):
            raise UnknownTokenError
        self._changed(player.id)

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

    def close(self) -> None:
        """Check no more passwords."""
        self._passwords.close()

    def when_changed(self, listener: Callable[[str], None]) -> None:
        """Have a function called with the id of a player who has changed here, or is no longer known in a browser."""
        self._listeners.append(listener)

    def when_forgotten(self, listener: Callable[[str | None], None]) -> None:
        """Have a function called with the id of a player who is looked up anew; None if everybody is."""
        self._forgetting.append(listener)

    async def lasts(self, proof: StoredSession | StoredToken) -> bool:
        """Tell whether a session has not ended, or a token was not deleted; and whether it has not expired."""
        found = await asyncio.to_thread(self._store.expiry, proof)
        return found is not None and found > self._now()

    def forget(self, player_id: str) -> None:
        """Look a player up anew: they have changed, here or in another process."""
        self._changes += 1
        for session_id in [key for key, (session, _) in self._remembered.items() if session.player.id == player_id]:
            del self._remembered[session_id]
        for token_id in [key for key, (player, _, _) in self._tokens.items() if player.id == player_id]:
            del self._tokens[token_id]
        for listener in self._forgetting:
            listener(player_id)

    def forget_all(self) -> None:
        """Look everybody up anew: somebody has changed, nobody knows who."""
        self._changes += 1
        self._remembered.clear()
        self._tokens.clear()
        for listener in self._forgetting:
            listener(None)

    # ------------------------------------------------------------------ within

    def _changed(self, player_id: str) -> None:
        self.forget(player_id)
        for listener in self._listeners:
            listener(player_id)

    async def _anew(self, player: Player) -> Player:
        self._changed(player.id)
        return await self.get(player.id) or player

    def _remember(self, session: StoredSession) -> StoredSession:
        self._remembered[session.id] = session, time.monotonic()
        self._remembered.move_to_end(session.id)
        while len(self._remembered) > _MOST_REMEMBERED:
            self._remembered.popitem(last=False)
        return session
