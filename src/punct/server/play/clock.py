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
    left = list(_left(clock))
    if clock.ticking is not None:
        left[mover] = max(0, left[mover] - _milliseconds(_spent(clock, now, lag)) + _milliseconds(control.increment))
    return _run(left, mover.other, now if game.ply + 1 >= FIRST_MOVES else None)


def taken_back(game: StoredGame, ply: int, turn: Colour, now: datetime) -> StoredClock | None:
    """Return the clock when moves are taken back to a ply: nobody's time comes back, and it is another's turn."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control = TimeControl.parse(game.time)
    if control.speed == "days":
        return control.begin(now)
    return _run(list(_left(stopped(game, now) or clock)), turn, now if ply >= FIRST_MOVES else None)


def stopped(game: StoredGame, now: datetime) -> StoredClock | None:
    """Return the clock of a game that ends now."""
    clock = game.clock
    if clock is None or clock.ticking is None:
        return clock
    left = list(_left(clock))
    left[game.turn] = max(0, left[game.turn] - _milliseconds(_spent(clock, now, timedelta())))
    return _run(left, game.turn, None)


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
    return _spent(clock, now, lag) >= _left(clock)[game.turn] * _MILLISECOND


def after_outage(clock: StoredClock, since: datetime, now: datetime) -> StoredClock:
    """Return a clock as it is after nobody could play since some moment: that time is nobody's."""
    if clock.ticking is None or clock.deadline is None:
        return clock
    # What began to run after the server was last known to run has not run long.
    away = now - max(since, min(clock.ticking, now))
    return clock._replace(ticking=clock.ticking + away, deadline=clock.deadline + away)


def _spent(clock: StoredClock, now: datetime, lag: timedelta) -> timedelta:
    assert clock.ticking is not None
    return max(timedelta(), now - clock.ticking - min(lag, MOST_COMPENSATED))


def _run(left: list[int], turn: Colour, since: datetime | None) -> StoredClock:
    white, black = left
    return StoredClock(white, black, since, None if since is None else since + left[turn] * _MILLISECOND)


def _left(clock: StoredClock) -> tuple[int, int]:
    return clock.left_w, clock.left_b


def _milliseconds(time: timedelta) -> int:
    return time // _MILLISECOND
