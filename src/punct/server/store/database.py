"""Opening the embedded database and bringing it up to date.

The tables and what is asked of them are SQLAlchemy's, but what is asked hundreds of times a second is put into SQL once
and goes straight to the driver: between the two, a move would cost the processor five times as much.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Engine, NullPool, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from punct.server.store.faults import DAMAGED, StoreDamagedError, StoreError, fault_of, told_apart

FILE: Final = "punct.sqlite3"
LOCK_SECONDS: Final = 3.0
"""How long a change waits for another program's lock before it is refused."""
_CHECK_SECONDS: Final = 1.0
"""How long the file is looked through for damage at the start; a huge one is checked as far as that goes."""
_MIGRATIONS: Final = Path(__file__).parent / "migrations"


class Database:
    """The open file: connections for readers, each of which sees one state of it, and one for the writer."""

    def __init__(self, path: Path) -> None:
        """Open it for readers and the writer to come."""
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._writer: sqlite3.Connection | None = None
        self._closed = False

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Have a connection whose every question is about the same state, whatever is written meanwhile."""
        with told_apart():
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = connect(self._path, readonly=True)
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._idle.append(connection)
                if self._closed:
                    self._drop_idle()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Have a transaction: on the disk when this is left, undone if it is left by an error. For one thread."""
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

    def close(self) -> None:
        """Close every connection; the writer's last, so that what is left in the journal is put away."""
        self._closed = True
        self._drop_idle()
        if self._writer is None:
            with contextlib.suppress(sqlite3.Error):
                self._writer = connect(self._path)
        if self._writer is not None:
            self._writer.close()

    def _drop_idle(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()


def open_database(folder: Path) -> Database:
    """Open the database in a folder, making both where missing, and bring its tables up to date."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):  # says at once, and plainly, whether one may write here
            pass
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
    return Database(path)


def connect(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """Return a connection, for any thread but one at a time, that begins transactions only when told."""
    connection = sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)
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


def migrate(engine: Engine, revision: str = "head") -> None:
    """Step the tables up to a revision."""
    with engine.begin() as connection:
        command.upgrade(_config(connection), revision)


def step_back(engine: Engine, revision: str) -> None:
    """Step the tables down to a revision (``base``: none left)."""
    with engine.begin() as connection:
        command.downgrade(_config(connection), revision)


def revisions() -> list[str]:
    """Return the names of all steps, first to last."""
    return [script.revision for script in ScriptDirectory.from_config(_config(None)).walk_revisions()][::-1]


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


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
