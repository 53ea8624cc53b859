"""The table of openings: which moves were played in a position, how often, and how those games ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import bindparam, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from punct.server.db.database import Connection, Database
from punct.server.db.sql import Statement, sql
from punct.server.db.tables import EXPLORED, EXPLORED_ARCHIVE, EXPLORED_GAMES


class Source(IntEnum):
    """Where stored openings come from."""

    SERVER = 0
    ARCHIVES = 1


class StoredMoveCount(NamedTuple):
    """A move played in a position, in the games of one source."""

    source: int
    move: int
    """Packed, as it is played in the canonical image of the position, whose key the store uses."""
    white: int
    """How many of the games White won; likewise the next two."""
    draws: int
    black: int
    rated: int
    """How many of the games have a rating."""
    rating: int
    """The sum of these ratings."""
    last: int
    """The last day on which it was played, in days since 1970; 0 if unknown."""


class OpeningStore:
    """All move counts, and the games of archives. Reads block, and are for threads; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def move_counts(self, position: int) -> list[StoredMoveCount]:
        """Return the moves played in a position, by its key; a row for each source and move."""
        return [StoredMoveCount(*row) for row in self._database.fetch_all(_SELECT_MOVES, {"position": position})]

    def archived_games(self) -> NDArray[np.int64]:
        """Return the hashes of all archived games, sorted."""
        with self._database.read_transaction() as connection:
            return np.fromiter((game for (game,) in connection.execute(_SELECT_ARCHIVE)), np.int64)

    def add_archived(self, games: Sequence[int], totals: Mapping[str, Sequence[int]]) -> Future[None]:
        """Add archived games by their hashes, and their totals, in one transaction.

        ``totals`` has each of the table's columns but the source, sorted by position and move. Raises DuplicateKeyError
        if one of the games is stored already.
        """
        archive_rows = [{"game": game} for game in games]
        names, source = (*totals, "source"), int(Source.ARCHIVES)
        rows = [dict(zip(names, (*row, source), strict=True)) for row in zip(*totals.values(), strict=True)]

        def store(connection: Connection) -> None:
            connection.executemany(_INSERT_ARCHIVE, archive_rows)
            connection.executemany(ADD_TO_MOVE, rows)

        return self._database.change(store)

    def delete_archives(self) -> Future[int]:
        """Delete all archived games; return how many there were."""

        def store(connection: Connection) -> int:
            connection.execute(_DELETE_SOURCE, {"source": int(Source.ARCHIVES)})
            return connection.execute(_DELETE_ARCHIVE).rowcount

        return self._database.change(store)

    def sizes(self) -> dict[Source, tuple[int, int]]:
        """Return by source how many games are counted, and in how many rows."""
        with self._database.read_transaction() as connection:
            rows = dict(connection.execute(_COUNT_ROWS).fetchall())
            games = {
                Source.SERVER: connection.execute(_COUNT_GAMES).fetchone()[0],
                Source.ARCHIVES: connection.execute(_COUNT_ARCHIVE).fetchone()[0],
            }
        return {source: (count, rows.get(int(source), 0)) for source, count in games.items()}


SUM_COLUMNS: Final = ("white", "draws", "black", "rated", "rating")
"""The columns of a move that add up over games."""


def _add_to_move() -> Statement:
    into_sqlite, into_postgresql = sqlite.insert(EXPLORED), postgresql.insert(EXPLORED)
    key = list(EXPLORED.primary_key.columns)

    def sums(new: Any) -> dict[str, Any]:
        return {name: EXPLORED.c[name] + new[name] for name in SUM_COLUMNS}

    old, new = EXPLORED.c.last, into_sqlite.excluded
    new_in_postgresql = into_postgresql.excluded
    return sql(
        into_sqlite.on_conflict_do_update(index_elements=key, set_={**sums(new), "last": func.max(old, new.last)}),
        into_postgresql.on_conflict_do_update(
            index_elements=key, set_={**sums(new_in_postgresql), "last": func.greatest(old, new_in_postgresql.last)}
        ),
    )


ADD_TO_MOVE: Final = _add_to_move()
"""Adds games to a move in a position, whether or not there is a row for it."""
_SELECT_MOVES: Final = sql(
    select(*(EXPLORED.c[name] for name in StoredMoveCount._fields)).where(EXPLORED.c.position == bindparam("position"))
)
_SELECT_ARCHIVE: Final = sql(select(EXPLORED_ARCHIVE.c.game).order_by(EXPLORED_ARCHIVE.c.game))
_INSERT_ARCHIVE: Final = sql(insert(EXPLORED_ARCHIVE))
_DELETE_SOURCE: Final = sql(delete(EXPLORED).where(EXPLORED.c.source == bindparam("source")))
_DELETE_ARCHIVE: Final = sql(delete(EXPLORED_ARCHIVE))
_COUNT_ROWS: Final = sql(select(EXPLORED.c.source, func.count()).group_by(EXPLORED.c.source))
_COUNT_GAMES: Final = sql(select(func.count()).select_from(EXPLORED_GAMES))
_COUNT_ARCHIVE: Final = sql(select(func.count()).select_from(EXPLORED_ARCHIVE))
