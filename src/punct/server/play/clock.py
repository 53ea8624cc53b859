"""Time to think: how much each side is given, and how it runs. The server's own time alone decides.

A clock is what is stored of it, at one revision of a game. It says nothing every second: how much is left at any moment
follows from when the one to move began to think.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from punct.piece import Colour
from punct.server.play.steady_clock import SteadyClock
from punct.server.refusal import RefusalError
from punct.server.store import StoredClock, StoredGame

Now = Callable[[], datetime]
"""Tells the time, in UTC. Tests have their own."""
Speed = Literal["live", "days"]

FIRST_MOVES: Final = 2
"""Live clocks stand still until both sides have played once."""
MOST_COMPENSATED: Final = timedelta(milliseconds=500)
"""So much of a move's time may be blamed on the network, at most."""
MAX_COMPENSATED_IN_GAME: Final = timedelta(seconds=5)
"""So much of a side's time in a whole game: an honest player far away spends it within some thirty moves, and whoever
answers late on purpose has no more of it."""
MAX_STORE_DELAY: Final = timedelta(milliseconds=250)
"""If it took longer to store a move, the clock of who is next to move begins anew: that was not their time."""
MOST_MINUTES, MOST_INCREMENT, MOST_DAYS = 180, 180, 14
_WRITTEN: Final = re.compile(r"(?P<minutes>[0-9]{1,3})\+(?P<increment>[0-9]{1,3})|(?P<days>[0-9]{1,2})d", re.ASCII)
_MILLISECOND: Final = timedelta(milliseconds=1)


utc_now: Final = SteadyClock()
"""Returns the time."""


class InvalidTimeError(RefusalError):
    """A text is no time control."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a game gives: minutes for a side and an increment for each move; or days for a move.

    >>> str(TimeControl.parse("5+3")), TimeControl.parse("3d").speed
    ('5+3', 'days')
    """

    first: timedelta
    """What a side has at the beginning; of days, for every move."""
    increment: timedelta = timedelta()
    speed: Speed = "live"

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read ``5+3`` (five minutes, and three seconds for each move) or ``3d`` (three days for a move)."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise InvalidTimeError("A time is written 5+3 (minutes and seconds a turn), 3d (days a turn) or none.")
        if found["days"]:
            days = int(found["days"])
            if not 1 <= days <= MOST_DAYS:
                raise InvalidTimeError(f"A turn may take 1 to {MOST_DAYS} days.")
            return cls(timedelta(days=days), speed="days")
        minutes, increment = int(found["minutes"]), int(found["increment"])
        if not 1 <= minutes <= MOST_MINUTES or increment > MOST_INCREMENT:
            raise InvalidTimeError(
                f"A side may have 1 to {MOST_MINUTES} minutes, and 0 to {MOST_INCREMENT} seconds for each turn."
            )
        return cls(timedelta(minutes=minutes), timedelta(seconds=increment))

    def __str__(self) -> str:
        if self.speed == "days":
            return f"{self.first.days}d"
        return f"{self.first // timedelta(minutes=1)}+{self.increment // timedelta(seconds=1)}"

    def begin(self, now: datetime) -> StoredClock:
        """Return the clock of a new game."""
        first = _milliseconds(self.first)
        if self.speed == "days":
            return StoredClock(first, first, now, now + self.first)
        return StoredClock(first, first)


