"""The table of relations. Blocks are checked in the transactions that bring two players together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Final

from sqlalchemy import Integer, and_, bindparam, delete, func, literal_column, or_, select

from punct.server.db.database import Connection, Database
from punct.server.db.errors import QuotaExceededError
from punct.server.db.locks import lock_players
from punct.server.db.sql import sql, upsert
from punct.server.db.tables import GAMES, PLAYERS, RELATIONS, SEATS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.relations.errors import BlockedPairError
from punct.server.relations.model import RelatedPlayer, RelationKind

BlockStep = Callable[[Connection, str, str, datetime], bool]
"""Ends what a player has arranged with another whom they block, in the same transaction; both are locked. Returns
whether there was something."""


class RelationStore:
    """All relations. Reads block; writes return a future at once."""

    def __init__(self, database: Database, on_block: BlockStep | None = None) -> None:
        """Use an open database; ``on_block`` ends what the two have arranged."""
        self._database, self._on_block = database, on_block

    def list_of(self, player_id: str) -> list[RelatedPlayer]:
        """Return whom a player follows or has blocked, the newest first."""
        rows = self._database.fetch_all(_SELECT_OF_PLAYER, {"player": player_id})
        return [
            RelatedPlayer(other, name, handle, kind, from_db_time(created), relation, playing)
            for other, name, handle, kind, created, relation, playing in rows
        ]

    def between(self, player_id: str, other_id: str) -> RelationKind | None:
        """Return a player's own relation to another; None without one."""
        rows = self._database.fetch_all(_SELECT_KIND, {"player": player_id, "other": other_id})
        return rows[0][0] if rows else None

    def store(self, player_id: str, other_id: str, kind: RelationKind, now: datetime, maximum: int) -> Future[bool]:
        """Store a relation, in place of an earlier one to the same player; return whether a block has ended something.

        Raises MissingPlayerError if one of them is deleted, QuotaExceededError if there would be more than ``maximum``.
        """
        row = {"player_id": player_id, "other_id": other_id, "kind": kind, "created": to_db_time(now)}

        def store(connection: Connection) -> bool:
            # Exclusively: a challenge that is being accepted is stored before the block, or refused because of it.
            lock_players(connection, (player_id, other_id))
            count = connection.execute(_COUNT_OTHERS, {"player": player_id, "other": other_id}).fetchone()[0]
            if count >= maximum:
                raise QuotaExceededError(player_id)
            connection.execute(_UPSERT, row)
            if kind != "block" or self._on_block is None:
                return False
            return self._on_block(connection, player_id, other_id, now)

        return self._database.change(store)

    def delete(self, player_id: str, other_id: str) -> Future[None]:
        """Delete a relation, if there is one."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE, {"player": player_id, "other": other_id})

        return self._database.change(store)


def find_blockers(connection: Connection, one: str, other: str) -> set[str]:
    """Return which of two players have blocked the other, in a transaction that has locked both."""
    return {row[0] for row in connection.execute(_SELECT_BLOCKERS, {"one": one, "other": other}).fetchall()}


def raise_if_blocked(connection: Connection, player_id: str, other_id: str) -> None:
    """Raise BlockedPairError if one of two players has blocked the other, in a transaction that has locked both."""
    blockers = find_blockers(connection, player_id, other_id)
    if blockers:
        raise BlockedPairError(next(iter(blockers)) if len(blockers) == 1 else other_id)


_OWN: Final = RELATIONS.c.player_id == bindparam("player")
_IS_RELATION: Final = and_(_OWN, RELATIONS.c.other_id == bindparam("other"))
_PLAYING: Final = (
    select(GAMES.c.id)
    .join(SEATS, SEATS.c.game_id == GAMES.c.id)
    .where(SEATS.c.player_id == RELATIONS.c.other_id, GAMES.c.ending.is_(None), GAMES.c.listed)
    .order_by(GAMES.c.updated.desc())
    .offset(literal_column("0", Integer))
    .limit(literal_column("1", Integer))
    .correlate(RELATIONS)
    .scalar_subquery()
)
_SELECT_OF_PLAYER: Final = sql(
    select(
        *(PLAYERS.c[name] for name in ("id", "name", "handle", "kind", "created")),
        RELATIONS.c.kind,
        _PLAYING,
    )
    .join(RELATIONS, RELATIONS.c.other_id == PLAYERS.c.id)
    .where(_OWN)
    .order_by(RELATIONS.c.created.desc(), PLAYERS.c.id)
)
_SELECT_KIND: Final = sql(select(RELATIONS.c.kind).where(_IS_RELATION))
_COUNT_OTHERS: Final = sql(
    select(func.count()).select_from(RELATIONS).where(_OWN, RELATIONS.c.other_id != bindparam("other"))
)
_UPSERT: Final = upsert(RELATIONS, "kind", "created")
_DELETE: Final = sql(delete(RELATIONS).where(_IS_RELATION))
_SELECT_BLOCKERS: Final = sql(
    select(RELATIONS.c.player_id).where(
        RELATIONS.c.kind == literal_column("'block'"),
        or_(
            and_(RELATIONS.c.player_id == bindparam("one"), RELATIONS.c.other_id == bindparam("other")),
            and_(RELATIONS.c.player_id == bindparam("other"), RELATIONS.c.other_id == bindparam("one")),
        ),
    )
)
