"""The server's clock: it never runs backwards, even if the system's clock is set back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

Now = Callable[[], datetime]
"""Returns the time in UTC. Tests pass their own."""


MAX_STEP_BACK: Final = timedelta(seconds=1)
"""Smaller steps back of the system's clock are followed: time synchronisation makes them now and then."""


class SteadyClock:
    """Returns the system's time. After that was set back, it goes on by the monotonic clock until they agree again."""

    def __init__(
        self,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        """Follow a clock; ``elapsed`` is a monotonic clock, in seconds."""
        self._wall, self._elapsed = wall, elapsed
        self._lock = threading.Lock()
        self._start = wall() - timedelta(seconds=elapsed())

    def __call__(self) -> datetime:
        """Return the time."""
        with self._lock:
            elapsed = timedelta(seconds=self._elapsed())
            start = self._wall() - elapsed
            if start >= self._start - MAX_STEP_BACK:
                self._start = start
            return self._start + elapsed


utc_now: Final = SteadyClock()
"""Returns the time."""
