"""Pools of worker processes: no job blocks the server, and every job can be killed."""

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

from punct.server.workers.process import (
    Cancel,
    Done,
    Failed,
    Job,
    OutOfMemory,
    Progress,
    Refused,
    WorkerLimits,
    WorkerMessage,
    work,
)

T = TypeVar("T")
_log = logging.getLogger(__name__)
STOP_SECONDS: Final = 1.0
"""A worker that does not finish so soon after a cancellation is killed."""

OnProgress = Callable[[Any], None]
"""Called with each value that a job reports."""


class JobError(Exception):
    """A job failed. The message is for users and reveals no internals."""


class JobLimitError(JobError):
    """The job exceeded its limit of time or memory."""


class QueueFullError(JobError):
    """Too many jobs are queued."""

    def __init__(self) -> None:
        super().__init__("Too many wait for this already; try again in a while.")


class QueueTimeoutError(JobError):
    """No worker started the job in time."""


class JobNotStartedError(JobError):
    """No worker had started the job when this process began to end: nothing of it was done."""

    def __init__(self) -> None:
        super().__init__("The server is shutting down.")


class Worker:
    """One process that runs one job at a time."""

    def __init__(self, limits: WorkerLimits, preload: str = "punct") -> None:
        """Start the process; must be called on the event loop."""
        context = multiprocessing.get_context("spawn")  # forking a process with threads may deadlock
        self.limits = limits
        self._loop = asyncio.get_running_loop()
        self._pipe, worker_pipe = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=work, args=(worker_pipe, limits, preload), daemon=True, name=f"worker for {preload}"
        )
        try:
            with _interrupts_blocked():
                self._process.start()
        except BaseException:
            self._pipe.close()
            raise
        finally:
            worker_pipe.close()
        self._ended = False
        self._result: asyncio.Future[Any] | None = None
        self._on_progress: OnProgress | None = None
        # Sending may block: a large job does not fit into the pipe, and a process that is just starting does not read.
        self._outgoing: SimpleQueue[Job[Any] | Cancel | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=run, args=(self._pipe,), daemon=True) for run in (self._receive, self._send)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs and was not killed."""
        return not self._ended and self._process.is_alive()

    async def run(self, job: Job[T], on_progress: OnProgress | None = None) -> T:
        """Run a job and return its result; if the task is cancelled, the job is cancelled, or the worker killed.

        Raises JobError, or the PunctError that the job raised.
        """
        self._result = result = self._loop.create_future()
        self._on_progress = on_progress
        try:
            self._outgoing.put(job)
            async with asyncio.timeout(self.limits.seconds):
                value: T = await asyncio.shield(result)
                return value
        except TimeoutError:
            _log.warning("%s took longer than %g seconds and was killed", type(job).__name__, self.limits.seconds)
            raise JobLimitError(f"This took longer than {self.limits.seconds:g} seconds and was ended.") from None
        except asyncio.CancelledError:
            self._on_progress = None
            self._outgoing.put(Cancel())
            await asyncio.wait([result], timeout=STOP_SECONDS)
            raise
        finally:
            self._result = self._on_progress = None
            if result.done():
                result.exception()  # asyncio logs an exception that is never retrieved
            else:
                self.kill()  # it still runs, and must not answer the next job with the result of this one

    def kill(self) -> None:
        """Kill the process."""
        self._ended = True
        self._process.kill()

    def close(self) -> None:
        """Kill the process and free its resources. Blocks briefly."""
        self.kill()
        self._outgoing.put(None)
        self._process.join()
        for thread in self._threads:
            thread.join()
        self._pipe.close()
        self._process.close()

    def _send(self, pipe: Connection) -> None:
        """Send queued messages, on a thread, until the worker is closed."""
        with contextlib.suppress(OSError):  # the process has exited, which the other thread notices
            while (message := self._outgoing.get()) is not None:
                pipe.send(message)

    def _receive(self, pipe: Connection) -> None:
        """Pass the process's messages to the event loop, on a thread, until it exits."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed before the process
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._handle, pipe.recv())
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._handle_exit)

    def _handle_exit(self) -> None:
        self._ended = True
        self._finish(None, JobError("The process that ran this has ended."))

    def _handle(self, message: WorkerMessage) -> None:
        match message:
            case Progress():
                if self._on_progress is not None:
                    self._on_progress(message.value)
            case Done():
                self._finish(message.result)
            case Refused():
                self._finish(None, message.error)
            case Failed():
                _log.error("a job failed: %s", message.message)
                self._finish(None, JobError("This failed; the server's log says more."))
            case OutOfMemory():
                self._ended = True
                _log.warning("a job exceeded its %s MB of memory and was killed", self.limits.memory_mb)
                self._finish(None, JobLimitError("This takes more memory than it may and was ended."))

    def _finish(self, value: object, error: Exception | None = None) -> None:
        if self._result is None or self._result.done():
            return
        if error is None:
            self._result.set_result(value)
        else:
            self._result.set_exception(error)


