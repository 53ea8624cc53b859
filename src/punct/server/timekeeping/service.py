"""The timekeeper: ends games whose time is up, and pauses whose end has come, and deletes what has expired."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta
from typing import Final

from punct.server.clock import Now, utc_now
from punct.server.db.errors import StoreError
from punct.server.db.idempotency import NOTHING_EXPIRED, ExpiryTimes
from punct.server.timekeeping.deadlines import FIRST_MOVE_TIMEOUT, Deadlines
from punct.server.timekeeping.expiry_store import ExpiryStore
from punct.server.timekeeping.heartbeat import BEAT_INTERVAL, CHECK_SECONDS, Heartbeat
from punct.server.vacations.service import Vacations

_log = logging.getLogger(__name__)
ABORT_INTERVAL: Final = timedelta(minutes=1)
"""Between two searches for live games that never started."""
CLEANUP_INTERVAL: Final = timedelta(hours=1)
"""Between two deletions of what has expired."""
KEY_RETENTION: Final = timedelta(days=1)
"""How long an idempotency key is stored."""
NEW_GAME_KEY_RETENTION: Final = timedelta(days=400)
"""The same for new games: a browser that was offline keeps its games, and uploads one again whenever it is back."""
MOVE_KEY_RETENTION: Final = timedelta(hours=1)
"""The same for moves: there are very many, and no client sends one again so late."""
CHALLENGE_RETENTION: Final = timedelta(days=14)
"""How long an expired challenge is stored: its link still leads to its game."""


class Timekeeper:
    """Checks all clocks. Each process of a server has one; whichever comes first ends a game."""

    def __init__(
        self,
        store: ExpiryStore,
        heartbeat: Heartbeat,
        deadlines: Deadlines,
        vacations: Vacations,
        now: Now = utc_now,
    ) -> None:
        """Check these deadlines, and which games stand because of vacations."""
        self._store, self._heartbeat, self._deadlines, self._now = store, heartbeat, deadlines, now
        self._vacations = vacations
        self._started = self._last_abort = self._last_cleanup = now()
        self._deleted_until = NOTHING_EXPIRED
        self._checking = asyncio.Lock()

    async def start(self) -> None:
        """Give back the time of an outage, before anybody plays."""
        await self.check()

    async def check(self) -> None:
        """Give back the time of an outage, then begin and end pauses, end overdue games, and clean up now and then.

        One check at a time: when this returns, what was due is done, even if another check had begun with it.
        """
        async with self._checking:
            await self._check()

    async def _check(self) -> None:
        now = self._now()
        await self._heartbeat.beat_if_due(now)
        if self._now() - now > BEAT_INTERVAL:
            return  # this process was suspended just now: the next check gives back that time first
        await self._vacations.settle(now)  # first: a clock that stands since then ends no game
        await self._deadlines.end_overdue(now)
        # Nobody could play before this process ran: games wait for players from then on.
        if now - self._last_abort >= ABORT_INTERVAL and now - self._started >= FIRST_MOVE_TIMEOUT:
            self._last_abort = now
            await self._deadlines.abort_unstarted(now)
        if now - self._last_cleanup >= CLEANUP_INTERVAL:
            self._last_cleanup = now
            await self._deadlines.end_abandoned(now)
            await self._delete_expired(now)
            await self._vacations.delete_old(now)

    async def _delete_expired(self, now: datetime) -> None:
        until = ExpiryTimes(now - MOVE_KEY_RETENTION, now - NEW_GAME_KEY_RETENTION, now - KEY_RETENTION)
        await asyncio.wrap_future(self._store.delete_requests(until, self._deleted_until, now - CHALLENGE_RETENTION))
        self._deleted_until = until
        await asyncio.wrap_future(self._store.delete_visitors(now))

    async def run(self) -> None:
        """Check periodically until cancelled; an error is logged, and the next check follows as usual."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except Exception:
                _log.exception("the clocks cannot be checked")

    async def close(self) -> None:
        """Store that the server ran until now, if the store can be reached."""
        with contextlib.suppress(StoreError):
            await self._heartbeat.final_beat()
