"""The table of passkeys: public keys, whose private keys never leave their owners' devices."""

from __future__ import annotations

import hashlib
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select, update

from punct.server.accounts.store import MAKE_ACCOUNT
from punct.server.auth import proofs
from punct.server.auth.proofs import NO_PROOF, Proof
from punct.server.db.database import Connection, Database
from punct.server.db.errors import ConflictError, RetryError
from punct.server.db.idempotency import IdempotencyKey, find_result
from punct.server.db.locks import lock_player
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import PASSKEYS, REQUESTS
from punct.server.db.values import from_db_time, to_db_time

_CHALLENGE_OWNER: Final = "passkey"
"""Answered challenges are stored as requests of this player, which is no real player's id."""


class StoredPasskey(NamedTuple):
    """A player's public key."""

    id: str
    player_id: str
    public_key: bytes
    used_times: int
    """The authenticator's signature counter; 0 if it has none."""
    created: datetime


class PasskeyStore:
    """All passkeys. Methods that read block, and are for threads. Methods that write return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, passkey_id: str) -> StoredPasskey | None:
        """Return a passkey."""
        rows = self._database.fetch_all(_PASSKEY, {"id": passkey_id})
        return _passkey(rows[0]) if rows else None

    def list_passkeys(self, player_id: str) -> list[StoredPasskey]:
        """Return a player's passkeys, the oldest first."""
        return [_passkey(row) for row in self._database.fetch_all(_OF_PLAYER, {"player": player_id})]

    def add(self, passkey: StoredPasskey, challenge: bytes, max_passkeys: int, proof: Proof = NO_PROOF) -> Future[None]:
        """Store a new passkey, which answers a challenge.

        Raises ConflictError if the player has ``max_passkeys`` already, or the challenge was answered before.
        ``proof`` must still be valid.
        """

        def store(connection: Connection) -> None:
            proofs.check_proof(connection, lock_player(connection, passkey.player_id), proof)
            if len(connection.execute(_OF_PLAYER, {"player": passkey.player_id}).fetchall()) >= max_passkeys:
                raise ConflictError(passkey.id)
            if not _mark_answered(connection, challenge, passkey.created):
                raise ConflictError(passkey.id)
            connection.execute(_INSERT, {**passkey._asdict(), "created": to_db_time(passkey.created)})

        return self._database.change(store)

    def create_account(self, passkey: StoredPasskey, login: str, challenge: bytes) -> Future[None]:
        """Give a guest a login and the passkey for it: both or neither.

        Raises DuplicateKeyError if another player has the login; ConflictError if the guest has one already, if the
        passkey is stored already, or if the challenge was answered before.
        """

        def store(connection: Connection) -> None:
            if connection.execute(_PASSKEY, {"id": passkey.id}).fetchall() or _is_answered(connection, challenge):
                raise ConflictError(passkey.id)
            values = {"player": passkey.player_id, "login": login, "password": None}
            if connection.execute(MAKE_ACCOUNT, values).rowcount != 1:
                raise ConflictError(passkey.player_id)
            if not _mark_answered(connection, challenge, passkey.created):  # by another process, just now: roll back
                raise RetryError("Another process is handling the same request; try again in a while.")
            connection.execute(_INSERT, {**passkey._asdict(), "created": to_db_time(passkey.created)})

        return self._database.change(store)

    def record_use(self, passkey: StoredPasskey, used_times: int, challenge: bytes, now: datetime) -> Future[None]:
        """Record that a passkey has answered a challenge; raises ConflictError if it was answered before."""

        def store(connection: Connection) -> None:
            if not _mark_answered(connection, challenge, now):
                raise ConflictError(passkey.id)
            connection.execute(_UPDATE_COUNTER, {"id": passkey.id, "used_times": used_times})

        return self._database.change(store)

    def delete(self, player_id: str, passkey_id: str, proof: Proof = NO_PROOF) -> Future[bool]:
        """Delete a passkey; return whether the player had it. Raises ConflictError if it is the last credential.

        ``proof`` must still be valid.
        """

        def store(connection: Connection) -> bool:
            player = lock_player(connection, player_id)  # else two processes could each delete one of the last two
            proofs.check_proof(connection, player, proof)
            passkey_ids = [row[0] for row in connection.execute(_OF_PLAYER, {"player": player_id}).fetchall()]
            if passkey_id not in passkey_ids:
                return False
            if len(passkey_ids) == 1 and player.password_hash is None:
                raise ConflictError(passkey_id)
            connection.execute(_DELETE, {"id": passkey_id})
            return True

        return self._database.change(store)


_COLUMNS: Final = tuple(PASSKEYS.c[name] for name in StoredPasskey._fields)
_PASSKEY: Final = sql(select(*_COLUMNS).where(PASSKEYS.c.id == bindparam("id")))
_OF_PLAYER: Final = sql(
    select(*_COLUMNS).where(PASSKEYS.c.player_id == bindparam("player")).order_by(PASSKEYS.c.created, PASSKEYS.c.id)
)
_INSERT: Final = sql(insert(PASSKEYS).values(bindparams(*StoredPasskey._fields)))
_UPDATE_COUNTER: Final = sql(update(PASSKEYS).where(PASSKEYS.c.id == bindparam("id")).values(bindparams("used_times")))
_DELETE: Final = sql(delete(PASSKEYS).where(PASSKEYS.c.id == bindparam("id")))
_INSERT_REQUEST: Final = insert_or_ignore(REQUESTS)


def _passkey(row: Any) -> StoredPasskey:
    passkey_id, player_id, public_key, used_times, created = row
    return StoredPasskey(passkey_id, player_id, bytes(public_key), used_times, from_db_time(created))


def _challenge_key(challenge: bytes) -> IdempotencyKey:
    """Return the key by which an answered challenge is stored among the requests."""
    return IdempotencyKey(_CHALLENGE_OWNER, hashlib.sha256(challenge).hexdigest())


def _is_answered(connection: Connection, challenge: bytes) -> bool:
    """Return whether a challenge was answered."""
    return find_result(connection, _challenge_key(challenge)) is not None


def _mark_answered(connection: Connection, challenge: bytes, now: datetime) -> bool:
    """Mark a challenge as answered, so that nobody answers it twice; return False if it was already."""
    key = _challenge_key(challenge)
    row = {"player_id": key.player_id, "key": key.text, "made": "", "wish": None, "at": to_db_time(now)}
    return bool(connection.execute(_INSERT_REQUEST, row).rowcount)
