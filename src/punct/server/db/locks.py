"""Row locks on players, which changes take before anything else: several processes write to one database.

To avoid deadlocks, every change locks what it needs in one order:

1. every player it concerns, in one call of ``lock_players``, which goes by the order of their ids, and with the
   strongest lock it will need: two changes that share a player's lock and both want to upgrade it would deadlock;
2. whatever else it reads in order to change it, or changes: of several games, those with the lowest ids first.

A change may have to read first which players it concerns. Then it reads that again once they are locked, and retries
(RetryError) if there are more. Several changes in one transaction may still deadlock with those of another process: the
database detects it, and each of them is retried in a transaction of its own (see ``Writer``).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select

from punct.server.db.database import Connection
from punct.server.db.errors import MissingPlayerError
from punct.server.db.sql import sql
from punct.server.db.tables import PLAYERS


class LockStrength(Enum):
    """What a lock on a player keeps other transactions from; PostgreSQL's names."""

    KEY_SHARE = auto()
    """Others cannot delete the player: for rows that refer to them."""
    SHARE = auto()
    """Others cannot change the player."""
    EXCLUSIVE = auto()
    """Others cannot lock the player: for counting what they have and adding to it, for changing their credentials, and
    for deleting them."""


class LockedPlayer(NamedTuple):
    """A player who stays as they are until the transaction ends."""

    id: str
    password_hash: str | None
    has_account: bool
    is_blocked: bool


def lock_player(connection: Connection, player_id: str) -> LockedPlayer:
    """Lock one player exclusively; raises MissingPlayerError if there is no such player."""
    return lock_players(connection, [player_id])[player_id]


def lock_players(
    connection: Connection,
    player_ids: Iterable[str],
    strength: LockStrength = LockStrength.EXCLUSIVE,
    *,
    missing_ok: bool = False,
) -> dict[str, LockedPlayer]:
    """Lock players until the transaction ends, and return them by id.

    Raises MissingPlayerError if one of them does not exist; with ``missing_ok`` returns the others.
    """
    locked = {}
    for player_id in sorted(set(player_ids)):
        row = connection.execute(_LOCK[strength], {"player": player_id}).fetchone()
        if row is not None:
            password_hash, login, blocked = row
            locked[player_id] = LockedPlayer(player_id, password_hash, login is not None, blocked is not None)
        elif not missing_ok:
            raise MissingPlayerError(player_id)
    return locked


_SELECT_PLAYER: Final = select(PLAYERS.c.password, PLAYERS.c.login, PLAYERS.c.blocked).where(
    PLAYERS.c.id == bindparam("player")
)
_LOCK: Final = {
    LockStrength.KEY_SHARE: sql(_SELECT_PLAYER.with_for_update(key_share=True, read=True)),
    LockStrength.SHARE: sql(_SELECT_PLAYER.with_for_update(read=True)),
    LockStrength.EXCLUSIVE: sql(_SELECT_PLAYER.with_for_update()),
}
