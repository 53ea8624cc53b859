"""How many days of vacation a player has, and which are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from punct.server.games.pauses import Vacation

DAYS_PER_YEAR: Final = 30
"""Days of vacation in a calendar year, in UTC. A day counts for the year in which it begins."""
MAX_DAYS_AHEAD: Final = 366
"""How long before its begin a vacation can be planned."""
_DAY: Final = timedelta(days=1)


def days_of(vacation: Vacation) -> int:
    """Return how many days a vacation takes: one that was ended early takes the days that had begun."""
    return max(1, -((vacation.begins - vacation.ends) // _DAY))


def days_used(vacations: Iterable[Vacation]) -> Counter[int]:
    """Return how many days of each year some vacations take."""
    used: Counter[int] = Counter()
    for vacation in vacations:
        for day in range(days_of(vacation)):
            used[(vacation.begins + day * _DAY).astimezone(UTC).year] += 1
    return used


def refusal(vacation: Vacation, others: Iterable[Vacation], now: datetime) -> str | None:
    """Return why a player cannot take a vacation besides others; None if they can."""
    others = list(others)
    if vacation.begins < now - timedelta(minutes=1):
        return "A vacation cannot begin in the past."
    if vacation.begins > now + MAX_DAYS_AHEAD * _DAY:
        return "A vacation can be planned a year ahead."
    if any(other.begins < vacation.ends and vacation.begins < other.ends for other in others):
        return "You are on vacation then already."
    used = days_used([*others, vacation])
    for year in sorted(days_used([vacation])):
        if used[year] > DAYS_PER_YEAR:
            rest = DAYS_PER_YEAR - days_used(others)[year]
            return f"Of the {DAYS_PER_YEAR} days of {year} you have {rest} left."
    return None
