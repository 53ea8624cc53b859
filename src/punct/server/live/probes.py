"""Probes that measure the round-trip time to a player."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from punct.server.clock import Now
from punct.server.live import messages
from punct.server.live.subscriber import Subscriber

PROBE_SECONDS: Final = (2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Between a probe and the next; the last of these for ever. The shortest round-trip time counts, and mostly one of the
first probes finds it."""


class Probes:
    """Measures the round-trip time to a player, again and again."""

    def __init__(
        self,
        subscriber: Subscriber,
        now: Now,
        on_measured: Callable[[timedelta], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Send probes to a subscriber; call ``on_measured`` with each round-trip time, by a monotonic clock."""
        self._subscriber, self._now, self._on_measured, self._monotonic = subscriber, now, on_measured, monotonic
        self._number = 0
        self._sent: float | None = None

    def send(self) -> None:
        """Send a probe. Replies to earlier ones are ignored from now on."""
        self._number += 1
        self._sent = self._monotonic()
        self._subscriber.put("probe", messages.probe_message(self._number, self._now()))

    def record_reply(self, number: int) -> None:
        """Measure the round-trip time, if this replies to the last probe."""
        if number == self._number and self._sent is not None:
            self._on_measured(timedelta(seconds=self._monotonic() - self._sent))
            self._sent = None

    async def run(self) -> None:
        """Send one probe after another, until cancelled."""
        for seconds in itertools.chain(PROBE_SECONDS, itertools.repeat(PROBE_SECONDS[-1])):
            self.send()
            await asyncio.sleep(seconds)
