"""Tells the habits of account holders from their last games. Nothing of it is stored.

When somebody usually plays is told from games that anybody may watch, where the time of each move is public already.
So it is shown unless a player hides it: the page says nothing that others could not know, but nobody needs it known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from punct.server.clock import Now, utc_now
from punct.server.habits.model import MIN_FINISHED, Habits, usual_answer, usual_hours
from punct.server.habits.store import HabitsStore
from punct.server.sized_cache import SizedCache

GAMES_WINDOW: Final = timedelta(days=365)
"""Games in which nothing has happened for so long tell of nobody's habits."""
HOURS_WINDOW: Final = timedelta(days=180)
"""The same for the hours in which somebody plays."""
CACHE_TIME: Final = timedelta(minutes=10)
MAX_READS: Final = 2
"""Players read at a time: a list of many leaves threads to everybody else."""
_MAX_CACHE_BYTES, _ENTRY_BYTES = 4_000_000, 2000


class PlayerHabits:
    """The habits of all account holders."""

    def __init__(self, store: HabitsStore, now: Now = utc_now) -> None:
        """Read from a store."""
        self._store, self._now = store, now
        self._cache: SizedCache[str, tuple[Habits, datetime]] = SizedCache(_MAX_CACHE_BYTES, lambda _: _ENTRY_BYTES)
        self._reads = asyncio.Semaphore(MAX_READS)

    async def of_player(self, player_id: str) -> Habits | None:
        """Return a player's habits, as others see them; None for guests, and if there is no such player."""
        hides_hours = await asyncio.to_thread(self._store.hides_hours, player_id)
        if hides_hours is None:
            self._cache.pop(player_id)
            return None
        habits = await self._read(player_id)
        return replace(habits, hours=None) if hides_hours else habits

    async def of_players(self, player_ids: Iterable[str]) -> dict[str, Habits]:
        """Return the habits of those players who have an account."""
        found = {player_id: await self.of_player(player_id) for player_id in dict.fromkeys(player_ids)}
        return {player_id: habits for player_id, habits in found.items() if habits is not None}

    async def hides_hours(self, player_id: str) -> bool:
        """Return whether a player hides when they play."""
        return bool(await asyncio.to_thread(self._store.hides_hours, player_id))

    async def set_hides_hours(self, player_id: str, hides: bool) -> None:
        """Hide when a player plays, or show it again: at once."""
        await asyncio.wrap_future(self._store.set_hides_hours(player_id, hides))

    async def _read(self, player_id: str) -> Habits:
        if (cached := self._cached(player_id)) is not None:
            return cached
        async with self._reads:
            if (cached := self._cached(player_id)) is not None:  # read for somebody else meanwhile
                return cached
            now = self._now()
            habits = await asyncio.to_thread(self._tell, player_id, now)
            self._cache.put(player_id, (habits, now + CACHE_TIME))
            return habits

    def _cached(self, player_id: str) -> Habits | None:
        cached = self._cache.use(player_id)
        return cached[0] if cached is not None and cached[1] > self._now() else None

    def _tell(self, player_id: str, now: datetime) -> Habits:
        rows = self._store.read(player_id, now - GAMES_WINDOW, now - HOURS_WINDOW)
        return Habits(
            answer=usual_answer(rows.answers, rows.vacations),
            correspondence=rows.correspondence if rows.correspondence.finished >= MIN_FINISHED else None,
            hours=usual_hours(rows.played_at),
        )
