"""Background tasks that nobody awaits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

_log = logging.getLogger(__name__)


class BackgroundTasks:
    """Runs coroutines in the background, logs their failures, and cancels them at the end."""

    def __init__(self, purpose: str) -> None:
        """Begin with no task; ``purpose`` says in the log what failed."""
        self._purpose = purpose
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background; not after ``cancel``, when nothing would end it."""
        if self._is_closed:
            coroutine.close()
            return
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    async def finish(self) -> None:
        """Wait until all of them are done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def cancel(self) -> None:
        """Cancel those that are left, wait for their end, and start no others."""
        self._is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("%s failed", self._purpose, exc_info=error)
