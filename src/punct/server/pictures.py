"""Pictures of positions and games: drawn in a worker, once for everybody who wants the same, and kept for a while."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from typing import Final, NamedTuple

from punct.server.sized_cache import SizedCache
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


class _Picture(NamedTuple):
    """A picture that is kept, with what it was drawn of: of a long game, that may be the larger part."""

    wanted: Drawing
    content: bytes

    def estimate_bytes(self) -> int:
        return 500 + len(self.content) + 60 * len(getattr(self.wanted, "turns", ()))


class Pictures:
    """Pictures the server gives out. What is drawn is told by its content alone, so equal ones are one."""

    def __init__(self, pool: Workforce, most_kept: int = MOST_KEPT) -> None:
        self._pool = pool
        self._kept: SizedCache[Drawing, _Picture] = SizedCache(most_kept, _Picture.estimate_bytes)
        self._drawing: dict[Drawing, _Drawing] = {}

    @staticmethod
    def tag(wanted: Drawing) -> str:
        """Return a name for a picture's content, known before it is drawn; another version may draw differently."""
        content = f"{_VERSION} {wanted}".encode()
        return f'"{blake2b(content, digest_size=12).hexdigest()}"'

    async def draw(self, wanted: Drawing) -> bytes:
        """Return a picture. When nobody waits for it any more it is no longer drawn."""
        found = self._kept.use(wanted)
        if found is not None:
            return found.content
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
        self._kept.put(wanted, _Picture(wanted, task.result()))
