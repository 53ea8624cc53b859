"""What is said about a player's habits, and from how much; with less, nothing is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median_low
from typing import Final, NamedTuple

MIN_ANSWERS: Final = 10
"""Moves from which a usual time is told."""
MIN_FINISHED: Final = 3
"""Finished games from which timeouts are counted."""
MIN_HOURS, MIN_DAYS = 20, 7
"""Different hours, on different days, from which it is told when somebody plays."""
HOURS_OF_WEEK: Final = 7 * 24


class Answer(NamedTuple):
    """A move of a correspondence game."""

    played_at: datetime
    seconds: int
    """How long it took, as the game's clock counts."""
    is_timed: bool
    """Whether the game has a clock, which stands in a vacation."""


class Finished(NamedTuple):
    """How many of the last correspondence games a player has finished, and lost on time."""

    finished: int
    timeouts: int


@dataclass(frozen=True, slots=True)
class Habits:
    """A player's habits; None for what too few games tell of."""

    answer: timedelta | None
    """Half of their moves in correspondence games took no longer."""
    correspondence: Finished | None
    hours: tuple[int, ...] | None
    """On how many days they played, by the hour of the week in UTC; the first begins with Monday."""


def usual_answer(answers: Iterable[Answer], vacations: Sequence[tuple[datetime, datetime]]) -> timedelta | None:
    """Return the median of the times that answers took.

    The clock of a timed game stands in a vacation. In a game without one, an answer after a vacation says nothing.
    """
    seconds = [answer.seconds for answer in answers if answer.is_timed or not _was_away(answer, vacations)]
    return timedelta(seconds=median_low(seconds)) if len(seconds) >= MIN_ANSWERS else None


def _was_away(answer: Answer, vacations: Sequence[tuple[datetime, datetime]]) -> bool:
    began = answer.played_at - timedelta(seconds=answer.seconds)
    return any(begins < answer.played_at and ends > began for begins, ends in vacations)


def usual_hours(played_at: Iterable[datetime]) -> tuple[int, ...] | None:
    """Return on how many days somebody has played, by the hour of the week.

    An hour counts once on each day, so that one long evening is not taken for a habit.
    """
    hours = {time.replace(minute=0, second=0, microsecond=0) for time in played_at}
    if len(hours) < MIN_HOURS or len({hour.date() for hour in hours}) < MIN_DAYS:
        return None
    counts = [0] * HOURS_OF_WEEK
    for hour in hours:
        counts[hour.weekday() * 24 + hour.hour] += 1
    return tuple(counts)
