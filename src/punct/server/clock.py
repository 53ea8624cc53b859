"""The time of day for the server: it goes on when the system's clock is set back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

Now = Callable[[], datetime]
"""Tells the time, in UTC. Tests have their own."""


MAX_STEP_BACK: Final = timedelta(seconds=1)
"""So far the system's clock is followed back: it is corrected a little now and then."""


class SteadyClock:
    """Tells the system's time, unless that was set back: then as if it had not been, until it has caught up."""

    def __init__(
        self,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        """Follow a clock; ``elapsed`` are seconds that nobody can set."""
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
