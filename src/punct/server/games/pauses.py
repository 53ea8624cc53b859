"""Pauses of days games: the vacation of a side, and a pause that both agreed to. Meanwhile both clocks stand."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, select

from punct.piece import Colour
from punct.server.db.database import Connection
from punct.server.db.sql import sql
from punct.server.db.tables import VACATIONS
from punct.server.db.values import from_db_time, to_db_time
from punct.server.games.errors import NotPossibleError
from punct.server.games.model import Pause, StoredGame
from punct.server.games.time_control import (
    TimeControl,
    clock_with_pauses,
    is_first_move_overdue,
    is_out_of_time,
)

AGREED_PAUSE: Final = timedelta(days=14)
"""How long a pause lasts that both agreed to, unless one of them goes on earlier. They may agree on another."""


class Vacation(NamedTuple):
    """When a player is on vacation."""

    begins: datetime
    ends: datetime


def check_may_pause(game: StoredGame) -> None:
    """Raise NotPossibleError unless two players may agree on a pause of a game."""
    if game.time is None or TimeControl.parse(game.time).speed != "days":
        raise NotPossibleError("Only a game by days can pause.")
    if agreed_pause(game) is not None:
        raise NotPossibleError("The game pauses already.")


def agreed_pause(game: StoredGame) -> Pause | None:
    """Return the pause that both agreed to; None if there is none."""
    pauses = () if game.clock is None else game.clock.pauses
    return next((pause for pause in pauses if pause.by is None), None)


def agree_pause(game: StoredGame, now: datetime) -> StoredGame:
    """Return the game's next revision, in a pause that both agreed to."""
    assert game.clock is not None
    pauses = (Pause(None, _whole_second(now + AGREED_PAUSE)), *game.clock.pauses)
    return replace(_with_pauses(game, pauses, now), updated=now, offer=None)


def end_agreed_pause(game: StoredGame, now: datetime) -> StoredGame:
    """Return the game's next revision without the pause that both agreed to; vacations go on."""
    if game.clock is None or agreed_pause(game) is None:
        raise NotPossibleError("The game does not pause, or only for a vacation.")
    pauses = tuple(pause for pause in game.clock.pauses if pause.by is not None)
    return replace(_with_pauses(game, pauses, now), updated=now)


def settle_pauses(game: StoredGame, vacations: Mapping[str, Vacation], now: datetime) -> StoredGame | None:
    """Return the next revision of a game whose pauses are not what they should be at a time; None if they are.

    ``vacations`` has every vacation of its players at that time. The clock stands since a vacation began, however late
    this is called; it runs again from now. A game whose time was up before is left to the timekeeper.
    """
    clock = game.clock
    if clock is None or game.time is None or game.outcome is not None or TimeControl.parse(game.time).speed != "days":
        return None
    current = vacations_by_colour(game, vacations)
    agreed = (pause for pause in clock.pauses if pause.by is None and pause.until > now)
    away = (Pause(colour, _whole_second(vacation.ends)) for colour, vacation in current.items())
    pauses = (*agreed, *away)
    if pauses == clock.pauses:
        return None
    at = now
    if not clock.pauses:
        at = min(vacation.begins for vacation in current.values())
        if is_out_of_time(game, at, timedelta()) or is_first_move_overdue(game, at):
            return None
    return _with_pauses(game, pauses, at)


def vacations_by_colour(game: StoredGame, vacations: Mapping[str, Vacation]) -> dict[Colour, Vacation]:
    """Return the vacations of a game's players by their colours."""
    players = {colour: seat.player.id for colour, seat in game.seats.items() if seat.player is not None}
    return {colour: vacations[players[colour]] for colour in Colour if players.get(colour) in vacations}


def current_vacations(connection: Connection, player_ids: Collection[str], now: datetime) -> dict[str, Vacation]:
    """Return which of some players are on vacation. Lock them first: else a vacation may begin or end meanwhile."""
    vacations = {}
    for player_id in sorted(player_ids):
        row: Any = connection.execute(_SELECT_CURRENT, {"player": player_id, "now": to_db_time(now)}).fetchone()
        if row is not None:
            vacations[player_id] = Vacation(from_db_time(row[0]), from_db_time(row[1]))
    return vacations


def _with_pauses(game: StoredGame, pauses: tuple[Pause, ...], now: datetime) -> StoredGame:
    return replace(game, revision=game.revision + 1, clock=clock_with_pauses(game, pauses, now))


def _whole_second(time: datetime) -> datetime:
    """Return a time as it is stored with a pause."""
    return datetime.fromtimestamp(math.ceil(time.timestamp()), UTC)


_SELECT_CURRENT: Final = sql(
    select(VACATIONS.c.begins, VACATIONS.c.ends).where(
        VACATIONS.c.player_id == bindparam("player"),
        VACATIONS.c.begins <= bindparam("now"),
        VACATIONS.c.ends > bindparam("now"),
    )
)
