"""SQLite: one file in a folder, on this machine."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from alembic.util.exc import CommandError
from sqlalchemy import Engine, NullPool, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from punct.server.store import database
from punct.server.store.database import Database, Idle
from punct.server.store.faults import DAMAGED, StoreDamagedError, StoreError, fault_of
from punct.server.store.steps import migrate

FILE: Final = "punct.sqlite3"
TIDY_SECONDS: Final = 1.0
"""How often the journal is looked at."""
JOURNAL_BYTES: Final = 4 * 1024 * 1024
"""From that size on it is put away: SQLite's own measure."""
MOST_JOURNAL_BYTES: Final = 64 * 1024 * 1024
"""From that size on those who write have to wait for it."""
_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
_CHECK_SECONDS: Final = 1.0
"""How long the file is looked through for damage at the start; a huge one is checked as far as that goes."""


class SqliteDatabase(Database):
    """The open file."""

    def __init__(self, path: Path) -> None:
        """Open it for readers and the writer to come."""
        super().__init__()
        self._path = path
        self._idle: Idle[sqlite3.Connection] = Idle()
        self._writer: sqlite3.Connection | None = None
        self._tidying = Tidying(path)

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Have a connection whose every question is about the same state, whatever is written meanwhile."""
        with told_apart():
            connection = self._reader()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._idle.give_back(connection)

    def ask(self, statement: str, values: Mapping[str, Any] = {}) -> list[Any]:  # it is only read
        """Return what one question finds."""
        with told_apart():
            connection = self._reader()
            try:
                return connection.execute(statement, values).fetchall()
            finally:
                self._idle.give_back(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Have a transaction: on the disk when this is left, undone if it is left by an error."""
        with told_apart():
            if self._writer is None:
                self._writer = connect(self._path)
                self._writer.execute("PRAGMA wal_autocheckpoint = 0")
                self._writer.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")  # once it is begun anew
                self._tidying.start()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def copy_to(self, file: Path) -> None:
        """Write everything, as it is at one moment, to a new file."""
        with told_apart():
            try:
                _copy(self._path, file)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _UNWRITABLE:
                    raise
                with tempfile.TemporaryDirectory() as folder:  # reading needs a file beside it: here one may be made
                    _copy(_taken_along(self._path, Path(folder)), file)

    def disconnect(self) -> None:
        """Close every connection; the writer's last, so that what is left in the journal is put away."""
        self._tidying.close()
        self._idle.close()
        if self._writer is None:
            with contextlib.suppress(sqlite3.Error):
                self._writer = connect(self._path)
        if self._writer is not None:
            self._writer.close()

    def _reader(self) -> sqlite3.Connection:
        return self._idle.take() or connect(self._path, readonly=True)


def _copy(path: Path, file: Path) -> None:
    with contextlib.closing(connect(path)) as connection:
        connection.execute("VACUUM INTO ?", (str(file),))


def _taken_along(path: Path, folder: Path) -> Path:
    """Copy a file, with what is only in its journal yet, from a folder in which nobody may write to another one."""
    for end in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{end}", folder / f"{FILE}{end}")
    return folder / FILE


class Tidying:
    """Puts away what has piled up in the journal, beside those who write.

    SQLite would have whoever commits next do it, which takes a tenth of a second on a busy disk; and everybody else's
    turn would wait with theirs.
    """

    def __init__(self, path: Path) -> None:
        """Look after the journal of a file, once started."""
        self._path = path
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._run, name="punct-journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while not self._ending.wait(TIDY_SECONDS):
            with contextlib.suppress(OSError, sqlite3.Error):  # the next time, then
                connection = connection or connect(self._path)
                self.tidy(connection)
        if connection is not None:
            connection.close()

    def tidy(self, connection: sqlite3.Connection) -> None:
        """Put away what is in the journal, if that is much."""
        journal = self._path.with_name(self._path.name + "-wal")
        size = journal.stat().st_size
        if size <= JOURNAL_BYTES:
            return
        # Nobody waits for this; the second time only for what was written during the first. A journal of which nothing
        # is left is begun anew by the next who writes. If it never comes to that, one of them has to wait, once.
        for _ in range(2):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        if size > MOST_JOURNAL_BYTES:
            connection.execute("PRAGMA wal_checkpoint(RESTART)")


def open_in(folder: Path) -> SqliteDatabase:
    """Open the database in a folder, making both where missing, and bring its tables up to date."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Says at once, and plainly, whether one may write here. Only a new file is opened, for nobody else's eyes:
        # closing one that this process uses already would end all its locks on it, and others would take the journal
        # with them as they leave.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StoreError(f"cannot write to the data folder {folder}: {error.strerror or error}") from error
    engine = migrating(path)
    try:
        migrate(engine)
        with contextlib.closing(connect(path, readonly=True)) as connection:
            _check(connection)
    except (SQLAlchemyError, sqlite3.Error) as error:
        fault = fault_of(error)
        raise type(fault)(f"{path} cannot be used: {fault}") from error
    except StoreDamagedError as fault:
        raise StoreDamagedError(f"{path} cannot be used: {fault}") from None
    except CommandError as error:
        raise StoreError(f"{path} was written by a newer version of this program") from error
    finally:
        engine.dispose()
    return SqliteDatabase(path)


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """Return a connection, for any thread but one at a time, that begins transactions only when told."""
    connection = sqlite3.connect(path, timeout=database.LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    for pragma in (
        "journal_mode = WAL",  # readers never wait for a writer
        "synchronous = FULL",  # an answered turn survives a power cut, not only a killed process
        "foreign_keys = ON",
        f"query_only = {'ON' if readonly else 'OFF'}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    if readonly:  # a damaged letter is one game's, not that of everybody who asks for the list
        connection.text_factory = lambda written: str(written, "utf-8", "replace")
    return connection


def migrating(path: Path) -> Engine:
    """Return SQLAlchemy's way into the file, for migrations."""
    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


@contextlib.contextmanager
def told_apart() -> Iterator[None]:
    """Turn the driver's errors into the store's."""
    try:
        yield
    except sqlite3.Error as error:
        raise fault_of(error) from error


def _check(connection: sqlite3.Connection) -> None:
    """Look through the file for damage, for a while."""
    end = time.monotonic() + _CHECK_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, 100_000)
    try:
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return
    finally:
        connection.set_progress_handler(None, 0)
    if found != "ok":
        raise StoreDamagedError(f"{DAMAGED}.")
