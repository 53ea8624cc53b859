"""Passkeys as they are stored: the public half of a key that never leaves its owner's device."""

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

_USED: Final = "passkey"
"""Whose request a challenge is that was answered: nobody's id."""


class StoredPasskey(NamedTuple):
    """The public half of a player's key."""

    id: str
    player_id: str
    public_key: bytes
    used_times: int
    """As the device counts; 0 if it does not."""
    created: datetime


class PasskeyStore:
    """All passkeys. What reads blocks, and is for threads; what changes returns at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def get(self, passkey_id: str) -> StoredPasskey | None:
        """Return a passkey."""
        found = self._database.fetch_all(_PASSKEY, {"id": passkey_id})
        return _passkey(found[0]) if found else None

    def list_passkeys(self, player_id: str) -> list[StoredPasskey]:
        """Return a player's passkeys, the oldest first."""
        return [_passkey(row) for row in self._database.fetch_all(_OF_PLAYER, {"player": player_id})]

    def add(self, passkey: StoredPasskey, challenge: bytes, most: int, proof: Proof = NO_PROOF) -> Future[None]:
        """Store a new passkey, which answers a challenge; raises ConflictError if so many are there, or it has.

        ``proof`` must still hold.
        """

        def store(connection: Connection) -> None:
            proofs.check_proof(connection, lock_player(connection, passkey.player_id), proof)
            if len(connection.execute(_OF_PLAYER, {"player": passkey.player_id}).fetchall()) >= most:
                raise ConflictError(passkey.id)
            if not _use_up(connection, challenge, passkey.created):
                raise ConflictError(passkey.id)
            connection.execute(_NEW, {**passkey._asdict(), "created": to_db_time(passkey.created)})

        return self._database.change(store)

    def create_account(self, passkey: StoredPasskey, login: str, challenge: bytes) -> Future[None]:
        """Give a guest a login and, with it, the passkey that opens it: both or neither.

        Raises DuplicateKeyError if somebody has the login, ConflictError for whoever has one already, and if the
        passkey is known or the challenge was answered.
        """

        def store(connection: Connection) -> None:
            if connection.execute(_PASSKEY, {"id": passkey.id}).fetchall() or _is_used_up(connection, challenge):
                raise ConflictError(passkey.id)
            values = {"player": passkey.player_id, "login": login, "password": None}
            if connection.execute(MAKE_ACCOUNT, values).rowcount != 1:
                raise ConflictError(passkey.player_id)
            if not _use_up(connection, challenge, passkey.created):  # by another process, just now: nothing is kept
                raise RetryError("The same is being asked of another process; try again in a while.")
            connection.execute(_NEW, {**passkey._asdict(), "created": to_db_time(passkey.created)})

        return self._database.change(store)

    def record_use(self, passkey: StoredPasskey, used_times: int, challenge: bytes, now: datetime) -> Future[None]:
        """Note that a passkey has answered a challenge; raises ConflictError if that was answered already."""

        def store(connection: Connection) -> None:
            if not _use_up(connection, challenge, now):
                raise ConflictError(passkey.id)
            connection.execute(_USE, {"id": passkey.id, "used_times": used_times})

        return self._database.change(store)

    def delete(self, player_id: str, passkey_id: str, proof: Proof = NO_PROOF) -> Future[bool]:
        """Forget a passkey; tell whether the player had it. Raises ConflictError if nothing else opens the account.

        ``proof`` must still hold.
        """
        whose = {"player": player_id}

        def store(connection: Connection) -> bool:
            player = lock_player(connection, player_id)  # of two passkeys, two processes would each leave the other
            proofs.check_proof(connection, player, proof)
            kept = [row[0] for row in connection.execute(_OF_PLAYER, whose).fetchall()]
            if passkey_id not in kept:
                return False
            if len(kept) == 1 and player.password is None:
                raise ConflictError(passkey_id)
            connection.execute(_FORGET, {"id": passkey_id})
            return True

        return self._database.change(store)


_COLUMNS: Final = tuple(PASSKEYS.c[name] for name in StoredPasskey._fields)
_PASSKEY: Final = sql(select(*_COLUMNS).where(PASSKEYS.c.id == bindparam("id")))
_OF_PLAYER: Final = sql(
    select(*_COLUMNS).where(PASSKEYS.c.player_id == bindparam("player")).order_by(PASSKEYS.c.created, PASSKEYS.c.id)
)
_NEW: Final = sql(insert(PASSKEYS).values(bindparams(*StoredPasskey._fields)))
_USE: Final = sql(update(PASSKEYS).where(PASSKEYS.c.id == bindparam("id")).values(bindparams("used_times")))
_FORGET: Final = sql(delete(PASSKEYS).where(PASSKEYS.c.id == bindparam("id")))
_NEW_REQUEST: Final = insert_or_ignore(REQUESTS)


def _passkey(row: Any) -> StoredPasskey:
    passkey_id, player_id, public_key, used_times, created = row
    return StoredPasskey(passkey_id, player_id, bytes(public_key), used_times, from_db_time(created))


def _request(challenge: bytes) -> IdempotencyKey:
    return IdempotencyKey(_USED, hashlib.sha256(challenge).hexdigest())


def _is_used_up(connection: Connection, challenge: bytes) -> bool:
    """Tell whether a challenge was answered."""
    return find_result(connection, _request(challenge)) is not None


def _use_up(connection: Connection, challenge: bytes, now: datetime) -> bool:
    """Let nobody answer a challenge twice; tell whether nobody had. If somebody had, nothing is changed."""
    player, key, _ = _request(challenge)
    row = {"player_id": player, "key": key, "made": "", "wish": None, "at": to_db_time(now)}
    return bool(connection.execute(_NEW_REQUEST, row).rowcount)
