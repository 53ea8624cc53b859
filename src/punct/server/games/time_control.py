"""Time controls, clocks, and loss on time. Only the server's time counts.

A clock belongs to one revision of a game. It does not tick: the remaining time follows from when the turn began.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.clock import Now
from punct.server.errors import RequestError
from punct.server.games.model import FIRST_MOVES, StoredClock, StoredGame
from punct.server.games.rights import holds_seat

Speed = Literal["live", "days"]

MAX_COMPENSATION_PER_MOVE: Final = timedelta(milliseconds=500)
"""How much network lag a move is compensated for, at most."""
MAX_COMPENSATION_PER_GAME: Final = timedelta(seconds=5)
"""How much network lag a side is compensated for in a whole game, at most. An honest player far away uses it up within
some thirty moves, and a player who delays replies to probes on purpose gains no more than that."""
MAX_STORE_DELAY: Final = timedelta(milliseconds=250)
"""If storing a move took longer, the opponent's clock is restarted: they could not use that time."""
MAX_MINUTES, MAX_INCREMENT_SECONDS, MAX_DAYS = 180, 180, 14
_PATTERN: Final = re.compile(r"(?P<minutes>[0-9]{1,3})\+(?P<increment>[0-9]{1,3})|(?P<days>[0-9]{1,2})d", re.ASCII)
_MILLISECOND: Final = timedelta(milliseconds=1)


class InvalidTimeError(RequestError, status=422, code="invalid_time"):
    """A text is not a time control."""


class TimeUpError(Exception):
    """The time of the player to move was up before an action, theirs or the opponent's."""


class GameClock(Protocol):
    """Tells when a request arrived, and how long it was on its way."""

    async def arrival(self) -> datetime:
        """Return the time at which the current request arrived."""

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return the round-trip time to a player of a game."""


class HomeClock:
    """The clock of a server at home: requests arrive without lag."""

    def __init__(self, now: Now) -> None:
        self._now = now

    async def arrival(self) -> datetime:
        """Return the time."""
        return self._now()

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return no lag."""
        return timedelta()


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: minutes for a side and an increment for each move; or days for each move.

    >>> str(TimeControl.parse("5+3")), TimeControl.parse("3d").speed
    ('5+3', 'days')
    """

    initial: timedelta
    """The time of a side at the start; with days, for each move."""
    increment: timedelta = timedelta()
    speed: Speed = "live"

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Parse ``5+3`` (five minutes, and three seconds for each move) or ``3d`` (three days for each move)."""
        match = _PATTERN.fullmatch(text)
        if match is None:
            raise InvalidTimeError("A time is written 5+3 (minutes and seconds a turn), 3d (days a turn) or none.")
        if match["days"]:
            days = int(match["days"])
            if not 1 <= days <= MAX_DAYS:
                raise InvalidTimeError(f"A turn may take 1 to {MAX_DAYS} days.")
            return cls(timedelta(days=days), speed="days")
        minutes, increment = int(match["minutes"]), int(match["increment"])
        if not 1 <= minutes <= MAX_MINUTES or increment > MAX_INCREMENT_SECONDS:
            raise InvalidTimeError(
                f"A side may have 1 to {MAX_MINUTES} minutes, and 0 to {MAX_INCREMENT_SECONDS} seconds for each turn."
            )
        return cls(timedelta(minutes=minutes), timedelta(seconds=increment))

    def __str__(self) -> str:
        if self.speed == "days":
            return f"{self.initial.days}d"
        return f"{self.initial // timedelta(minutes=1)}+{self.increment // timedelta(seconds=1)}"

    def new_clock(self, now: datetime) -> StoredClock:
        """Return the clock of a new game."""
        initial = _milliseconds(self.initial)
        if self.speed == "days":
            return StoredClock(initial, initial, now, now + self.initial)
        return StoredClock(initial, initial)


