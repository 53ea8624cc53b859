"""Time that runs on Monday to Friday only: in games whose players agreed on free weekends.

A weekend is Saturday and Sunday in UTC, for both players alike, wherever they live.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_FIRST_MONDAY: Final = datetime(1970, 1, 5, tzinfo=UTC)
_WEEK: Final = timedelta(days=7)
_WORKING_WEEK: Final = timedelta(days=5)


def working_time(since: datetime, until: datetime) -> timedelta:
    """Return the time between two times without weekends; it is negative if the second is earlier."""
    return _worked(until) - _worked(since)


def after_working_time(since: datetime, time: timedelta) -> datetime:
    """Return the first time at which so much time without weekends has passed; with a negative one, before."""
    worked = _worked(since) + time
    weeks, rest = divmod(worked, _WORKING_WEEK)
    if not rest:  # the end of a Friday, not the beginning of the Monday after it
        weeks, rest = weeks - 1, _WORKING_WEEK
    return _FIRST_MONDAY + weeks * _WEEK + rest


def _worked(time: datetime) -> timedelta:
    """Return the time since the first Monday without weekends."""
    weeks, rest = divmod(time - _FIRST_MONDAY, _WEEK)
    return weeks * _WORKING_WEEK + min(rest, _WORKING_WEEK)
