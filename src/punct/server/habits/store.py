"""Reads what the habits of players are told from: their last games, and the times of their moves there."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, and_, bindparam, func, literal_column, or_, select, update

from punct.server.db.database import Database
from punct.server.db.sql import sql
from punct.server.db.tables import GAMES, MOVES, PLAYERS, SEATS, VACATIONS
from punct.server.db.values import from_db_bool, from_db_time, to_db_time
from punct.server.habits.model import Answer, Finished

MAX_GAMES: Final = 50
"""Of the last games, so many are read."""
MAX_ANSWERS, MAX_TIMES = 200, 3000
"""Of the last moves in these, so many."""


class HabitsRows(NamedTuple):
    """What a player's habits are told from."""

    answers: list[Answer]
    vacations: list[tuple[datetime, datetime]]
    correspondence: Finished
    played_at: list[datetime]
    """Times of moves in games that anybody may watch."""


class HabitsStore:
    """Reads blocks, and belongs in a thread; a change returns a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def hides_hours(self, player_id: str) -> bool | None:
        """Return whether an account holder hides when they play; None for guests, and if there is no such player."""
        rows = self._database.fetch_all(_SELECT_HIDES, {"player": player_id})
        return from_db_bool(rows[0][0]) if rows else None

    def set_hides_hours(self, player_id: str, hides: bool) -> Future[None]:
        """Store whether a player hides when they play."""
        values = {"player": player_id, "hides_hours": hides}

        def store(connection: Any) -> None:
            connection.execute(_SET_HIDES, values)

        return self._database.change(store)

    def read(self, player_id: str, games_since: datetime, times_since: datetime) -> HabitsRows:
        """Return what a player's habits since some times are told from, in one snapshot."""
        games = {"player": player_id, "since": to_db_time(games_since)}
        times = {"player": player_id, "since": to_db_time(times_since)}
        with self._database.read_transaction() as connection:
            answers = connection.execute(_SELECT_ANSWERS, games).fetchall()
            vacations = connection.execute(_SELECT_VACATIONS, games).fetchall()
            finished, timeouts = connection.execute(_COUNT_FINISHED, games).fetchone()
            played = connection.execute(_SELECT_TIMES, times).fetchall()
        return HabitsRows(
            [Answer(from_db_time(at), seconds, time is not None) for at, seconds, time in answers],
            [(from_db_time(begins), from_db_time(ends)) for begins, ends in vacations],
            Finished(finished, timeouts),
            [from_db_time(at) for (at,) in played],
        )


_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_OWN, _OTHER = SEATS.alias("own"), SEATS.alias("other")
_SINCE: Final = GAMES.c.updated >= bindparam("since")
_IS_CORRESPONDENCE: Final = or_(GAMES.c.time.is_(None), GAMES.c.time.like("%d"))
_IS_WITH_SOMEBODY: Final = (
    select(_OTHER.c.game_id)
    .where(
        _OTHER.c.game_id == GAMES.c.id,
        _OTHER.c.colour != _OWN.c.colour,
        _OTHER.c.kind == "person",
        _OTHER.c.player_id != _PLAYER_ID,
    )
    .correlate(GAMES, _OWN)
    .exists()
)


def _last_games(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Return a player's last games under some conditions."""
    white_began = GAMES.c.start.like(GAMES.c.rules + " w%")
    return (
        select(
            GAMES.c.id,
            GAMES.c.time,
            GAMES.c.ending,
            (GAMES.c.winner == _OWN.c.colour).label("is_won"),
            (white_began == (_OWN.c.colour == "w")).label("has_begun"),
        )
        .select_from(_OWN)
        .join(GAMES, GAMES.c.id == _OWN.c.game_id)
        .where(_OWN.c.player_id == _PLAYER_ID, _SINCE, *conditions)
        .order_by(GAMES.c.updated.desc(), GAMES.c.id)
        .limit(literal_column(str(MAX_GAMES)))
    )


_ANSWERED: Final = _last_games(_IS_CORRESPONDENCE, _IS_WITH_SOMEBODY).subquery("answered")
_FINISHED: Final = _last_games(_IS_CORRESPONDENCE, _IS_WITH_SOMEBODY, GAMES.c.ending.is_not(None)).subquery("finished")
_PUBLIC: Final = _last_games(or_(GAMES.c.listed, GAMES.c.rated)).subquery("public_games")


def _is_own_move(games: Any) -> ColumnElement[bool]:
    """Return the condition that a move is one of the player's."""
    condition: ColumnElement[bool] = (MOVES.c.ply % 2 == 0) == games.c.has_begun
    return condition


_SELECT_ANSWERS: Final = sql(
    select(MOVES.c.played, MOVES.c.seconds, _ANSWERED.c.time)
    .join(_ANSWERED, _ANSWERED.c.id == MOVES.c.game_id)
    .where(MOVES.c.seconds.is_not(None), MOVES.c.played.is_not(None), _is_own_move(_ANSWERED))
    .order_by(MOVES.c.played.desc())
    .limit(literal_column(str(MAX_ANSWERS)))
)
_COUNT_FINISHED: Final = sql(
    select(
        func.count(),
        func.count().filter(and_(_FINISHED.c.ending == "time", _FINISHED.c.is_won.is_(False))),
    ).select_from(_FINISHED)
)
_SELECT_TIMES: Final = sql(
    select(MOVES.c.played)
    .join(_PUBLIC, _PUBLIC.c.id == MOVES.c.game_id)
    .where(
        MOVES.c.played >= bindparam("since"),
        _is_own_move(_PUBLIC),
        # In a correspondence game the server may have played it for them.
        or_(MOVES.c.seconds.is_not(None), and_(_PUBLIC.c.time.is_not(None), _PUBLIC.c.time.not_like("%d"))),
    )
    .order_by(MOVES.c.played.desc())
    .limit(literal_column(str(MAX_TIMES)))
)
_SELECT_VACATIONS: Final = sql(
    select(VACATIONS.c.begins, VACATIONS.c.ends).where(
        VACATIONS.c.player_id == _PLAYER_ID, VACATIONS.c.ends >= bindparam("since")
    )
)
_SELECT_HIDES: Final = sql(
    select(PLAYERS.c.hides_hours).where(PLAYERS.c.id == _PLAYER_ID, PLAYERS.c.login.is_not(None))
)
_SET_HIDES: Final = sql(update(PLAYERS).where(PLAYERS.c.id == _PLAYER_ID).values(hides_hours=bindparam("hides_hours")))
