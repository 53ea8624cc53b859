"""SQLite: one file in a folder, on this machine."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
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
        with told_apart(), contextlib.closing(connect(self._path)) as connection:
            connection.execute("VACUUM INTO ?", (str(file),))

    def disconnect(self) -> None:
        """Close every connection; the writer's last, so that what is left in the journal is put away."""
        self._idle.close()
        if self._writer is None:
            with contextlib.suppress(sqlite3.Error):
                self._writer = connect(self._path)
        if self._writer is not None:
            self._writer.close()

    def _reader(self) -> sqlite3.Connection:
        return self._idle.take() or connect(self._path, readonly=True)


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