def moved(game: StoredGame, now: datetime, lag: timedelta = timedelta()) -> StoredClock | None:
    """Return the clock after a move of the side to move, which the network held up for so long; None without one."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control, mover = TimeControl.parse(game.time), game.turn
    if control.speed == "days":
        return control.begin(now)
    left, lags = list(_left(clock)), [clock.lag_w, clock.lag_b]
    if clock.ticking is not None:
        given = _given(clock, mover, now, lag)
        lags[mover] += _milliseconds(given)
        spent = _milliseconds(_spent(clock, mover, now, given))
        left[mover] = max(0, left[mover] - spent + _milliseconds(control.increment))
    clock = clock._replace(lag_w=lags[Colour.WHITE], lag_b=lags[Colour.BLACK])
    return _run(clock, left, mover.other, now if game.ply + 1 >= FIRST_MOVES else None)


def started(clock: StoredClock, now: datetime) -> StoredClock:
    """Return a clock that begins to run now, if it was to run since a moment ago: nobody could know of that yet."""
    if clock.ticking is None or clock.deadline is None or now <= clock.ticking:
        return clock
    return clock._replace(ticking=now, deadline=clock.deadline + (now - clock.ticking))


def taken_back(game: StoredGame, ply: int, turn: Colour, now: datetime) -> StoredClock | None:
    """Return the clock when moves are taken back to a ply: nobody's time comes back, and it is another's turn."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control = TimeControl.parse(game.time)
    if control.speed == "days":
        return control.begin(now)
    return _run(clock, list(_left(stopped(game, now) or clock)), turn, now if ply >= FIRST_MOVES else None)


def stopped(game: StoredGame, now: datetime) -> StoredClock | None:
    """Return the clock of a game that ends now."""
    clock = game.clock
    if clock is None or clock.ticking is None:
        return clock
    left = list(_left(clock))
    left[game.turn] = max(0, left[game.turn] - _milliseconds(_spent(clock, game.turn, now, timedelta())))
    return _run(clock, left, game.turn, None)


def is_out_of_time(game: StoredGame, now: datetime, lag: timedelta = MOST_COMPENSATED) -> bool:
    """Tell whether the side to move has lost on time, even if the network had held up its move for so long.

    Nobody has before both have played, for then somebody may not know of the game: see ``is_never_begun``.
    """
    return game.ply >= FIRST_MOVES and _is_up(game, now, lag)


def is_never_begun(game: StoredGame, now: datetime) -> bool:
    """Tell whether the time for a first move is up, in a game whose clock does not wait for both first moves."""
    return game.ply < FIRST_MOVES and _is_up(game, now, timedelta())


def _is_up(game: StoredGame, now: datetime, lag: timedelta) -> bool:
    clock = game.clock
    if game.outcome is not None or clock is None or clock.ticking is None:
        return False
    return _spent(clock, game.turn, now, lag) >= _left(clock)[game.turn] * _MILLISECOND


def after_outage(clock: StoredClock, since: datetime, now: datetime) -> StoredClock:
    """Return a clock as it is after nobody could play since some moment: that time is nobody's."""
    if clock.ticking is None or clock.deadline is None:
        return clock
    # What began to run after the server was last known to run has not run long.
    away = now - max(since, min(clock.ticking, now))
    return clock._replace(ticking=clock.ticking + away, deadline=clock.deadline + away)


def _given(clock: StoredClock, mover: Colour, now: datetime, lag: timedelta) -> timedelta:
    """Return how much of a move's time is the network's: within bounds for a move, and for the whole game."""
    assert clock.ticking is not None
    rest = MAX_COMPENSATED_IN_GAME - (clock.lag_w, clock.lag_b)[mover] * _MILLISECOND
    return max(timedelta(), min(lag, MOST_COMPENSATED, rest, now - clock.ticking))


def _spent(clock: StoredClock, mover: Colour, now: datetime, lag: timedelta) -> timedelta:
    assert clock.ticking is not None
    return max(timedelta(), now - clock.ticking - _given(clock, mover, now, lag))


def _run(clock: StoredClock, left: list[int], turn: Colour, since: datetime | None) -> StoredClock:
    white, black = left
    deadline = None if since is None else since + left[turn] * _MILLISECOND
    return clock._replace(left_w=white, left_b=black, ticking=since, deadline=deadline)


def _left(clock: StoredClock) -> tuple[int, int]:
    return clock.left_w, clock.left_b


def _milliseconds(time: timedelta) -> int:
    return time // _MILLISECOND
