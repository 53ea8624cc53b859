"""Pictures of positions and games: drawn in a worker, once for everybody who wants the same, and kept for a while."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from typing import Final

from punct.server.workers.draw import Animate, Draw
from punct.server.workers.pool import Workforce, run_soon

MOST_KEPT: Final = 32 * 1024 * 1024
"""Bytes of pictures kept in memory."""
_VERSION: Final = version("punct")


@dataclass(slots=True)
class _Drawing:
    """A picture being drawn, and how many wait for it."""

    task: asyncio.Task[bytes]
    waiting: int = 0


Drawing = Draw | Animate


class Pictures:
    """Pictures the server gives out. What is drawn is told by its content alone, so equal ones are one."""

    def __init__(self, pool: Workforce, most_kept: int = MOST_KEPT) -> None:
        self._pool = pool
        self._most_kept = most_kept
        self._kept: OrderedDict[Drawing, bytes] = OrderedDict()
        self._size = 0
        self._drawing: dict[Drawing, _Drawing] = {}

    @staticmethod
    def tag(wanted: Drawing) -> str:
        """Return a name for a picture's content, known before it is drawn; another version may draw differently."""
        content = f"{_VERSION} {wanted}".encode()
        return f'"{blake2b(content, digest_size=12).hexdigest()}"'

    async def draw(self, wanted: Drawing) -> bytes:
        """Return a picture. When nobody waits for it any more it is no longer drawn."""
        found = self._kept.get(wanted)
        if found is not None:
            self._kept.move_to_end(wanted)
            return found
        drawing = self._drawing.get(wanted)
        if drawing is None:
            drawing = self._drawing[wanted] = _Drawing(asyncio.create_task(run_soon(self._pool, wanted)))
            drawing.task.add_done_callback(lambda task: self._drawn(wanted, task))
        drawing.waiting += 1
        try:
            return await asyncio.shield(drawing.task)
        finally:
            drawing.waiting -= 1
            if not drawing.waiting and not drawing.task.done():
                del self._drawing[wanted]  # whoever comes now begins anew
                drawing.task.cancel()

    def _drawn(self, wanted: Drawing, task: asyncio.Task[bytes]) -> None:
        if wanted in self._drawing and self._drawing[wanted].task is task:
            del self._drawing[wanted]
        if task.cancelled() or task.exception() is not None:
            return
        content = task.result()
        self._size += len(content) - len(self._kept.pop(wanted, b""))
        self._kept[wanted] = content
        while self._size > self._most_kept:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)
