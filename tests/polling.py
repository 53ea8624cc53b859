"""Waiting for a condition, however long that takes.

No bound is set here: what never comes about ends with the time limit of the whole test, which says where it hung.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

POLL_SECONDS: Final = 0.01


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    while not condition():
        time.sleep(POLL_SECONDS)


async def wait_until_async(condition: Callable[[], object]) -> None:
    """Wait until a condition holds, while the event loop runs."""
    while not condition():
        await asyncio.sleep(POLL_SECONDS)
