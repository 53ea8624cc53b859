"""Time controls, clocks, and loss on time. Only the server's time counts.

A clock belongs to one revision of a game. It does not tick: the remaining time follows from when the turn began.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, Protocol

from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.clock import Now
from punct.server.errors import RequestError
from punct.server.games.model import FIRST_MOVES, Pause, StoredClock, StoredGame
from punct.server.games.rights import holds_seat
from punct.server.games.working_time import after_working_time, working_time

Speed = Literal["live", "days"]

MAX_COMPENSATION_PER_MOVE: Final = timedelta(milliseconds=500)
"""How much network lag a move is compensated for, at most."""
MAX_COMPENSATION_PER_GAME: Final = timedelta(seconds=5)
"""How much network lag a side is compensated for in a whole game, at most. An honest player far away uses it up within
some thirty moves, and a player who delays replies to probes on purpose gains no more than that."""
MAX_STORE_DELAY: Final = timedelta(milliseconds=250)
"""If storing a move took longer, the opponent's clock is restarted: they could not use that time."""
MAX_MINUTES, MAX_INCREMENT_SECONDS, MAX_DAYS = 180, 180, 14
MAX_BANK_DAYS, MAX_INCREMENT_HOURS, MAX_CAP_DAYS = 30, 7 * 24, 60
"""The limits of a bank of days: at the start, for each move, and what a side may have saved."""
MIN_FIRST_MOVE_TIME: Final = timedelta(days=3)
"""How long either side has for its first move in a days game, at least: the player may not know of the game yet."""
_PATTERN: Final = re.compile(
    r"(?P<minutes>[0-9]{1,3})\+(?P<seconds>[0-9]{1,3})"
    r"|(?P<days>[0-9]{1,2})d(\+(?P<increment>[0-9]{1,2})(?P<unit>[hd])/(?P<cap>[0-9]{1,2})d)?(?P<weekends>-wd)?",
    re.ASCII,
)
_MILLISECOND, _SECOND = timedelta(milliseconds=1), timedelta(seconds=1)
_MAX_START_DELAY: Final = timedelta(minutes=1)
"""A turn that began so much later than the move before was played did not begin with that move."""
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)


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
    """A time control: minutes for a side and an increment for each move; days for each move; or a bank of days.

    A bank of days is for all moves of a side: each move adds the increment, up to the cap. With free weekends, time
    runs on Monday to Friday only. The text of every control with days ends with ``d``, by which the store and the page
    tell them from others.

    >>> str(TimeControl.parse("5+3")), TimeControl.parse("3d").speed
    ('5+3', 'days')
    >>> TimeControl.parse("7d+12h/10d-wd").cap
    datetime.timedelta(days=10)
    """

    initial: timedelta
    """The time of a side at the start; with days and no cap, for each move."""
    increment: timedelta = timedelta()
    speed: Speed = "live"
    cap: timedelta | None = None
    """The most that a side may have in its bank of days; None without a bank."""
    has_free_weekends: bool = False

    @classmethod
    @functools.lru_cache(maxsize=256)  # each move asks several times
    def parse(cls, text: str) -> TimeControl:
        """Parse a time control.

        ``5+3`` is five minutes, and three seconds for each move; ``3d`` three days for each move; ``7d+12h/10d`` a bank
        of seven days, to which each move adds twelve hours, up to ten days; ``-wd`` after days makes weekends free.
        """
        match = _PATTERN.fullmatch(text)
        if match is None:
            raise InvalidTimeError(
                "A time is written 5+3 (minutes and seconds a turn), 3d (days a turn), 7d+12h/10d (a bank of days, "
                "what a turn adds, at most), 3d-wd (days without weekends) or none."
            )
        if match["days"]:
            return cls._parse_days(match)
        minutes, increment = int(match["minutes"]), int(match["seconds"])
        if not 1 <= minutes <= MAX_MINUTES or increment > MAX_INCREMENT_SECONDS:
            raise InvalidTimeError(
                f"A side may have 1 to {MAX_MINUTES} minutes, and 0 to {MAX_INCREMENT_SECONDS} seconds for each turn."
            )
        return cls(timedelta(minutes=minutes), timedelta(seconds=increment))

    @classmethod
    def _parse_days(cls, match: re.Match[str]) -> TimeControl:
        initial, has_free_weekends = int(match["days"]) * _DAY, match["weekends"] is not None
        if match["cap"] is None:
            if not _DAY <= initial <= MAX_DAYS * _DAY:
                raise InvalidTimeError(f"A turn may take 1 to {MAX_DAYS} days.")
            return cls(initial, speed="days", has_free_weekends=has_free_weekends)
        increment = int(match["increment"]) * (_DAY if match["unit"] == "d" else _HOUR)
        cap = int(match["cap"]) * _DAY
        if not (
            _DAY <= initial <= MAX_BANK_DAYS * _DAY
            and _HOUR <= increment <= MAX_INCREMENT_HOURS * _HOUR
            and max(initial, increment) <= cap <= MAX_CAP_DAYS * _DAY
        ):
            raise InvalidTimeError(
                f"A side may begin with 1 to {MAX_BANK_DAYS} days, a turn add 1 hour to {MAX_INCREMENT_HOURS // 24} "
                f"days, and a side have at most {MAX_CAP_DAYS} days, no fewer than at the start or for a turn."
            )
        return cls(initial, increment, "days", cap, has_free_weekends)

    def __str__(self) -> str:
        if self.speed == "live":
            return f"{self.initial // timedelta(minutes=1)}+{self.increment // timedelta(seconds=1)}"
        bank = ""
        if self.cap is not None:
            days, rest = divmod(self.increment, _DAY)
            bank = f"+{self.increment // _HOUR}h" if rest else f"+{days}d"
            bank += f"/{self.cap.days}d"
        return f"{self.initial.days}d{bank}{'-wd' if self.has_free_weekends else ''}"

    def new_clock(self, now: datetime) -> StoredClock:
        """Return the clock of a new game."""
        if self.speed == "days":
            first = _milliseconds(self.first_move_time)
            return _with_times(self, StoredClock(first, first), [first, first], Colour.WHITE, now)
        initial = _milliseconds(self.initial)
        return StoredClock(initial, initial)

    @property
    def first_move_time(self) -> timedelta:
        """How long either side has for its first move in a days game. Nobody loses by it, and no bank pays for it."""
        return max(MIN_FIRST_MOVE_TIME, self.initial)

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """Return how much time has run between two times; it is negative if the second is earlier."""
        return working_time(since, until) if self.has_free_weekends else until - since

    def after(self, since: datetime, time: timedelta) -> datetime:
        """Return when so much time has run since some time."""
        return after_working_time(since, time) if self.has_free_weekends else since + time


