"""The table of vacations, and the pauses of games that follow from it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Integer,
    and_,
    bindparam,
    delete,
    exists,
    insert,
    literal_column,
    or_,
    select,
    union,
    update,
)

from punct.piece import Colour
from punct.server.db.change_monitor import announce_change
from punct.server.db.database import Connection, Database
from punct.server.db.errors import RetryError, UnreadableGameError
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.locks import LockStrength, lock_player, lock_players
from punct.server.db.outbox import Notice, add_notices
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import GAMES, SEATS, VACATIONS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.games import statements
from punct.server.games.model import StoredGame
from punct.server.games.notices import has_resumed, notices_of_resumption, player_of
from punct.server.games.pauses import Vacation, current_vacations, settle_pauses
from punct.server.games.rows import read_game, revision_values
from punct.server.games.time_control import InvalidTimeError
from punct.server.vacations.errors import UnknownVacationError, VacationRefusedError
from punct.server.vacations.model import refusal

_log = logging.getLogger(__name__)
MAX_UNSETTLED: Final = 500
"""Games that are found at a time whose pauses are not what they should be."""
NOTICE_DELAY: Final = timedelta(seconds=30)
"""Opponents are told once of a vacation that pauses several games of theirs: meanwhile all of them have been paused."""


class VacationStore:
    """All vacations. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def list_of(self, player_id: str) -> list[Vacation]:
        """Return the vacations of a player, past ones too, by their begin."""
        return [_vacation(row) for row in self._database.fetch_all(_SELECT_OF_PLAYER, {"player": player_id})]

    def add(self, player_id: str, vacation: Vacation, now: datetime, key: IdempotencyKey | None) -> Future[None]:
        """Store a vacation; raises VacationRefusedError if the player cannot take it."""
        row = {"player_id": player_id, "begins": to_db_time(vacation.begins), "ends": to_db_time(vacation.ends)}

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            lock_player(connection, player_id)  # else two processes might count at once
            others = map(_vacation, connection.execute(_SELECT_OF_PLAYER, {"player": player_id}).fetchall())
            reason = refusal(vacation, others, now)
            if reason is not None:
                raise VacationRefusedError(reason)
            record_result(connection, key, "vacation", player_id, now)
            connection.execute(_INSERT, row)

        return self._database.change(store)

    def end(self, player_id: str, begins: datetime | None, now: datetime, key: IdempotencyKey | None) -> Future[None]:
        """End the current vacation of a player, or delete a planned one; without a begin, end the current one.

        Raises UnknownVacationError.
        """

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            lock_player(connection, player_id)
            for vacation in map(_vacation, connection.execute(_SELECT_OF_PLAYER, {"player": player_id}).fetchall()):
                has_begun = vacation.begins <= now
                if vacation.ends <= now or (not has_begun if begins is None else vacation.begins != begins):
                    continue
                record_result(connection, key, "vacation", player_id, now)
                values = {"player": player_id, "begins": to_db_time(vacation.begins)}
                if has_begun:
                    connection.execute(_END, {**values, "ends": to_db_time(now)})
                else:
                    connection.execute(_DELETE, values)
                return
            raise UnknownVacationError

        return self._database.change(store)

    def delete_before(self, time: datetime) -> Future[None]:
        """Delete vacations that ended before a time."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE_OLD, {"before": to_db_time(time)})

        return self._database.change(store)

    # ------------------------------------------------------------------ the pauses of games

    def unsettled(self, since: datetime, now: datetime, after: str = "") -> list[str]:
        """Return games whose pauses are not what they should be, if a vacation has begun or ended since some time.

        Or if a pause has come to its end, whenever that was. They are ordered by their ids, and begin after ``after``.
        """
        values = {"since": to_db_time(since), "now": to_db_time(now), "after": after, "limit": MAX_UNSETTLED}
        return [row[0] for row in self._database.fetch_all(_SELECT_UNSETTLED, values)]

    def settle(self, game_ids: Sequence[str], now: datetime) -> Future[list[str]]:
        """Give games the pauses they should have, each its next revision; return those that changed."""

        def store(connection: Connection) -> list[str]:
            player_ids = {player for game_id in game_ids for player in _players_of(connection, game_id)}
            lock_players(connection, player_ids, LockStrength.KEY_SHARE, missing_ok=True)
            vacations = current_vacations(connection, player_ids, now)
            games = [game for game_id in sorted(game_ids) if (game := _lock_game(connection, game_id)) is not None]
            if any(not player_ids.issuperset(_players_of(connection, game.id)) for game in games):
                raise RetryError  # a seat has passed to another player meanwhile
            changed = []
            for game in games:
                after = _settled(game, vacations, now)
                if after is not None:
                    parameters = {"game": game.id, "before": game.revision, **revision_values(after)}
                    connection.execute(statements.UPDATE_GAME, parameters)
                    add_notices(connection, _notices(game, after, vacations, now), now)
                    changed.append(game.id)
            if changed:  # subscribers of these games may be connected to any process
                announce_change(connection, now)
            return changed

        return self._database.change(store)


def _settled(game: StoredGame, vacations: dict[str, Vacation], now: datetime) -> StoredGame | None:
    try:
        return settle_pauses(game, vacations, now)
    except InvalidTimeError as error:  # one damaged game must not keep all others from being settled
        _log.error("the pauses of game %s cannot be settled: %s", game.id, error)
        return None


def _notices(before: StoredGame, after: StoredGame, vacations: dict[str, Vacation], now: datetime) -> Iterator[Notice]:
    """Return what the players are to be told of a game whose pauses have changed."""
    assert before.clock is not None and after.clock is not None
    resumed = has_resumed(before, after)
    away = [{pause.by for pause in clock.pauses} for clock in (before.clock, after.clock)]
    for colour in Colour:
        player_id, other_id = player_of(after, colour), player_of(after, colour.other)
        if player_id is None or other_id is None or (colour in away[0]) == (colour in away[1]):
            continue
        if resumed and after.turn is colour.other:
            continue  # the opponent is told that it is their turn
        data: dict[str, Any] = {"name": after.seats[colour].display_name, "game": after.id, "until": None}
        if colour in away[1]:
            data["until"] = vacations[player_id].ends.isoformat()
        yield Notice(other_id, "vacation", player_id, now + NOTICE_DELAY, data)
    if resumed:
        yield from notices_of_resumption(after, now)


def _players_of(connection: Connection, game_id: str) -> list[str]:
    return [row[0] for row in connection.execute(_SELECT_PLAYERS, {"game": game_id}).fetchall()]


def _lock_game(connection: Connection, game_id: str) -> StoredGame | None:
    """Lock a game, and return it; None if it is gone, or damaged."""
    if connection.execute(_LOCK_GAME, {"game": game_id}).fetchone() is None:
        return None
    try:
        return read_game(connection.execute(statements.SELECT_GAME, {"game": game_id}).fetchone())
    except UnreadableGameError as error:
        _log.error("its pauses cannot be settled: %s", error)
        return None


def _vacation(row: Sequence[Any]) -> Vacation:
    return Vacation(from_db_time(row[0]), from_db_time(row[1]))


_IS_OF_PLAYER: Final = VACATIONS.c.player_id == bindparam("player")
_SELECT_OF_PLAYER: Final = sql(
    select(VACATIONS.c.begins, VACATIONS.c.ends).where(_IS_OF_PLAYER).order_by(VACATIONS.c.begins)
)
_INSERT: Final = sql(insert(VACATIONS))
_IS_VACATION: Final = and_(_IS_OF_PLAYER, VACATIONS.c.begins == bindparam("begins"))
_END: Final = sql(update(VACATIONS).where(_IS_VACATION).values(bindparams("ends")))
_DELETE: Final = sql(delete(VACATIONS).where(_IS_VACATION))
_DELETE_OLD: Final = sql(delete(VACATIONS).where(VACATIONS.c.ends < bindparam("before")))
_SELECT_PLAYERS: Final = sql(
    select(SEATS.c.player_id).where(SEATS.c.game_id == bindparam("game"), SEATS.c.player_id.is_not(None))
)
_LOCK_GAME: Final = sql(select(GAMES.c.id).where(GAMES.c.id == bindparam("game")).with_for_update())
_NOW: Final[BindParameter[str]] = bindparam("now")
_SINCE: Final[BindParameter[str]] = bindparam("since")
_OTHERS: Final = VACATIONS.alias("others")
_IS_RUNNING_DAYS_GAME: Final = and_(GAMES.c.ending.is_(None), GAMES.c.time.like(literal_column("'%d'")))
_IS_PAUSED_FOR_SEAT: Final = GAMES.c.pauses.like(
    literal_column("'%'").concat(SEATS.c.colour).concat(literal_column("'%'"))
)
_OF_VACATIONS: Final = (
    select(GAMES.c.id)
    .select_from(VACATIONS)
    .join(SEATS, SEATS.c.player_id == VACATIONS.c.player_id)
    .join(GAMES, GAMES.c.id == SEATS.c.game_id)
)
_UNSETTLED: Final = union(
    _OF_VACATIONS.where(
        VACATIONS.c.ends > _NOW,
        VACATIONS.c.begins <= _NOW,
        VACATIONS.c.begins > _SINCE,
        _IS_RUNNING_DAYS_GAME,
        or_(GAMES.c.pauses.is_(None), ~_IS_PAUSED_FOR_SEAT),
    ),
    _OF_VACATIONS.where(
        VACATIONS.c.ends > _SINCE,
        VACATIONS.c.ends <= _NOW,
        _IS_RUNNING_DAYS_GAME,
        _IS_PAUSED_FOR_SEAT,
        ~exists().where(_OTHERS.c.player_id == VACATIONS.c.player_id, _OTHERS.c.begins <= _NOW, _OTHERS.c.ends > _NOW),
    ),
    select(GAMES.c.id).where(
        GAMES.c.deadline <= _NOW, GAMES.c.ticking.is_(None), GAMES.c.pauses.is_not(None), GAMES.c.ending.is_(None)
    ),
).subquery("unsettled")
_SELECT_UNSETTLED: Final = sql(
    select(_UNSETTLED.c.id)
    .where(_UNSETTLED.c.id > bindparam("after"))
    .order_by(_UNSETTLED.c.id)
    .offset(literal_column("0", Integer))  # SQLite needs one, and SQLAlchemy would add a parameter for it
    .limit(bindparam("limit"))
)
