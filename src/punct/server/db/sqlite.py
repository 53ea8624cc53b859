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

from punct.server.db import database
from punct.server.db.database import ConnectionPool, Database
from punct.server.db.errors import DAMAGED_MESSAGE, StoreDamagedError, StoreError, translate_error
from punct.server.db.migrate import upgrade

FILE_NAME: Final = "punct.sqlite3"
CHECKPOINT_SECONDS: Final = 1.0
"""How often the size of the journal is checked."""
CHECKPOINT_BYTES: Final = 4 * 1024 * 1024
"""The size of the journal from which on it is checkpointed: SQLite's default."""
MAX_JOURNAL_BYTES: Final = 64 * 1024 * 1024
"""The size of the journal from which on a checkpoint blocks the writer."""
_UNWRITABLE: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})
_MAX_CHECK_SECONDS: Final = 1.0
"""How long the file is checked for damage at the start; a huge one is checked only in part."""


class SqliteDatabase(Database):
    """The open file."""

    def __init__(self, path: Path) -> None:
        """Prepare the file; connections are opened when needed."""
        super().__init__()
        self._path = path
        self._pool: ConnectionPool[sqlite3.Connection] = ConnectionPool()
        self._writer: sqlite3.Connection | None = None
        self._checkpointer = Checkpointer(path)

    @contextlib.contextmanager
    def read_transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a read-only transaction: all its statements see the same snapshot."""
        with translate_errors():
            connection = self._acquire_reader()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._pool.release(connection)

    def fetch_all(self, statement: str, values: Mapping[str, Any] = {}) -> list[Any]:  # it is only read
        """Return the rows of one statement."""
        with translate_errors():
            connection = self._acquire_reader()
            try:
                return connection.execute(statement, values).fetchall()
            finally:
                self._pool.release(connection)

    @contextlib.contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction, committed to the disk at the end, rolled back by an exception."""
        with translate_errors():
            if self._writer is None:
                self._writer = connect(self._path)
                self._writer.execute("PRAGMA wal_autocheckpoint = 0")
                self._writer.execute(f"PRAGMA journal_size_limit = {CHECKPOINT_BYTES}")  # when it is restarted
                self._checkpointer.start()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def copy_to(self, file: Path) -> None:
        """Write a snapshot of everything to a new file."""
        with translate_errors():
            try:
                _vacuum_into(self._path, file)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _UNWRITABLE:
                    raise
                with tempfile.TemporaryDirectory() as folder:  # reading creates a file beside it: possible there
                    _vacuum_into(_copy_file(self._path, Path(folder)), file)

    def disconnect(self) -> None:
        """Close every connection; the writer's last, so that SQLite checkpoints and removes the journal."""
        self._checkpointer.close()
        self._pool.close()
        if self._writer is None:
            with contextlib.suppress(sqlite3.Error):
                self._writer = connect(self._path)
        if self._writer is not None:
            self._writer.close()

    def _acquire_reader(self) -> sqlite3.Connection:
        return self._pool.acquire() or connect(self._path, readonly=True)


def _vacuum_into(path: Path, file: Path) -> None:
    with contextlib.closing(connect(path)) as connection:
        connection.execute("VACUUM INTO ?", (str(file),))


def _copy_file(path: Path, folder: Path) -> Path:
    """Copy the file with its journal from a folder that cannot be written to; return the copy's path."""
    for suffix in ("", "-wal"):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}{suffix}", folder / f"{FILE_NAME}{suffix}")
    return folder / FILE_NAME


class Checkpointer:
    """Copies the journal's pages into the file, on a thread of its own.

    SQLite's automatic checkpoint would run inside a commit, which takes a tenth of a second on a busy disk, and every
    move in the queue would wait for it.
    """

    def __init__(self, path: Path) -> None:
        """Prepare to checkpoint the journal of a file."""
        self._path = path
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="punct-journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        connection: sqlite3.Connection | None = None
        while not self._closing.wait(CHECKPOINT_SECONDS):
            with contextlib.suppress(OSError, sqlite3.Error):  # the next round tries again
                connection = connection or connect(self._path)
                self.checkpoint(connection)
        if connection is not None:
            connection.close()

    def checkpoint(self, connection: sqlite3.Connection) -> None:
        """Checkpoint the journal if it is large."""
        journal = self._path.with_name(self._path.name + "-wal")
        size = journal.stat().st_size
        if size <= CHECKPOINT_BYTES:
            return
        # A passive checkpoint blocks nobody; the second one covers only what was written during the first. The next
        # commit restarts a journal that is checkpointed completely. If that never happens, RESTART blocks one commit.
        for _ in range(2):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        if size > MAX_JOURNAL_BYTES:
            connection.execute("PRAGMA wal_checkpoint(RESTART)")


def open_sqlite(folder: Path) -> SqliteDatabase:
    """Open the database in a folder, create both if missing, and upgrade its tables."""
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Fails early, and with a clear message, if the folder cannot be written to. Only a new file is opened here,
        # readable by its owner alone: closing a file that this process has open elsewhere would release all its POSIX
        # locks on it, and another process would delete the journal on leaving.
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
        elif not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StoreError(f"cannot write to the data folder {folder}: {error.strerror or error}") from error
    engine = migration_engine(path)
    try:
        upgrade(engine)
        with contextlib.closing(connect(path, readonly=True)) as connection:
            _check(connection)
    except (SQLAlchemyError, sqlite3.Error) as error:
        translation = translate_error(error)
        raise type(translation)(f"{path} cannot be used: {translation}") from error
    except StoreDamagedError as error:
        raise StoreDamagedError(f"{path} cannot be used: {error}") from None
    except CommandError as error:
        raise StoreError(f"{path} was written by a newer version of this program") from error
    finally:
        engine.dispose()
    return SqliteDatabase(path)


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """Return a connection in autocommit mode, for any thread but one at a time."""
    connection = sqlite3.connect(path, timeout=database.LOCK_SECONDS, isolation_level=None, check_same_thread=False)
    for pragma in (
        "journal_mode = WAL",  # readers never wait for a writer
        "synchronous = FULL",  # an acknowledged move survives a power failure, not only a killed process
        "foreign_keys = ON",
        f"query_only = {'ON' if readonly else 'OFF'}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    if readonly:  # an invalid byte in one game must not make the list of all games fail
        connection.text_factory = lambda text: str(text, "utf-8", "replace")
    return connection


def migration_engine(path: Path) -> Engine:
    """Return a SQLAlchemy engine for the migrations."""
    engine = create_engine("sqlite://", creator=lambda: connect(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Turn the driver's errors into the store's."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate_error(error) from error


def _check(connection: sqlite3.Connection) -> None:
    """Check the file for damage, for at most ``_MAX_CHECK_SECONDS``."""
    deadline = time.monotonic() + _MAX_CHECK_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
    try:
        (result,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return
    finally:
        connection.set_progress_handler(None, 0)
    if result != "ok":
        raise StoreDamagedError(f"{DAMAGED_MESSAGE}.")
