"""The JSON of vacations, and the messages about them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from punct.server.games.pauses import Vacation
from punct.server.http.encoding import Json, format_time
from punct.server.vacations.model import DAYS_PER_YEAR, days_of, days_used


def vacations(stored: Iterable[Vacation], now: datetime) -> Json:
    """Return a player's vacations that are not over, and the days that are left."""
    stored = list(stored)
    used, year = days_used(stored), now.astimezone(UTC).year
    return {
        "days_per_year": DAYS_PER_YEAR,
        "years": [{"year": each, "left": max(0, DAYS_PER_YEAR - used[each])} for each in (year, year + 1)],
        "vacations": [
            {
                "begins": format_time(vacation.begins),
                "ends": format_time(vacation.ends),
                "days": days_of(vacation),
                "current": vacation.begins <= now,
            }
            for vacation in stored
            if vacation.ends > now
        ],
    }
