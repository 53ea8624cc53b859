"""What runs in a worker process: one job after another, each stopped when told.

Loaded in the worker, so it imports nothing of the rest of the server.
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

Answer_co = TypeVar("Answer_co", covariant=True)
Tell = Callable[[Any], None]
"""Sends news of a job to whoever waits for it."""


class Job(Protocol[Answer_co]):
    """Something to be done in a worker. It travels there and its answer back, so both must be picklable."""

    def run(self, tell: Tell, cancel: threading.Event) -> Answer_co:
        """Do it. Nobody wants the answer any more once ``cancel`` is set; a PunctError is an answer too."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a worker may use."""

    seconds: float
    """For one job, its own start counted in; then the process is ended."""
    memory_mb: int | None = None
    """Address space for all it does, where the system can bound that."""
    gives_way: bool = False
    """Whether the server and the engines go first on a busy machine."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends the job under way, if any."""


@dataclass(frozen=True, slots=True)
class News:
    """Something to know before the answer comes."""

    what: Any


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it."""

    answer: Any


@dataclass(frozen=True, slots=True)
class Refused:
    """The job was given something the library refuses."""

    error: PunctError


@dataclass(frozen=True, slots=True)
class Broken:
    """The job broke down; what it says is for the log."""

    message: str


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The job wanted more memory than it may have. The process ends."""


Told = News | Done | Refused | Broken | OutOfMemory


def work(pipe: Connection, bounds: Bounds, preload: str) -> None:
    """Do one job after another until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends its workers
    jobs: SimpleQueue[tuple[Job[Any], threading.Event]] = SimpleQueue()
    importlib.import_module(preload)  # while nobody waits for it yet
    _bound(bounds)
    threading.Thread(target=_listen, args=(pipe, jobs), daemon=True).start()
    while True:
        job, cancel = jobs.get()
        told = attempt(job, lambda what: pipe.send(News(what)), cancel)
        try:
            pipe.send(told)
        except OSError:
            pass  # the server is gone, or has given up on this process
        except Exception:  # an answer that cannot travel, or no memory left to pack it
            os._exit(1)
        if isinstance(told, OutOfMemory):
            os._exit(1)


def attempt(job: Job[Any], tell: Tell, cancel: threading.Event) -> Told:
    """Do a job; whatever goes wrong, the next may be fine: the server decides what to do about it."""
    try:
        return Done(job.run(tell, cancel))
    except PunctError as error:
        return Refused(error)
    except MemoryError:
        return OutOfMemory()
    except Exception as error:
        return Broken(f"{type(error).__name__}: {error}")


def _bound(bounds: Bounds) -> None:
    if bounds.gives_way and hasattr(os, "nice"):
        os.nice(3)
    if bounds.memory_mb is not None and sys.platform != "win32":
        import resource

        # Systems that cannot bound it say so, or pretend they do; there the time limit alone holds.
        with contextlib.suppress(OSError, ValueError):
            limit = bounds.memory_mb * 1024 * 1024
            resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _listen(pipe: Connection, jobs: SimpleQueue[tuple[Job[Any], threading.Event]]) -> None:
    """Pass on jobs; stop the current one when told, and the whole process when the server is gone."""
    cancel = threading.Event()
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if isinstance(message, Stop):
            cancel.set()
        else:
            cancel = threading.Event()
            jobs.put((message, cancel))
