"""Locks on players, which changes take first of all: several processes write to one database.

A change locks what it needs in one order, so that no two ever wait for each other:

1. every player it is about, in one call of ``lock_players``, which goes by the order of their ids; as strongly as it
   will ever need them: two that share a player, and then both want them alone, would wait for each other;
2. whatever else it reads to change, or changes: of several games, those with the lowest ids first.

Who it is about it may have to read first. Then it reads it again once they are locked, and begins anew (AgainError) if
it has become more. Several changes in one transaction may still meet those of another process: the database notices,
and each of them is made for itself (see ``Writer``).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from sqlalchemy import bindparam, select

from punct.server.store.database import Connection
from punct.server.store.faults import AbsentError
from punct.server.store.sql import sql
from punct.server.store.tables import PLAYERS


class Strength(Enum):
    """What others cannot do with a player until the transaction ends."""

    STAYS = "forget them"
    """For what is stored for them."""
    UNCHANGED = "change anything of theirs"
    ALONE = "lock them at all"
    """For whoever counts what they have and adds to it, changes what opens their account, or forgets them."""


class LockedPlayer(NamedTuple):
    """A player who stays as they are until the transaction ends."""

    id: str
    password: str | None
    """Its hash."""
    has_account: bool
    is_blocked: bool


def lock_player(connection: Connection, player_id: str) -> LockedPlayer:
    """Lock one player alone; raises AbsentError if there is no such player."""
    return lock_players(connection, [player_id])[player_id]


def lock_players(
    connection: Connection, players: Iterable[str], strength: Strength = Strength.ALONE, *, absent_ok: bool = False
) -> dict[str, LockedPlayer]:
    """Lock players until the transaction ends, before anything else; raises AbsentError if one of them is gone.

    With ``absent_ok`` return those who are there.
    """
    locked = {}
    for player in sorted(set(players)):
        found = connection.execute(_LOCKS[strength], {"player": player}).fetchone()
        if found is not None:
            locked[player] = LockedPlayer(player, found[0], found[1] is not None, found[2] is not None)
        elif not absent_ok:
            raise AbsentError(player)
    return locked


_PLAYER: Final = select(PLAYERS.c.password, PLAYERS.c.login, PLAYERS.c.blocked).where(
    PLAYERS.c.id == bindparam("player")
)
_LOCKS: Final = {
    Strength.STAYS: sql(_PLAYER.with_for_update(key_share=True, read=True)),
    Strength.UNCHANGED: sql(_PLAYER.with_for_update(read=True)),
    Strength.ALONE: sql(_PLAYER.with_for_update()),
}
