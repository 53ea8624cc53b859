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
from punct.server.appointments.events import AppointmentsChanged
from punct.server.auth.errors import (
    BadLinkError,
    NoAccountError,
    TooLateError,
    UnauthenticatedError,
    UnknownPlayerError,
    WrongPasswordError,
)
from punct.server.auth.model import StoredPlayer, StoredSession, StoredToken
from punct.server.auth.names import clean_login, clean_name, normalise_login
from punct.server.auth.proofs import NO_PROOF, Proof, ResetLink
from punct.server.auth.sessions import SESSION_DURATION, NewSession, Sessions, hash_secret, new_secret
from punct.server.auth.store import AuthStore
from punct.server.auth.verification import wait_for_proved_change
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, DuplicateKeyError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.errors import KeyReusedError
from punct.server.events import EventBus
from punct.server.ratings.service import rate_game

TOKEN_PREFIX: Final = "punct_"
"""People, and programs that look for leaked secrets, recognise a token by it."""
MAX_TOKENS: Final = 20
"""Per player."""


class Accounts:
    """All accounts of this server."""

    def __init__(
        self,
        store: AccountStore,
        auth_store: AuthStore,
        sessions: Sessions,
        passwords: Passwords | None = None,
        now: Now = utc_now,
        bus: EventBus | None = None,
    ) -> None:
        """Use the stores; publish every change of a player by ``Sessions.announce``, which drops cached sessions."""
        self._bus = bus or EventBus()
        self._store, self._auth_store, self._sessions, self._now = store, auth_store, sessions, now
        self._passwords = passwords or Passwords()

    async def close(self) -> None:
        """Verify no more passwords."""
        self._passwords.close()

    async def log_in(self, login: str, password: str, before: StoredSession | None) -> NewSession:
        """Log in by password. The guest of the session before is merged into the account."""
        credentials = await asyncio.to_thread(self._store.find_credentials, normalise_login(login))
        player_id, stored_hash = credentials or (None, None)
        is_right, new_hash = await self._passwords.verify(password, stored_hash)
        if not is_right or player_id is None:
            raise WrongPasswordError
        return await self.open_session(player_id, before, Proof(password_hash=stored_hash), rehashed=new_hash)

    async def open_session(
        self,
        player_id: str,
        before: StoredSession | None,
        proof: Proof = NO_PROOF,
        *,
        rehashed: str | None = None,
        password_hash: str | None = None,
    ) -> NewSession:
        """Open a session for a player who has been authenticated, and set a new password if its hash is given.

        All of it or nothing: if the guest of the session before cannot be merged into the account, their session stays;
        a proof that is no longer valid opens none.
        """
        secret, now = new_secret(), self._now()
        try:
            changed_games = await wait_for_proved_change(
                self._store.open_session(
                    hash_secret(secret),
                    player_id,
                    now,
                    now + SESSION_DURATION,
                    before,
                    proof=proof,
                    rehashed=rehashed,
                    password_hash=password_hash,
                )
            )
        except ConflictError:
            raise UnknownPlayerError from None  # deleted just now
        if before is not None and before.player.id != player_id:
            self._sessions.announce(before.player.id)
        self._sessions.announce(player_id)
        session = await self._sessions.find(secret)
        if session is None:
            raise UnauthenticatedError  # ended just now, by a new password or by logging out everywhere
        return NewSession(session, secret, changed_games)

    async def create_account(self, session: StoredSession, login: str, password: str) -> NewSession:
        """Give a guest an account, and replace their session by a new one: everything they have stays theirs."""
        login = await self.require_free_login(session.player, login)
        password_hash = await self._passwords.hash(password, login=login)
        try:
            await asyncio.wrap_future(self._store.create_account(session.player.id, login, password_hash))
        except DuplicateKeyError:
            raise LoginTakenError from None
        except ConflictError:
            raise HasAccountError from None
        return await self.open_session(session.player.id, session)

    async def require_free_login(self, player: StoredPlayer, login: str) -> str:
        """Return a login in its stored form if a guest may have it; raises LoginTakenError, InvalidLoginError."""
        if player.has_account:
            raise HasAccountError
        login = clean_login(login)
        if await asyncio.to_thread(self._store.find_credentials, login) is not None:
            raise LoginTakenError
        return login

    async def set_password(self, player: StoredPlayer, password: str, proof: Proof) -> NewSession:
        """Set a player's password. Every other session ends."""
        password_hash = await self._passwords.hash(password, login=player.login or "")
        return await self.open_session(player.id, None, proof, password_hash=password_hash)

    async def reset_password(self, link: str, password: str, before: StoredSession | None) -> NewSession:
        """Reset a lost password by a link that works once; raises BadLinkError."""
        player_id, _, secret = link.partition("/")
        reset_link = ResetLink(hash_secret(secret), self._now())
        login = await asyncio.to_thread(self._store.find_login_to_reset, player_id, reset_link)
        if login is None:
            raise BadLinkError
        password_hash = await self._passwords.hash(password, login=login)
        return await self.open_session(player_id, before, Proof(link=reset_link), password_hash=password_hash)

    async def verify_password(self, player: StoredPlayer, password: str) -> Proof:
        """Reauthenticate an account holder by their password; raises WrongPasswordError.

        PasskeyNeededError if they have none. The change that needs the proof checks it once more.
        """
        if not player.has_account:
            raise NoAccountError
        if not player.has_password:
            raise PasskeyNeededError
        stored_hash = await asyncio.to_thread(self._store.get_password_hash, player.id)
        is_right, _ = await self._passwords.verify(password, stored_hash)
        if not is_right:
            raise WrongPasswordError
        return Proof(password_hash=stored_hash)

    async def delete(self, player: StoredPlayer, proof: Proof) -> list[str]:
        """Delete a player with everything that is theirs alone; return the games that changed or were deleted."""
        deletion = await wait_for_proved_change(self._store.delete_player(player.id, self._now(), rate_game, proof))
        self._sessions.announce(player.id)
        if deletion is None:
            return []
        for other_id in deletion.rated_player_ids:
            self._sessions.announce(other_id)
        self._bus.publish(AppointmentsChanged(tuple(deletion.awaited_by)))
        return deletion.changed_games

    async def mark_as_bot(self, player: StoredPlayer, proof: Proof) -> StoredPlayer:
        """Mark an account as a bot's, for good."""
        try:
            await wait_for_proved_change(self._store.mark_as_bot(player.id, proof))
        except ConflictError:
            raise TooLateError("Only an account that has not played with anybody yet can become a bot's.") from None
        return await self._reload(player)

    async def make_admin(self, player: StoredPlayer, secret: str) -> list[str]:
        """Make an account holder the administrator, by the secret that the server printed; return the adopted games."""
        if not player.has_account:
            raise NoAccountError("An administrator needs an account: make one first, then open the link again.")
        if player.kind == "bot":
            raise TooLateError("A program plays in this account; whoever looks after the server needs another one.")
        try:
            game_ids = await asyncio.wrap_future(self._store.make_admin(hash_secret(secret), player.id))
        except ConflictError:
            raise BadLinkError from None
        self._sessions.announce(player.id)
        return game_ids

    async def list_tokens(self, player: StoredPlayer) -> list[StoredToken]:
        """Return a player's tokens, the newest first."""
        return await asyncio.to_thread(self._auth_store.list_tokens, player.id)

    async def create_token(
        self,
        player: StoredPlayer,
        name: str,
        scopes: Iterable[str],
        lifetime: timedelta | None,
        proof: Proof,
        key: IdempotencyKey | None = None,
    ) -> tuple[StoredToken, str]:
        """Return a new token and its secret, which is not stored.

        A repeated request with the same idempotency key gives the token a new secret; the first one becomes invalid.
        """
        if not player.has_account:
            raise NoAccountError
        secret, now = TOKEN_PREFIX + new_secret(), self._now()
        expires = None if lifetime is None else now + lifetime
        token = StoredToken(hash_secret(secret), clean_name(name), frozenset(scopes), now, expires, None)
        try:
            await wait_for_proved_change(self._auth_store.add_token(player.id, token, MAX_TOKENS, proof, key))
            self._sessions.announce(player.id)
        except DuplicateRequestError:
            raise KeyReusedError from None
        except ConflictError:
            raise TooLateError(f"Nobody has more than {MAX_TOKENS} tokens; delete one first.") from None
        return token, secret

    async def delete_token(self, player: StoredPlayer, token_id: str) -> None:
        """Revoke a token."""
        if not await asyncio.wrap_future(self._auth_store.delete_token(player.id, token_id)):
            raise UnknownTokenError
        self._sessions.announce(player.id)

    async def rename(self, player: StoredPlayer, name: str | None) -> StoredPlayer:
        """Give a player another name, or none; raises InvalidNameError."""
        await asyncio.wrap_future(self._store.rename(player.id, None if name is None else clean_name(name)))
        return await self._reload(player)

    async def save_settings(self, player: StoredPlayer, settings: Mapping[str, Any] | None) -> StoredPlayer:
        """Store a player's settings."""
        await asyncio.wrap_future(self._store.save_settings(player.id, settings))
        return await self._reload(player)

    async def _reload(self, player: StoredPlayer) -> StoredPlayer:
        self._sessions.announce(player.id)
        return await self._sessions.get_player(player.id) or player