def clock_after_move(game: StoredGame, now: datetime, lag: timedelta = timedelta()) -> StoredClock | None:
    """Return the clock after a move that arrived with some network lag; None without a time control."""
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control, mover = TimeControl.parse(game.time), game.turn
    if control.speed == "days":
        return _days_clock_after_move(game, control, clock, now)
    left, lags = list(_left(clock)), [clock.lag_w, clock.lag_b]
    if clock.running_since is not None:
        compensation = _compensation(clock, mover, now, lag)
        lags[mover] += _milliseconds(compensation)
        spent = _milliseconds(_spent(control, clock, now, compensation))
        left[mover] = max(0, left[mover] - spent + _milliseconds(control.increment))
    clock = clock._replace(lag_w=lags[Colour.WHITE], lag_b=lags[Colour.BLACK])
    return _with_times(control, clock, left, mover.other, now if game.ply + 1 >= FIRST_MOVES else None)


def _days_clock_after_move(game: StoredGame, control: TimeControl, clock: StoredClock, now: datetime) -> StoredClock:
    left, mover = list(_left(clock)), game.turn
    if control.cap is None or game.ply < FIRST_MOVES:
        left[mover] = _milliseconds(control.initial)
    else:
        rest = _left_at(control, clock, mover, now) + _milliseconds(control.increment)
        left[mover] = min(rest, _milliseconds(control.cap))
    return _with_times(control, clock, left, mover.other, now)


def seconds_taken(game: StoredGame, since: datetime | None, now: datetime) -> int | None:
    """Return how long the side to move of a correspondence game has had its turn, as its clock counts.

    ``since`` is when the move before was played. What does not count against a player does not count here: pauses,
    vacations, free weekends, outages. None in a live game, for a first move, whose player may not have known of the
    game, and if it cannot be told: a bank of days that stood meanwhile does not say how much was in it.
    """
    if game.ply < FIRST_MOVES or since is None:
        return None
    if game.time is None:
        return max(timedelta(), now - since) // _SECOND
    control, clock = TimeControl.parse(game.time), game.clock
    if control.speed != "days" or clock is None:
        return None
    if control.cap is None:
        return (_milliseconds(control.initial) - _left_at(control, clock, game.turn, now)) // 1000
    if clock.running_since is None or clock.running_since - since > _MAX_START_DELAY:
        return None
    return _spent(control, clock, now, timedelta()) // _SECOND


def restart_clock(clock: StoredClock, time: str, now: datetime) -> StoredClock:
    """Return a running clock as if the turn began now: until now nobody could know that it had begun."""
    if clock.running_since is None or clock.deadline is None or now <= clock.running_since:
        return clock
    return _shifted(clock, TimeControl.parse(time), clock.running_since, now)


