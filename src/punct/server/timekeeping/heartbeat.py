"""The heartbeat: stores that the server runs, so that after an outage every player gets the lost time back."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final

from punct.piece import Colour
from punct.server.clock import Now, utc_now
from punct.server.events import EventBus
from punct.server.games.events import ClocksAdjusted
from punct.server.games.presence import Presence
from punct.server.games.time_control import clock_after_outage
from punct.server.timekeeping.store import HeartbeatStore

_log = logging.getLogger(__name__)
CHECK_SECONDS: Final = 0.5
"""Between two checks of all deadlines."""
BEAT_INTERVAL: Final = timedelta(seconds=2)
"""Between two heartbeats."""
MIN_OUTAGE: Final = timedelta(seconds=6)
"""After this long without a heartbeat the server did not run, or could not reach the games: clocks stood still."""
MIN_OUTAGE_AT_START: Final = BEAT_INTERVAL + timedelta(seconds=CHECK_SECONDS)
"""At its start a process need not wait and see: after this long without a heartbeat no other one has run either."""
MAX_CLOCK_SKEW: Final = timedelta(minutes=1)
"""If at the start the last heartbeat lies so far in the future, the system's clock was set back: clocks of different
machines differ by less."""


class Heartbeat:
    """The clock of an online server's games. Each process has one, and they share one heartbeat in the store."""

    def __init__(
        self,
        store: HeartbeatStore,
        presence: Presence,
        bus: EventBus,
        now: Now = utc_now,
        *,
        min_outage: timedelta = MIN_OUTAGE,
    ) -> None:
        """Begin without a heartbeat: the first one notices an outage before the start."""
        self._store, self._presence, self._bus = store, presence, bus
        self._now, self._min_outage = now, min_outage
        self._last: datetime | None = None

    async def arrival(self) -> datetime:
        """Return the time at which a request arrives; if this process was suspended, give back the lost time first."""
        now = self._now()
        if self._last is not None and now - self._last > self._min_outage:
            await self.beat(now)
        return now

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return the round-trip time to a player of a game, as far as it was measured."""
        return self._presence.lag(game_id, colour)

    async def beat_if_due(self, now: datetime) -> None:
        """Store a heartbeat, unless the last one is recent."""
        if self._last is None or now - self._last >= BEAT_INTERVAL:
            await self.beat(now)

    async def beat(self, now: datetime) -> None:
        """Store a heartbeat; after an outage, give back the lost time.

        Games are read again in the background, and a request that was waiting may use one from memory whose clock is
        out of date: it has an older revision, so nothing that is decided by it can be stored.
        """
        is_first = self._last is None
        outage = min(self._min_outage, MIN_OUTAGE_AT_START) if is_first else self._min_outage
        max_skew = MAX_CLOCK_SKEW if is_first else None  # later, time goes on whatever the system's clock does
        adjusted = await asyncio.wrap_future(self._store.beat(now, outage, clock_after_outage, max_skew))
        self._last = now
        if adjusted:
            _log.info("after an outage, the clocks of %d games were adjusted", len(adjusted))
            self._bus.publish(ClocksAdjusted(tuple(adjusted)))

    async def final_beat(self) -> None:
        """Store a heartbeat when the server stops: clocks stand still from then on."""
        if self._last is not None:
            await self.beat(self._now())
