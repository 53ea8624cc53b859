"""Engines at work: a few worker processes, so that thinking never holds up the server and can always be ended."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from punct.server.api.errors import EngineFailedError
from punct.server.opponents.worker import Broken, Job, Progress, Stop, Thought, work

STOP_SECONDS: Final = 1.0
"""A worker that does not come to an end so soon after being told is ended itself."""
_ENDED: Final = "The engine's process has ended."

OnProgress = Callable[[Progress], None]


class Worker:
    """One process that thinks about one position at a time."""

    def __init__(self) -> None:
        """Start the process; must be called on the event loop."""
        context = multiprocessing.get_context("spawn")  # forking a process with threads is asking for deadlocks
        self._loop = asyncio.get_running_loop()
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=work, args=(theirs,), daemon=True, name="punct-engine")
        self._process.start()
        theirs.close()
        self._ended = False
        self._answer: asyncio.Future[Thought] | None = None
        self._on_progress: OnProgress | None = None
        self._reader = threading.Thread(target=self._read, args=(self._pipe,), daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs, and nobody has ended it."""
        return not self._ended and self._process.is_alive()

    async def think(self, job: Job, on_progress: OnProgress | None = None) -> Thought:
        """Have a job done; if the task is cancelled, the worker is stopped and free again, or ended."""
        self._answer = answer = self._loop.create_future()
        self._on_progress = on_progress
        try:
            self._pipe.send(job)
            return await asyncio.shield(answer)
        except OSError:
            self._ended = True
            raise EngineFailedError(_ENDED) from None
        except asyncio.CancelledError:
            self._on_progress = None
            await self._stop(answer)
            raise
        finally:
            self._answer = self._on_progress = None

    async def _stop(self, answer: asyncio.Future[Thought]) -> None:
        try:
            self._pipe.send(Stop())
            async with asyncio.timeout(STOP_SECONDS):
                await asyncio.wait([answer])
        except (OSError, TimeoutError):
            self.kill()
        if answer.done():
            answer.exception()  # nobody will ask what came of it

    def kill(self) -> None:
        """End the process at once."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """End the process and everything that belongs to it. Blocks for a moment."""
        self.kill()
        self._process.join()
        self._reader.join()
        self._pipe.close()
        self._process.close()

    def _read(self, pipe: Connection) -> None:
        """Run in a thread: pass on what the process says until it ends."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed before the process is
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._heard, pipe.recv())
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._hung_up)

    def _hung_up(self) -> None:
        self._ended = True
        self._heard(Broken(_ENDED))

    def _heard(self, message: Progress | Thought | Broken) -> None:
        if isinstance(message, Progress):
            if self._on_progress is not None:
                self._on_progress(message)
        elif self._answer is not None and not self._answer.done():
            if isinstance(message, Thought):
                self._answer.set_result(message)
            else:
                self._answer.set_exception(EngineFailedError(message.message))


class Pool:
    """Workers, started when first needed; never more than ``size`` think at once, the rest wait in turn."""

    def __init__(self, size: int | None = None) -> None:
        """Make a pool; by default one core is left for the server."""
        self.size = size or max(1, min(4, (os.cpu_count() or 1) - 1))
        self._free: list[Worker] = []
        self._seats = asyncio.Semaphore(self.size)
        self.waiting = 0
        """How many thoughts wait for a worker."""
        self._all: set[Worker] = set()
        self._closed = False

    async def think(
        self, job: Job, on_start: Callable[[], None] | None = None, on_progress: OnProgress | None = None
    ) -> Thought:
        """Have a job done by the next free worker; ``on_start`` is called when one takes it."""
        self.waiting += 1
        try:
            await self._seats.acquire()
        finally:
            self.waiting -= 1
        try:
            worker = await self._take()
            if on_start is not None:
                on_start()
            try:
                return await worker.think(job, on_progress)
            finally:
                await self._give_back(worker)
        finally:
            self._seats.release()

    def warm(self) -> None:
        """Start a worker ahead of time, so that the first thought need not wait for it."""
        if not self._all and not self._closed:
            worker = Worker()
            self._all.add(worker)
            self._free.append(worker)

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        workers, self._all, self._free = self._all, set(), []
        await asyncio.gather(*(asyncio.to_thread(worker.close) for worker in workers))

    async def _take(self) -> Worker:
        if self._closed:
            raise EngineFailedError("The server is shutting down.")
        while self._free:
            worker = self._free.pop()
            if worker.is_alive:
                return worker
            await self._discard(worker)
        worker = Worker()
        self._all.add(worker)
        return worker

    async def _give_back(self, worker: Worker) -> None:
        if self._closed:
            return
        if worker.is_alive:
            self._free.append(worker)
        else:
            await self._discard(worker)

    async def _discard(self, worker: Worker) -> None:
        if worker in self._all:
            self._all.discard(worker)
            await asyncio.to_thread(worker.close)
