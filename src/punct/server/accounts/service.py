"""Accounts: login, passwords, tokens for programs, names and settings, deletion."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from punct.server.accounts.errors import (
    HasAccountError,
    LoginTakenError,
    PasskeyNeededError,
    UnknownTokenError,
)
from punct.server.accounts.passwords import Passwords
from punct.server.accounts.store import AccountStore
from punct.server.auth.errors import (
    BadLinkError,
    NoAccountError,
    TooLateError,
    UnauthenticatedError,
    UnknownPlayerError,
    WrongPasswordError,
)
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.names import clean_login, clean_name
from punct.server.auth.proofs import NO_PROOF, Proof, ResetLink
from punct.server.auth.sessions import SESSION_DURATION, NewSession, Sessions, hash_secret, new_secret
from punct.server.auth.store import AuthStore
from punct.server.auth.verification import wait_for_proved_change
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, DuplicateKeyError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.errors import KeyReusedError
from punct.server.ratings.service import rate_game

TOKEN_PREFIX: Final = "punct_"
"""By which people, and programs that look for leaked secrets, recognise a token."""
MAX_TOKENS: Final = 20
"""Of one player."""


class Accounts:
    """All accounts of this server."""

    def __init__(
        self,
        store: AccountStore,
        auth_store: AuthStore,
        sessions: Sessions,
        passwords: Passwords | None = None,
        now: Now = utc_now,
    ) -> None:
        """Take over a store; whatever changes a player is announced through the sessions."""
        self._store, self._auth_store, self._sessions, self._now = store, auth_store, sessions, now
        self._passwords = passwords or Passwords()

    async def close(self) -> None:
        """Verify no more passwords."""
        self._passwords.close()

    async def log_in(self, login: str, password: str, before: StoredSession | None) -> NewSession:
        """Make an account holder known in a browser. If it knew a guest, what was the guest's is theirs now."""
        found = await asyncio.to_thread(self._store.find_credentials, login.strip().lower())
        player_id, known = found or (None, None)
        right, newer = await self._passwords.verify(password, known)
        if not right or player_id is None:
            raise WrongPasswordError
        return await self.open_session(player_id, before, Proof(password=known), rehashed=newer)

    async def open_session(
        self,
        player_id: str,
        before: StoredSession | None,
        proof: Proof = NO_PROOF,
        *,
        rehashed: str | None = None,
        password: str | None = None,
    ) -> NewSession:
        """Make a player known in a browser who has proved who they are; and if it is another one now, their password.

        All of it or nothing: a guest whose games could not be handed over is still known, and a proof that no longer
        holds opens nothing.
        """
        secret, now = new_secret(), self._now()
        new = hash_secret(secret), now + SESSION_DURATION
        try:
            changed = await wait_for_proved_change(
                self._store.open_session(new, player_id, now, before, proof=proof, rehashed=rehashed, password=password)
            )
        except ConflictError:
            raise UnknownPlayerError from None  # deleted in this very moment
        if before is not None and before.player.id != player_id:
            self._sessions.announce(before.player.id)
        self._sessions.announce(player_id)
        session = await self._sessions.find(secret)
        if session is None:
            raise UnauthenticatedError  # ended in this very moment, by another password or by logging out everywhere
        return NewSession(session, secret, changed)

    async def create_account(self, session: StoredSession, login: str, password: str) -> NewSession:
        """Make a guest an account holder: everything stays theirs. They are known by a new secret from then on."""
        login = await self.require_free_login(session.player, login)
        kept = await self._passwords.hash(password, login=login)
        try:
            await asyncio.wrap_future(self._store.create_account(session.player.id, login, kept))
        except DuplicateKeyError:
            raise LoginTakenError from None
        except ConflictError:
            raise HasAccountError from None
        return await self.open_session(session.player.id, session)

    async def require_free_login(self, player: StoredPlayer, login: str) -> str:
        """Return the login that a guest may have, as it is kept; raises LoginTakenError, InvalidLoginError."""
        if player.has_account:
            raise HasAccountError
        login = clean_login(login)
        if await asyncio.to_thread(self._store.find_credentials, login) is not None:
            raise LoginTakenError
        return login

    async def set_password(self, player: StoredPlayer, password: str, proof: Proof) -> NewSession:
        """Take another password, or the first, of whoever has proved who they are. Every other browser logs in anew."""
        kept = await self._passwords.hash(password, login=player.login or "")
        return await self.open_session(player.id, None, proof, password=kept)

    async def reset_password(self, link: str, password: str, before: StoredSession | None) -> NewSession:
        """Set the password of whoever has lost it, by the link that works once; raises BadLinkError."""
        player_id, _, secret = link.partition("/")
        opened = ResetLink(hash_secret(secret), self._now())
        login = await asyncio.to_thread(self._store.find_login_to_reset, player_id, opened)
        if login is None:
            raise BadLinkError
        kept = await self._passwords.hash(password, login=login)
        return await self.open_session(player_id, before, Proof(link=opened), password=kept)

    async def verify_password(self, player: StoredPlayer, password: str) -> Proof:
        """Have an account holder prove by their password that it is them; raises WrongPasswordError.

        PasskeyNeededError for whoever has none. What is done on the strength of it takes the proof along.
        """
        if not player.has_account:
            raise NoAccountError
        if not player.has_password:
            raise PasskeyNeededError
        known = await asyncio.to_thread(self._store.get_password_hash, player.id)
        right, _ = await self._passwords.verify(password, known)
        if not right:
            raise WrongPasswordError
        return Proof(password=known)

    async def delete(self, player: StoredPlayer, proof: Proof) -> list[str]:
        """Forget a player with everything that is theirs alone; return the games that changed or are gone."""
        forgotten = await wait_for_proved_change(self._store.delete_player(player.id, self._now(), rate_game, proof))
        self._sessions.announce(player.id)
        if forgotten is None:
            return []
        for other in forgotten.rated:
            self._sessions.announce(other)
        return forgotten.games

    async def mark_as_bot(self, player: StoredPlayer, proof: Proof) -> StoredPlayer:
        """Mark an account as a bot's, for good."""
        try:
            await wait_for_proved_change(self._store.mark_as_bot(player.id, proof))
        except ConflictError:
            raise TooLateError("Only an account that has not played with anybody yet can become a bot's.") from None
        return await self._reload(player)

    async def make_admin(self, player: StoredPlayer, secret: str) -> list[str]:
        """Make an account holder the administrator, by the secret that the server printed; return the games adopted."""
        if not player.has_account:
            raise NoAccountError("An administrator needs an account: make one first, then open the link again.")
        if player.kind == "bot":
            raise TooLateError("A program plays in this account; whoever looks after the server needs another one.")
        try:
            adopted = await asyncio.wrap_future(self._store.make_admin(hash_secret(secret), player.id))
        except ConflictError:
            raise BadLinkError from None
        self._sessions.announce(player.id)
        return adopted

    async def list_tokens(self, player: StoredPlayer) -> list[StoredToken]:
        """Return a player's tokens, the newest first."""
        return await asyncio.to_thread(self._auth_store.list_tokens, player.id)

    async def create_token(
        self,
        player: StoredPlayer,
        name: str,
        scopes: Iterable[str],
        lasting: timedelta | None,
        proof: Proof,
        request: IdempotencyKey | None = None,
    ) -> tuple[StoredToken, str]:
        """Return a new token, and the secret, which nobody will see again.

        Asked again with the same key, the token has another secret, and the first one is worth nothing.
        """
        if not player.has_account:
            raise NoAccountError
        secret, now = TOKEN_PREFIX + new_secret(), self._now()
        expires = None if lasting is None else now + lasting
        token = StoredToken(hash_secret(secret), clean_name(name), frozenset(scopes), now, expires, None)
        try:
            await wait_for_proved_change(self._auth_store.add_token(player.id, token, MAX_TOKENS, proof, request))
            self._sessions.announce(player.id)
        except DuplicateRequestError:
            raise KeyReusedError from None
        except ConflictError:
            raise TooLateError(f"Nobody has more than {MAX_TOKENS} tokens; delete one first.") from None
        return token, secret

    async def delete_token(self, player: StoredPlayer, token_id: str) -> None:
        """Have a token no longer speak for anybody."""
        if not await asyncio.wrap_future(self._auth_store.delete_token(player.id, token_id)):
            raise UnknownTokenError
        self._sessions.announce(player.id)

    async def rename(self, player: StoredPlayer, name: str | None) -> StoredPlayer:
        """Give a player another name, or none; raises InvalidNameError."""
        await asyncio.wrap_future(self._store.rename(player.id, None if name is None else clean_name(name)))
        return await self._reload(player)

    async def save_settings(self, player: StoredPlayer, settings: Mapping[str, Any] | None) -> StoredPlayer:
        """Keep a player's settings."""
        await asyncio.wrap_future(self._store.save_settings(player.id, settings))
        return await self._reload(player)

    async def _reload(self, player: StoredPlayer) -> StoredPlayer:
        self._sessions.announce(player.id)
        return await self._sessions.get_player(player.id) or player
