"""Waiting for a condition, however long that takes.

No bound is set here: what never comes about ends with the time limit of the whole test, which says where it hung.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

POLL_SECONDS: Final = 0.01
TIMEOUT_SECONDS: Final = 240
"""Until a test gives up, where what it waits with must have a bound; never reached when all is well, however busy the
machine. It is less than the time limit of a test, so that what it waited for is told."""


def wait_until(condition: Callable[[], object], every: float = POLL_SECONDS) -> None:
    """Wait until a condition holds; what a server limits is asked for less often."""
    while not condition():
        time.sleep(every)


async def wait_until_async(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, while the event loop runs."""
    while not condition():
        await asyncio.sleep(POLL_SECONDS)
