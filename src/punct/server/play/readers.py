"""Threads on which games are read, so that looking at one waits for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

_READERS: Final = 4

Result = TypeVar("Result")


class Readers:
    """A few threads for whatever blocks but changes nothing."""

    def __init__(self) -> None:
        """Have none yet; each is started when it is needed."""
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="punct-reader")

    async def read(self, work: Callable[[], Result]) -> Result:
        """Return what comes of it."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Take nothing more; what is being read is read to its end."""
        self._threads.shutdown(wait=False)
