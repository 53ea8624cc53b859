"""The only writer of a process: one thread that commits all pending changes together, one transaction after another."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from punct.server.db.errors import (
    CommitUnknownError,
    ConflictError,
    ConnectionLostError,
    RetryError,
    StoreBusyError,
    StoreError,
)

if TYPE_CHECKING:
    from punct.server.db.database import Connection, Database

Result = TypeVar("Result")
_log = logging.getLogger(__name__)

MAX_BATCH: Final = 256
"""Changes in one transaction."""
_MAX_ATTEMPTS: Final = 6
"""How often a change is tried that fails with RetryError."""
_BACKOFF_SECONDS: Final = 0.02
"""The delay before the second attempt; it doubles before each further one."""
CLOSE_SECONDS: Final = 15.0
"""How long the pending changes may take when the server shuts down. A database that responds needs far less."""


_Pending = tuple["Callable[[Connection], Any]", "Future[Any]"]


class Writer:
    """Applies changes in the order of submission. A change is on the disk before its future has a result.

    A commit waits for the disk, as long for fifty changes as for one: so all changes that are submitted during one
    commit are stored together by the next.
    """

    def __init__(self, database: Database) -> None:
        """Start the thread."""
        self._database = database
        self._queue: SimpleQueue[_Pending | None] = SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="punct-writer", daemon=True)
        self._thread.start()

    def submit(self, change: Callable[[Connection], Result]) -> Future[Result]:
        """Queue a change. It may be tried several times, and must raise ConflictError before it changes anything.

        Other programs may write concurrently: so a change states what it is based on, as a revision in an update's
        ``where``, or relies on a unique key, which raises DuplicateKeyError.
        """
        future: Future[Result] = Future()
        with self._lock:
            if self._closed:
                raise StoreError("The server is shutting down.")
            self._queue.put((change, future))
        return future

    def close(self) -> None:
        """Apply the pending changes, then stop. Those that take too long are lost, and their futures never done."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            _log.error("the store does not respond: about %d pending changes are lost", self._queue.qsize())

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, is_last = self._take_batch(first)
            self._store([pending for pending in batch if pending[1].set_running_or_notify_cancel()])
            if is_last:
                return

    def _take_batch(self, first: _Pending) -> tuple[list[_Pending], bool]:
        """Return all pending changes, and whether the writer was closed after them."""
        batch = [first]
        while len(batch) < MAX_BATCH:
            try:
                pending = self._queue.get_nowait()
            except Empty:
                break
            if pending is None:
                return batch, True
            batch.append(pending)
        return batch, False

    def _store(self, batch: list[_Pending]) -> None:
        """Store changes together, or, if one of them makes the transaction fail, each by itself."""
        if not batch:
            return
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            error = self._commit(batch)
            if error is None:
                return
            if not isinstance(error, RetryError) or attempt == _MAX_ATTEMPTS:
                break
            if len(batch) > 1 and not isinstance(error, ConnectionLostError):
                break  # each by itself locks less, and conflicts less
            time.sleep(_BACKOFF_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1.0))  # out of step with others
        # A database that is busy or unreachable would refuse each of them as well, and what may be stored already must
        # not be applied again: its error would say that nothing has changed.
        is_final = isinstance(error, CommitUnknownError) or (
            isinstance(error, StoreBusyError) and not isinstance(error, RetryError)
        )
        if len(batch) > 1 and not is_final:
            for pending in batch:
                self._store([pending])
        else:
            if isinstance(error, StoreError):
                error.is_rolled_back = not isinstance(error, CommitUnknownError)
            for _, future in batch:
                future.set_exception(error)

    def _commit(self, batch: list[_Pending]) -> BaseException | None:
        """Apply changes in one transaction; if that fails nothing is stored, and the error is returned."""
        results: list[tuple[Future[Any], Any, ConflictError | None]] = []
        try:
            with self._database.write_transaction() as connection:
                for change, future in batch:
                    try:
                        results.append((future, change(connection), None))
                    except ConflictError as error:  # it has changed nothing: the others can go on
                        results.append((future, None, error))
        except BaseException as error:
            return error
        for future, result, conflict in results:
            if conflict is None:
                future.set_result(result)
            else:
                future.set_exception(conflict)
        return None
