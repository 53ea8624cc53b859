"""The only writer: one thread, one transaction after another, each with every change that waited for the last one."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from punct.server.store.faults import AgainError, ConflictError, LostError, StoreBusyError, StoreError

if TYPE_CHECKING:
    from punct.server.store.database import Connection, Database

MOST_TOGETHER: Final = 256
"""How many changes one transaction may hold."""
_TRIES: Final = 6
"""How often a change is made anew that others came in the way of, or that went under with its connection."""
_PAUSE_SECONDS: Final = 0.02
"""Before the second try; before each further one, twice as long as before the last."""

CLOSE_SECONDS: Final = 15.0
"""How long the changes that wait may take when the server ends. A database that answers needs a moment."""

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
_Job = tuple["Callable[[Connection], Any]", "Future[Any]"]


class Writer:
    """Makes changes in the order they come. A change is on the disk before its future has a result.

    Waiting for the disk is what takes time, and it takes as long for fifty changes as for one: so those that come in
    meanwhile are stored together next.
    """

    def __init__(self, database: Database) -> None:
        """Start the thread."""
        self._database = database
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="punct-writer", daemon=True)
        self._thread.start()

    def submit(self, change: Callable[[Connection], Result]) -> Future[Result]:
        """Have a change made. It may be tried several times, and must raise ConflictError before it changes anything.

        Other programs may change the same meanwhile: so it states what it was made for, as a revision in an update's
        ``where``, or relies on a unique key, which raises TakenError.
        """
        future: Future[Result] = Future()
        with self._lock:
            if self._closed:
                raise StoreError("The server is shutting down.")
            self._queue.put((change, future))
        return future

    def close(self) -> None:
        """Make the changes that wait, then end. Those that cannot be made in time are not, and nobody is answered."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            _log.error("the store does not answer: about %d changes that waited are lost", self._queue.qsize())

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            jobs, last = self._waiting(first)
            self._store([job for job in jobs if job[1].set_running_or_notify_cancel()])
            if last:
                return

    def _waiting(self, first: _Job) -> tuple[list[_Job], bool]:
        """Return everything that waits, and whether it is the last there will be."""
        jobs = [first]
        while len(jobs) < MOST_TOGETHER:
            try:
                job = self._queue.get_nowait()
            except Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _store(self, jobs: list[_Job]) -> None:
        """Make changes together, or, if one of them stands in the others' way, each for itself."""
        if not jobs:
            return
        for tried in range(1, _TRIES + 1):
            error = self._make(jobs)
            if error is None:
                return
            if not isinstance(error, AgainError) or tried == _TRIES:
                break
            if len(jobs) > 1 and not isinstance(error, LostError):
                break
            time.sleep(_PAUSE_SECONDS * 2 ** (tried - 1) * random.uniform(0.5, 1.0))  # not in step with the others
        if len(jobs) > 1 and (isinstance(error, AgainError) or not isinstance(error, StoreBusyError)):
            for job in jobs:
                self._store([job])
        else:
            for _, future in jobs:
                future.set_exception(error)

    def _make(self, jobs: list[_Job]) -> BaseException | None:
        """Make changes in one transaction; if that fails nothing is changed, and the error is returned."""
        results: list[tuple[Future[Any], Any, ConflictError | None]] = []
        try:
            with self._database.writing() as connection:
                for change, future in jobs:
                    try:
                        results.append((future, change(connection), None))
                    except ConflictError as error:  # nothing was changed: the others may go on
                        results.append((future, None, error))
        except BaseException as error:
            return error
        for future, result, conflict in results:
            if conflict is None:
                future.set_result(result)
            else:
                future.set_exception(conflict)
        return None
