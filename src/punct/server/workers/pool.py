"""The server's side: a few worker processes, so that no job holds up the server and each can always be ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Final, Protocol, TypeVar

from punct.server.workers.process import Bounds, Broken, Done, Job, News, OutOfMemory, Refused, Stop, Told, work

_log = logging.getLogger(__name__)
STOP_SECONDS: Final = 1.0
"""A worker that does not come to an end so soon after being told is ended itself."""

T = TypeVar("T")
OnNews = Callable[[Any], None]


class WorkError(Exception):
    """A job was not done. The message is for people and tells no internals."""


class OverrunError(WorkError):
    """The job took more time or memory than it may."""


class FullError(WorkError):
    """Too many jobs wait already."""

    def __init__(self) -> None:
        super().__init__("Too many wait for this already; try again in a while.")


class UntakenError(WorkError):
    """Nobody has taken the job up in time."""


class Worker:
    """One process that does one job at a time."""

    def __init__(self, bounds: Bounds, preload: str = "punct") -> None:
        """Start the process; must be called on the event loop."""
        context = multiprocessing.get_context("spawn")  # forking a process with threads is asking for deadlocks
        self.bounds = bounds
        self._loop = asyncio.get_running_loop()
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=work, args=(theirs, bounds, preload), daemon=True, name=f"worker for {preload}"
        )
        try:
            with _interrupts_held():
                self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            theirs.close()
        self._ended = False
        self._answer: asyncio.Future[Any] | None = None
        self._on_news: OnNews | None = None
        # A large job does not fit into the pipe, and a process that is just starting takes nothing from it yet.
        self._letters: SimpleQueue[Job[Any] | Stop | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=run, args=(self._pipe,), daemon=True) for run in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs, and nobody has ended it."""
        return not self._ended and self._process.is_alive()

    async def run(self, job: Job[T], on_news: OnNews | None = None) -> T:
        """Have a job done; if the task is cancelled, the worker is stopped and free again, or ended.

        Raises WorkError, or the PunctError the job met.
        """
        self._answer = answer = self._loop.create_future()
        self._on_news = on_news
        try:
            self._letters.put(job)
            async with asyncio.timeout(self.bounds.seconds):
                found: T = await asyncio.shield(answer)
                return found
        except TimeoutError:
            _log.warning("%s took longer than %g seconds and was ended", type(job).__name__, self.bounds.seconds)
            raise OverrunError(f"This took longer than {self.bounds.seconds:g} seconds and was ended.") from None
        except asyncio.CancelledError:
            self._on_news = None
            await self._stop(answer)
            raise
        finally:
            self._answer = self._on_news = None
            if answer.done():
                answer.exception()  # perhaps nobody else asks what came of it
            else:
                self.kill()  # it is still at it, and must not answer the next job with this one's answer

    async def _stop(self, answer: asyncio.Future[Any]) -> None:
        self._letters.put(Stop())
        await asyncio.wait([answer], timeout=STOP_SECONDS)

    def kill(self) -> None:
        """End the process at once."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """End the process and everything that belongs to it. Blocks for a moment."""
        self.kill()
        self._letters.put(None)
        self._process.join()
        for thread in self._threads:
            thread.join()
        self._pipe.close()
        self._process.close()

    def _write(self, pipe: Connection) -> None:
        """Run in a thread: send what is to be sent until the end."""
        with contextlib.suppress(OSError):  # the process has ended, as the other thread will tell
            while (letter := self._letters.get()) is not None:
                pipe.send(letter)

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
        self._settle(None, WorkError("The process that was at it has ended."))

    def _heard(self, told: Told) -> None:
        match told:
            case News():
                if self._on_news is not None:
                    self._on_news(told.what)
            case Done():
                self._settle(told.answer)
            case Refused():
                self._settle(None, told.error)
            case Broken():
                _log.error("a job broke down: %s", told.message)
                self._settle(None, WorkError("This broke down; the server's log says more."))
            case OutOfMemory():
                self._ended = True
                _log.warning("a job wanted more than %s MB of memory and was ended", self.bounds.memory_mb)
                self._settle(None, OverrunError("This takes more memory than it may and was ended."))

    def _settle(self, found: object, error: Exception | None = None) -> None:
        if self._answer is None or self._answer.done():
            return
        if error is None:
            self._answer.set_result(found)
        else:
            self._answer.set_exception(error)


class Workforce(Protocol):
    """Whoever does jobs of one kind: processes of this server, or of other machines."""

    bounds: Bounds
    """What one job may take."""
    waiting: int
    """How many jobs wait to be taken."""

    async def run(self, job: Job[T], on_start: Callable[[], None] | None = None, on_news: OnNews | None = None) -> T:
        """Have a job done; ``on_start`` is called when somebody takes it."""

    def warm(self) -> None:
        """Get ready: there may soon be a job."""

    async def close(self) -> None:
        """End everything."""


def check_room(waiting: int, most: int | None) -> None:
    """Refuse a further job where as many wait as may."""
    if most is not None and waiting >= most:
        raise FullError


async def run_soon(workforce: Workforce, job: Job[T]) -> T:
    """Have a job done that somebody waits for: if nobody takes it up in the time that one may take, they are told so.

    Workers of this server always do sooner or later; on other machines there may be none.
    """
    seconds = workforce.bounds.seconds
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await workforce.run(job, lambda: limit.reschedule(None))
    except TimeoutError:
        if not limit.expired():
            raise
        raise UntakenError(f"Nobody has had time for this within {seconds:g} seconds; try again in a while.") from None


class Pool:
    """Workers of one kind, started when first needed; never more than ``size`` at once, further jobs wait in turn."""

    def __init__(
        self, bounds: Bounds, size: int | None = None, most_waiting: int | None = None, preload: str = "punct"
    ) -> None:
        """Make a pool; by default one core is left for the server, and any number may wait."""
        self.bounds = bounds
        self.size = size or max(1, min(4, (os.cpu_count() or 1) - 1))
        self.waiting = 0
        """How many jobs wait for a worker."""
        self._most_waiting = most_waiting
        self._preload = preload
        self._free: list[Worker] = []
        self._seats = asyncio.Semaphore(self.size)
        self._all: set[Worker] = set()
        self._closed = False

    async def run(self, job: Job[T], on_start: Callable[[], None] | None = None, on_news: OnNews | None = None) -> T:
        """Have a job done by the next free worker; ``on_start`` is called when one takes it."""
        check_room(self.waiting, self._most_waiting)
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
                return await worker.run(job, on_news)
            finally:
                await self._give_back(worker)
        finally:
            self._seats.release()

    def warm(self) -> None:
        """Start a worker ahead of time, so that the first job need not wait for it."""
        if not self._all and not self._closed:
            with contextlib.suppress(OSError):  # whoever needs it will be told
                self._free.append(self._start())

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        workers, self._all, self._free = self._all, set(), []
        await asyncio.gather(*(asyncio.to_thread(worker.close) for worker in workers))

    def _start(self) -> Worker:
        worker = Worker(self.bounds, self._preload)
        self._all.add(worker)
        return worker

    async def _take(self) -> Worker:
        if self._closed:
            raise WorkError("The server is shutting down.")
        while self._free:
            worker = self._free.pop()
            if worker.is_alive:
                return worker
            await self._discard(worker)
        try:
            return self._start()
        except OSError as error:
            _log.error("no process for a job: %s", error)
            raise WorkError("The machine has no room for another process now.") from None

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


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C: a process started meanwhile does not get it before it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