def clock_after_move(game: StoredGame, now: datetime, lag: timedelta = timedelta()) -> StoredClock | None:
    """Return the clock after a move that arrived with some network lag; None without a time control."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control, mover = TimeControl.parse(game.time), game.turn
    if control.speed == "days":
        return control.new_clock(now)
    left, lags = list(_left(clock)), [clock.lag_w, clock.lag_b]
    if clock.running_since is not None:
        compensation = _compensation(clock, mover, now, lag)
        lags[mover] += _milliseconds(compensation)
        spent = _milliseconds(_spent(clock, mover, now, compensation))
        left[mover] = max(0, left[mover] - spent + _milliseconds(control.increment))
    clock = clock._replace(lag_w=lags[Colour.WHITE], lag_b=lags[Colour.BLACK])
    return _with_times(clock, left, mover.other, now if game.ply + 1 >= FIRST_MOVES else None)


def restart_clock(clock: StoredClock, now: datetime) -> StoredClock:
    """Return a running clock as if the turn began now: until now nobody could know that it had begun."""
    if clock.running_since is None or clock.deadline is None or now <= clock.running_since:
        return clock
    return clock._replace(running_since=now, deadline=clock.deadline + (now - clock.running_since))


def clock_after_undo(game: StoredGame, ply: int, turn: Colour, now: datetime) -> StoredClock | None:
    """Return the clock after moves were taken back to a ply. Spent time is not given back."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control = TimeControl.parse(game.time)
    if control.speed == "days":
        return control.new_clock(now)
    return _with_times(clock, list(_left(stop_clock(game, now) or clock)), turn, now if ply >= FIRST_MOVES else None)


def stop_clock(game: StoredGame, now: datetime) -> StoredClock | None:
    """Return the clock of a game that ends now."""
    clock = game.clock
    if clock is None or clock.running_since is None:
        return clock
    left = list(_left(clock))
    left[game.turn] = max(0, left[game.turn] - _milliseconds(_spent(clock, game.turn, now, timedelta())))
    return _with_times(clock, left, game.turn, None)


def is_out_of_time(game: StoredGame, now: datetime, lag: timedelta = MAX_COMPENSATION_PER_MOVE) -> bool:
    """Return whether the side to move has lost on time, even if its move is on the way with some network lag.

    Nobody loses before both sides have moved, because a player may not know of the game yet: see
    ``is_first_move_overdue``.
    """
    return game.ply >= FIRST_MOVES and _is_up(game, now, lag)


def check_time(game: StoredGame, now: datetime, lag: timedelta) -> None:
    """Raise TimeUpError if the flag had fallen before a move that arrived with some network lag."""
    if is_out_of_time(game, now, lag):
        raise TimeUpError


def check_time_of(game: StoredGame, actor: Actor, now: datetime, clock: GameClock) -> None:
    """Raise TimeUpError if the flag had fallen before an actor's action.

    An opponent's move may still be on its way, the actor's own is not.
    """
    is_own_turn = holds_seat(game, game.turn, actor)
    check_time(game, now, clock.lag(game.id, game.turn) if is_own_turn else MAX_COMPENSATION_PER_MOVE)


def is_first_move_overdue(game: StoredGame, now: datetime) -> bool:
    """Return whether the time for a first move is up, in a game whose clock does not wait for the first moves."""
    return game.ply < FIRST_MOVES and _is_up(game, now, timedelta())


def _is_up(game: StoredGame, now: datetime, lag: timedelta) -> bool:
    clock = game.clock
    if game.outcome is not None or clock is None or clock.running_since is None:
        return False
    return _spent(clock, game.turn, now, lag) >= _left(clock)[game.turn] * _MILLISECOND


def clock_after_outage(clock: StoredClock, since: datetime, now: datetime) -> StoredClock:
    """Return a clock after an outage since some time, which counts for neither side."""
    if clock.running_since is None or clock.deadline is None:
        return clock
    # A turn that began during the outage gets back only the time since it began.
    outage = now - max(since, min(clock.running_since, now))
    return clock._replace(running_since=clock.running_since + outage, deadline=clock.deadline + outage)


def _compensation(clock: StoredClock, mover: Colour, now: datetime, lag: timedelta) -> timedelta:
    """Return how much lag a move is compensated for, within the limits for a move and for the whole game."""
    assert clock.running_since is not None
    rest = MAX_COMPENSATION_PER_GAME - (clock.lag_w, clock.lag_b)[mover] * _MILLISECOND
    return max(timedelta(), min(lag, MAX_COMPENSATION_PER_MOVE, rest, now - clock.running_since))


def _spent(clock: StoredClock, mover: Colour, now: datetime, lag: timedelta) -> timedelta:
    assert clock.running_since is not None
    return max(timedelta(), now - clock.running_since - _compensation(clock, mover, now, lag))


def _with_times(clock: StoredClock, left: list[int], turn: Colour, since: datetime | None) -> StoredClock:
    """Return a clock with new remaining times, which runs for a side since some time; None: it stands."""
    white, black = left
    deadline = None if since is None else since + left[turn] * _MILLISECOND
    return clock._replace(left_w=white, left_b=black, running_since=since, deadline=deadline)


def _left(clock: StoredClock) -> tuple[int, int]:
    return clock.left_w, clock.left_b


def _milliseconds(time: timedelta) -> int:
    return time // _MILLISECOND
