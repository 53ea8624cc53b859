"""Pictures of positions and games: drawn in a worker, once for all equal requests, and cached for a while."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from typing import Final, NamedTuple

from punct.server.sized_cache import SizedCache
from punct.server.workers.draw import AnimateJob, DrawJob
from punct.server.workers.pool import WorkerPool, run_with_queue_timeout

MAX_CACHE_BYTES: Final = 32 * 1024 * 1024
"""Of pictures, in memory."""
_VERSION: Final = version("punct")
PictureJob = DrawJob | AnimateJob


@dataclass(slots=True)
class _PendingPicture:
    """A picture being drawn, and the number of requests that wait for it."""

    task: asyncio.Task[bytes]
    waiting: int = 0


class _CachedPicture(NamedTuple):
    """A picture with the job that it was drawn by: for a long game, that may be the larger part."""

    job: PictureJob
    content: bytes

    def estimate_bytes(self) -> int:
        return 500 + len(self.content) + 60 * len(getattr(self.job, "turns", ()))


class Pictures:
    """Draws pictures, and caches them by their job: equal jobs give equal pictures."""

    def __init__(self, pool: WorkerPool, max_cache_bytes: int = MAX_CACHE_BYTES) -> None:
        self._pool = pool
        self._cache: SizedCache[PictureJob, _CachedPicture] = SizedCache(max_cache_bytes, _CachedPicture.estimate_bytes)
        self._pending: dict[PictureJob, _PendingPicture] = {}

    @staticmethod
    def etag(job: PictureJob) -> str:
        """Return a picture's entity tag, known before it is drawn; another version may draw differently."""
        content = f"{_VERSION} {job}".encode()
        return f'"{blake2b(content, digest_size=12).hexdigest()}"'

    async def draw(self, job: PictureJob) -> bytes:
        """Return a picture. Drawing is cancelled when no request waits for it any more."""
        cached = self._cache.use(job)
        if cached is not None:
            return cached.content
        pending = self._pending.get(job)
        if pending is None:
            pending = self._pending[job] = _PendingPicture(asyncio.create_task(run_with_queue_timeout(self._pool, job)))
            pending.task.add_done_callback(lambda task: self._store(job, task))
        pending.waiting += 1
        try:
            return await asyncio.shield(pending.task)
        finally:
            pending.waiting -= 1
            if not pending.waiting and not pending.task.done():
                del self._pending[job]  # a later request starts again
                pending.task.cancel()

    async def close(self) -> None:
        """Stop the worker process."""
        await self._pool.close()

    def _store(self, job: PictureJob, task: asyncio.Task[bytes]) -> None:
        """Put a picture into the cache, if it was drawn."""
        if job in self._pending and self._pending[job].task is task:
            del self._pending[job]
        if task.cancelled() or task.exception() is not None:
            return
        self._cache.put(job, _CachedPicture(job, task.result()))


class Animations(Pictures):
    """Animated pictures. They have workers of their own, so that a long animation does not delay pictures."""
