"""The database: SQLite in a folder, or PostgreSQL at a URL, behind one interface.

Tables and statements are SQLAlchemy expressions, but statements are compiled to SQL once and go straight to the driver,
on connections from a small pool. Measured by ``python -m bench.database`` on SQLite in memory: SQLAlchemy's execution
takes 7 times the processor time for the statements of a move, its ``QueuePool`` 2 times for a read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from punct.server.db.errors import StoreBusyError, StoreError
from punct.server.db.writer import Writer

Result = TypeVar("Result")

LOCK_SECONDS: Final = 3.0
"""How long a change waits for another program's lock, or for a database that is unreachable, before it fails."""
_NO_VALUES: Final[Mapping[str, Any]] = {}


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows were inserted, updated or deleted."""

    def fetchone(self) -> Any:
        """Return the next row; None after the last."""

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows."""


class Connection(Protocol):
    """A connection that executes statements with named values. Rows are tuples, alike from both databases.

    A statement that fails aborts its transaction: do not catch the error; nothing of the transaction is stored.
    """

    def execute(self, statement: str, values: Mapping[str, Any] = _NO_VALUES, /) -> Cursor:
        """Execute a statement."""

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> object:
        """Execute a statement with one set of values after another."""


class Closable(Protocol):
    """A driver's connection."""

    def close(self) -> None:
        """Close it."""


DriverConnection = TypeVar("DriverConnection", bound=Closable)


class ConnectionPool(Generic[DriverConnection]):
    """Idle connections, for any thread. The last one released is acquired first.

    It has no upper bound, as few threads read. A caller that acquires None opens a connection and releases that one.
    """

    def __init__(self) -> None:
        """Create an empty pool."""
        self._idle: deque[DriverConnection] = deque()
        self._closed = False

    def acquire(self) -> DriverConnection | None:
        """Return an idle connection; None if there is none."""
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def release(self, connection: DriverConnection) -> None:
        """Put a connection back; a closed pool closes it."""
        self._idle.append(connection)
        if self._closed:
            self.clear()

    def close(self) -> None:
        """Close all idle connections, and every connection that is released later."""
        self._closed = True
        self.clear()

    def clear(self) -> None:
        """Close all idle connections."""
        while (connection := self.acquire()) is not None:
            connection.close()


class Database(ABC):
    """An open database: readers, each with a consistent snapshot, and one writer that applies changes in order."""

    def __init__(self) -> None:
        """Start the writer."""
        self.writer = Writer(self)

    @abstractmethod
    def read_transaction(self) -> AbstractContextManager[Connection]:
        """Open a read-only transaction: all its statements see the same snapshot, whatever is written meanwhile."""

    @abstractmethod
    def fetch_all(self, statement: str, values: Mapping[str, Any] = _NO_VALUES) -> list[Any]:
        """Return the rows of one statement; the fastest way to execute a single one."""

    @abstractmethod
    def write_transaction(self) -> AbstractContextManager[Connection]:
        """Open a transaction, committed to the disk at the end, rolled back by an exception. Only the writer does."""

    def change(self, change: Callable[[Connection], Result]) -> Future[Result]:
        """Apply a change, in one transaction with the other pending ones; see ``Writer.submit``."""
        return self.writer.submit(change)

    def disable_timeouts(self) -> None:
        """Let statements take as long as they need: for programs that nobody waits for."""
        return

    def shorten_timeouts(self) -> None:
        """Give up on an unresponsive database soon from now on: the server is shutting down."""
        return

    def close(self) -> None:
        """Apply the pending changes, and close every connection."""
        self.shorten_timeouts()
        self.writer.close()
        self.disconnect()

    @abstractmethod
    def disconnect(self) -> None:
        """Close every connection."""


def open_database(location: Path | str) -> Database:
    """Open the database in a folder or at a URL, create what is missing, and upgrade its tables."""
    if is_database_url(location):
        from punct.server.db.postgresql import open_postgresql  # its driver is optional

        return open_postgresql(str(location))
    from punct.server.db.sqlite import open_sqlite

    return open_sqlite(Path(location))


def open_without_migrating(location: Path | str) -> Database:
    """Open an existing database, and leave its tables at their revision, whichever that is."""
    if is_database_url(location):
        from punct.server.db.postgresql import PostgresqlDatabase

        return PostgresqlDatabase(str(location))
    from punct.server.db.sqlite import FILE_NAME, SqliteDatabase

    if not (Path(location) / FILE_NAME).is_file():
        raise StoreError(f"there are no games in {location}")
    return SqliteDatabase(Path(location) / FILE_NAME)


def check_version(database: Database) -> None:
    """Raise StoreError if a database's tables are at the revision of another version of this program."""
    from punct.server.db.migrate import revisions

    try:
        current = [revision for (revision,) in database.fetch_all("SELECT version_num FROM alembic_version")]
    except StoreBusyError:
        raise
    except StoreError:  # there is no such table
        current = []
    if current != revisions()[-1:]:
        state = f"are at step {current[0]}" if current else "are not there yet"
        raise StoreError(
            f"its tables {state}, and this version of the program needs {revisions()[-1]}; use the version that the "
            "server has, or let punct admin migrate, or a server of this version, bring them up to date"
        )


def migrate_to(location: Path | str, revision: str | None = None) -> str:
    """Upgrade the tables of a database, then downgrade them to a revision if one is given; return the final one."""
    from punct.server.db.migrate import downgrade, revisions

    steps = revisions()
    if revision is not None and revision not in steps:
        raise StoreError(f"there is no step {revision}; there are {', '.join(steps)}")
    open_database(location).close()
    if revision is None or revision == steps[-1]:
        return steps[-1]
    if is_database_url(location):
        from punct.server.db import postgresql

        engine = postgresql.migration_engine(str(location))
    else:
        from punct.server.db import sqlite

        engine = sqlite.migration_engine(Path(location) / sqlite.FILE_NAME)
    try:
        downgrade(engine, revision)
    finally:
        engine.dispose()
    return revision


def is_database_url(location: Path | str) -> bool:
    """Tell the URL of a database from a folder."""
    return isinstance(location, str) and location.startswith(("postgresql://", "postgres://"))