class WorkerPool(Protocol):
    """Runs jobs of one kind: in processes of this server, or on other machines."""

    limits: WorkerLimits
    """Of one job."""
    waiting: int
    """The number of jobs that no worker has started yet."""

    async def run(
        self, job: Job[T], on_start: Callable[[], None] | None = None, on_progress: OnProgress | None = None
    ) -> T:
        """Run a job and return its result; ``on_start`` is called when a worker starts it."""

    def warm(self) -> None:
        """Prepare for a first job."""

    def refuse_waiting(self) -> None:
        """Run no job any more that no worker has started: JobNotStartedError. Those that run go on."""

    async def close(self) -> None:
        """Stop everything."""


def check_queue(waiting: int, max_waiting: int | None) -> None:
    """Raise QueueFullError if as many jobs wait as may."""
    if max_waiting is not None and waiting >= max_waiting:
        raise QueueFullError


async def run_with_queue_timeout(pool: WorkerPool, job: Job[T]) -> T:
    """Run a job for a client that waits: QueueTimeoutError if no worker starts it within the time one job may take.

    This server's own processes start every job sooner or later; on other machines there may be no worker at all.
    """
    seconds = pool.limits.seconds
    timeout = asyncio.timeout(seconds)
    try:
        async with timeout:
            return await pool.run(job, lambda: timeout.reschedule(None))
    except TimeoutError:
        if not timeout.expired():
            raise
        message = f"No worker was free within {seconds:g} seconds; try again in a while."
        raise QueueTimeoutError(message) from None


class ProcessPool:
    """Worker processes of this server, at most ``size``, started when first needed; further jobs are queued."""

    def __init__(
        self, limits: WorkerLimits, size: int | None = None, max_waiting: int | None = None, preload: str = "punct"
    ) -> None:
        """Create a pool; by default it leaves one core to the server, and queues any number of jobs."""
        self.limits = limits
        self.size = size or max(1, min(4, (os.cpu_count() or 1) - 1))
        self.waiting = 0
        """The number of jobs that wait for a worker."""
        self._max_waiting = max_waiting
        self._preload = preload
        self._idle: list[Worker] = []
        self._slots = asyncio.Semaphore(self.size)
        self._workers: set[Worker] = set()
        self._is_refusing = self._closed = False

    async def run(
        self, job: Job[T], on_start: Callable[[], None] | None = None, on_progress: OnProgress | None = None
    ) -> T:
        """Run a job in the next free worker; ``on_start`` is called when it starts."""
        check_queue(self.waiting, self._max_waiting)
        self.waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self.waiting -= 1
        try:
            if self._is_refusing:
                raise JobNotStartedError
            worker = await self._acquire()
            if on_start is not None:
                on_start()
            try:
                return await worker.run(job, on_progress)
            finally:
                await self._release(worker)
        finally:
            self._slots.release()

    def warm(self) -> None:
        """Start a worker ahead of time, so that the first job need not wait for it."""
        if not self._workers and not self._closed:
            with contextlib.suppress(OSError):  # the job that needs it reports the error
                self._idle.append(self._start())

    def refuse_waiting(self) -> None:
        """Run no job any more that waits for a worker."""
        if not self._is_refusing:
            self._is_refusing = True
            self._slots.release()  # wakes the first of them, and each of them the next

    async def close(self) -> None:
        """Kill all workers."""
        self._closed = True
        workers, self._workers, self._idle = self._workers, set(), []
        await asyncio.gather(*(asyncio.to_thread(worker.close) for worker in workers))

    def _start(self) -> Worker:
        worker = Worker(self.limits, self._preload)
        self._workers.add(worker)
        return worker

    async def _acquire(self) -> Worker:
        if self._closed:
            raise JobError("The server is shutting down.")
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            await self._discard(worker)
        try:
            return self._start()
        except OSError as error:
            _log.error("cannot start a worker process: %s", error)
            raise JobError("The machine has no room for another process now.") from None

    async def _release(self, worker: Worker) -> None:
        if self._closed:
            return
        if worker.is_alive:
            self._idle.append(worker)
        else:
            await self._discard(worker)

    async def _discard(self, worker: Worker) -> None:
        if worker in self._workers:
            self._workers.discard(worker)
            await asyncio.to_thread(worker.close)


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C: a process started meanwhile does not receive it before it ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
