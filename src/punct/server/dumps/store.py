"""Reads the games of public files, in pages."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import and_, bindparam, func, literal_column, or_, select

from punct.server.db.database import Connection
from punct.server.db.errors import UnreadableGameError
from punct.server.db.sql import Statement, sql, upsert
from punct.server.db.tables import DUMP_VERSIONS, GAMES, PLAYERS, RATED
from punct.server.db.values import from_db_time, new_id, to_db_time
from punct.server.dumps.model import FIRST_VERSION
from punct.server.games.model import StoredGame, StoredMove
from punct.server.games.store import GameStore

_log = logging.getLogger(__name__)


class Place(NamedTuple):
    """A place in the order of a file: after the game that ended then."""

    ended: datetime
    game_id: str


class DumpedGame(NamedTuple):
    """A game of a file."""

    game: StoredGame
    moves: list[StoredMove]
    ratings: Mapping[str, int]
    """Of its players when it began to count, by id; of those who still have an account."""


class DumpStore:
    """Reads games that anybody may watch, are over and have counted for the ratings of two players.

    Every method blocks, and belongs in a thread.
    """

    def __init__(self, games: GameStore) -> None:
        """Read from a store of games."""
        self._games, self._database = games, games.database

    def first_end(self) -> datetime | None:
        """Return when the first game ended that may be in a file."""
        ((first,),) = self._database.fetch_all(_SELECT_FIRST)
        return None if first is None else from_db_time(first)

    def version(self, month: str) -> str:
        """Return the version of a month's games, which changes when one of their players is deleted."""
        rows = self._database.fetch_all(_SELECT_VERSION, {"month": month})
        return rows[0][0] if rows else FIRST_VERSION

    def page(
        self, begin: datetime, end: datetime, after: Place | None, limit: int
    ) -> tuple[list[DumpedGame], Place | None]:
        """Return some games that ended between two times, and the place after them; None after the last."""
        values: dict[str, Any] = {"begin": to_db_time(begin), "end": to_db_time(end), "limit": limit}
        if after is not None:
            values |= {"after": to_db_time(after.ended), "after_id": after.game_id}
        rows = self._database.fetch_all(_SELECT_FIRST_PAGE if after is None else _SELECT_PAGE, values)
        games = [game for _, game_id in rows if (game := self._load(game_id)) is not None]
        return games, Place(from_db_time(rows[-1][0]), rows[-1][1]) if len(rows) == limit else None

    def existing(self, player_ids: Collection[str]) -> set[str]:
        """Return which of some players exist."""
        with self._database.read_transaction() as connection:
            return {
                player_id
                for player_id in player_ids
                if connection.execute(_SELECT_PLAYER, {"player": player_id}).fetchone() is not None
            }

    def _load(self, game_id: str) -> DumpedGame | None:
        try:
            loaded = self._games.load(game_id)
        except UnreadableGameError as error:
            _log.error("left out of a public file: %s", error)
            return None
        if loaded is None or loaded[0].outcome is None:
            return None  # deleted or continued just now
        ratings = self._database.fetch_all(_SELECT_RATINGS, {"game": game_id})
        return DumpedGame(*loaded, {player_id: round(before) for player_id, before in ratings})


def mark_deletion(connection: Connection, player_id: str) -> None:
    """Give the months of a player's rated games another version, in the transaction that deletes the player."""
    for (month,) in connection.execute(_SELECT_MONTHS, {"player": player_id}).fetchall():
        connection.execute(_UPSERT_VERSION, {"month": month, "version": new_id()})


_IS_PUBLIC: Final = and_(
    GAMES.c.listed,
    GAMES.c.rated,
    GAMES.c.ending.is_not(None),
    RATED.c.pool.not_like("%-level"),
)
_AFTER: Final = or_(
    RATED.c.at > bindparam("after"),
    and_(RATED.c.at == bindparam("after"), RATED.c.game_id > bindparam("after_id")),
)


def _select_page(*conditions: Any) -> Statement:
    return sql(
        select(RATED.c.at, RATED.c.game_id)
        .distinct()
        .join(GAMES, GAMES.c.id == RATED.c.game_id)
        .where(RATED.c.at >= bindparam("begin"), RATED.c.at < bindparam("end"), _IS_PUBLIC, *conditions)
        .order_by(RATED.c.at, RATED.c.game_id)
        .limit(bindparam("limit"))
    )


_SELECT_FIRST: Final = sql(select(func.min(RATED.c.at)))
_SELECT_FIRST_PAGE, _SELECT_PAGE = _select_page(), _select_page(_AFTER, RATED.c.at >= bindparam("after"))
_SELECT_RATINGS: Final = sql(select(RATED.c.player_id, RATED.c.before).where(RATED.c.game_id == bindparam("game")))
_SELECT_PLAYER: Final = sql(select(PLAYERS.c.id).where(PLAYERS.c.id == bindparam("player")))
_SELECT_VERSION: Final = sql(select(DUMP_VERSIONS.c.version).where(DUMP_VERSIONS.c.month == bindparam("month")))
_UPSERT_VERSION: Final = upsert(DUMP_VERSIONS, "version")


def _months_of_player(month: Any) -> Any:
    return select(month).distinct().where(RATED.c.player_id == bindparam("player")).order_by(month)


_SELECT_MONTHS: Final = sql(
    _months_of_player(func.substr(RATED.c.at, literal_column("1"), literal_column("7"))),
    _months_of_player(func.to_char(RATED.c.at, literal_column("'YYYY-MM'"))),
)
"""In one order, so that two deletions at once wait for each other and no more."""
