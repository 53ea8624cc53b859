"""The worker process: runs one job after another, each cancelled on request.

It is loaded in the worker, so it imports nothing of the rest of the server.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from punct.errors import PunctError

Result_co = TypeVar("Result_co", covariant=True)
ReportProgress = Callable[[Any], None]
"""Sends a value about the progress of a job to the server."""


class Job(Protocol[Result_co]):
    """A job for a worker. Both it and its result are pickled."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> Result_co:
        """Return the result, which is ignored once ``cancel`` is set. A PunctError is passed on to the caller."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The resources that a worker may use."""

    seconds: float
    """For one job, including the start of the process; then the process is killed."""
    memory_mb: int | None = None
    """Of address space, where the system can limit it."""
    is_low_priority: bool = False
    """Whether the server and the engines take precedence on a busy machine."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Cancels the running job, if any."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A value about the progress of the running job."""

    value: Any


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a job."""

    result: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The library refused the input of a job."""

    error: PunctError


@dataclass(frozen=True, slots=True)
class Failed:
    """The job raised an unexpected exception; the message is for the log."""

    message: str


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The job exceeded its memory limit. The process exits."""


WorkerMessage = Progress | Done | Refused | Failed | OutOfMemory


def work(pipe: Connection, limits: WorkerLimits, preload: str) -> None:
    """Run one job after another until the server has exited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then kills its workers
    jobs: SimpleQueue[tuple[Job[Any], threading.Event]] = SimpleQueue()
    importlib.import_module(preload)  # before the first job waits for it
    _apply_limits(limits)
    threading.Thread(target=_listen, args=(pipe, jobs), daemon=True).start()
    while True:
        job, cancel = jobs.get()
        message = _run(job, lambda value: pipe.send(Progress(value)), cancel)
        try:
            pipe.send(message)
        except OSError:
            pass  # the server has exited, or has closed the pipe
        except Exception:  # a result that cannot be pickled, or no memory to pickle it
            os._exit(1)
        if isinstance(message, OutOfMemory):
            os._exit(1)


def _run(job: Job[Any], report: ReportProgress, cancel: threading.Event) -> WorkerMessage:
    """Run a job; an exception becomes a message, and the process goes on: the server decides about it."""
    try:
        return Done(job.run(report, cancel))
    except PunctError as error:
        return Refused(error)
    except MemoryError:
        return OutOfMemory()
    except Exception as error:
        return Failed(f"{type(error).__name__}: {error}")


def _apply_limits(limits: WorkerLimits) -> None:
    if limits.is_low_priority and hasattr(os, "nice"):
        os.nice(3)
    if limits.memory_mb is not None and sys.platform != "win32":
        import resource

        # Systems that cannot limit it raise an error, or ignore it; there only the time limit applies.
        with contextlib.suppress(OSError, ValueError):
            max_bytes = limits.memory_mb * 1024 * 1024
            resource.setrlimit(resource.RLIMIT_AS, (max_bytes, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _listen(pipe: Connection, jobs: SimpleQueue[tuple[Job[Any], threading.Event]]) -> None:
    """Queue jobs; cancel the current one on request, and exit when the server has."""
    cancel = threading.Event()
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if isinstance(message, Cancel):
            cancel.set()
        else:
            cancel = threading.Event()
            jobs.put((message, cancel))