def clock_after_undo(game: StoredGame, ply: int, turn: Colour, now: datetime) -> StoredClock | None:
    """Return the clock after moves were taken back to a ply. Spent time is not given back.

    In a days game, a side whose first move was taken back has the time for a first move again.
    """
    clock = game.clock
    if clock is None or game.time is None:
        return None
    control = TimeControl.parse(game.time)
    if control.speed == "live":
        left = list(_left(_stopped(game, control, clock, now)))
        return _with_times(control, clock, left, turn, now if ply >= FIRST_MOVES else None)
    left = [_milliseconds(control.initial)] * 2
    if control.cap is not None:
        left = list(_left(_stopped(game, control, clock, now)))
    for colour in Colour:
        if ply == 0 or (ply < FIRST_MOVES and colour is turn):
            left[colour] = _milliseconds(control.first_move_time)
    return _with_times(control, clock, left, turn, now)


def stop_clock(game: StoredGame, now: datetime) -> StoredClock | None:
    """Return the clock of a game that ends now."""
    if game.clock is None or game.time is None:
        return game.clock
    return _stopped(game, TimeControl.parse(game.time), game.clock, now)._replace(pauses=())


def clock_with_pauses(game: StoredGame, pauses: tuple[Pause, ...], now: datetime) -> StoredClock:
    """Return the clock of a running days game with other pauses than before: it stands as long as there are any."""
    assert game.clock is not None and game.time is not None
    control = TimeControl.parse(game.time)
    clock = _stopped(game, control, game.clock, now)._replace(pauses=pauses)
    return _with_times(control, clock, list(_left(clock)), game.turn, now)


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
    if game.outcome is not None or clock is None or clock.running_since is None or game.time is None:
        return False
    spent = _spent(TimeControl.parse(game.time), clock, now, _compensation(clock, game.turn, now, lag))
    return spent >= _left(clock)[game.turn] * _MILLISECOND


def clock_after_outage(clock: StoredClock, time: str, since: datetime, now: datetime) -> StoredClock:
    """Return a clock after an outage since some time, which counts for neither side."""
    if clock.running_since is None or clock.deadline is None:
        return clock
    control = TimeControl.parse(time)
    # A turn that began during the outage gets back only the time since it began.
    lost = control.elapsed(max(since, min(clock.running_since, now)), now)
    return _shifted(clock, control, clock.running_since, control.after(clock.running_since, lost)) if lost else clock


def _shifted(clock: StoredClock, control: TimeControl, running_since: datetime, later: datetime) -> StoredClock:
    """Return a running clock with the same time left, as if its turn had begun later."""
    assert clock.deadline is not None
    deadline = control.after(later, control.elapsed(running_since, clock.deadline))
    return clock._replace(running_since=later, deadline=deadline)


def _compensation(clock: StoredClock, mover: Colour, now: datetime, lag: timedelta) -> timedelta:
    """Return how much lag a move is compensated for, within the limits for a move and for the whole game."""
    assert clock.running_since is not None
    rest = MAX_COMPENSATION_PER_GAME - (clock.lag_w, clock.lag_b)[mover] * _MILLISECOND
    return max(timedelta(), min(lag, MAX_COMPENSATION_PER_MOVE, rest, now - clock.running_since))


def _spent(control: TimeControl, clock: StoredClock, now: datetime, compensation: timedelta) -> timedelta:
    assert clock.running_since is not None
    return max(timedelta(), control.elapsed(clock.running_since, now - compensation))


def _left_at(control: TimeControl, clock: StoredClock, turn: Colour, now: datetime) -> int:
    """Return how many milliseconds the side to move has left at a time."""
    left = _left(clock)[turn]
    if clock.running_since is None:
        return left
    return max(0, left - _milliseconds(_spent(control, clock, now, timedelta())))


def _stopped(game: StoredGame, control: TimeControl, clock: StoredClock, now: datetime) -> StoredClock:
    """Return a clock that has stopped, after what the side to move has spent."""
    if clock.running_since is None:
        return clock
    left = list(_left(clock))
    left[game.turn] = _left_at(control, clock, game.turn, now)
    return _with_times(control, clock, left, game.turn, None)


def _with_times(
    control: TimeControl, clock: StoredClock, left: list[int], turn: Colour, since: datetime | None
) -> StoredClock:
    """Return a clock with new remaining times, which runs for a side since some time.

    It stands if that is None, and in a pause.
    """
    white, black = left
    if clock.pauses:
        since = None
    deadline = None if since is None else control.after(since, left[turn] * _MILLISECOND)
    return clock._replace(left_w=white, left_b=black, running_since=since, deadline=deadline)


def _left(clock: StoredClock) -> tuple[int, int]:
    return clock.left_w, clock.left_b


def _milliseconds(time: timedelta) -> int:
    return time // _MILLISECOND
