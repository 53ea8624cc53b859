"""Waiting for a condition, however long that takes.

No bound is set here: what never comes about ends with the time limit of the whole test, which says where it hung.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Final

POLL_SECONDS: Final = 0.01
MAX_POLL_SECONDS: Final = 0.1
TIMEOUT_SECONDS: Final = 240
"""Until a test gives up, where what it waits with must have a bound; never reached when all is well, however busy the
machine. It is less than the time limit of a test, so that what it waited for is told."""


def wait_until(condition: Callable[[], object], every: float = POLL_SECONDS) -> None:
    """Wait until a condition holds; what a server limits is asked for less often."""
    for pause in pauses(every):
        if condition():
            return
        time.sleep(pause)


async def wait_until_async(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, while the event loop runs."""
    for pause in pauses():
        if condition():
            return
        await asyncio.sleep(pause)


def pauses(least: float = POLL_SECONDS) -> Iterator[float]:
    """Yield how long to wait before asking once more: a tenth of the time it has taken so far, within bounds.

    Asking takes time from what is waited for, on a machine with few cores.
    """
    waited = 0.0
    while True:
        pause = max(least, min(waited / 10, MAX_POLL_SECONDS))
        yield pause
        waited += pause
