"""Threads that read from the database, so that the event loop never blocks on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

Result = TypeVar("Result")

_MAX_THREADS: Final = 4


class ReaderThreads:
    """A few threads for functions that block but change nothing."""

    def __init__(self) -> None:
        """Create them without a thread; each is started when needed."""
        self._threads = ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="punct-reader")

    async def read(self, function: Callable[[], Result]) -> Result:
        """Return the result of a function that runs on one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    def close(self) -> None:
        """Accept nothing more; functions that run are not interrupted."""
        self._threads.shutdown(wait=False)
