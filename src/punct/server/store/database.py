"""A database, of either kind: SQLite's file in a folder, or PostgreSQL at an address.

The tables and what is asked of them are SQLAlchemy's, but what is asked hundreds of times a second is put into SQL once
and goes straight to the driver: between the two, a move would cost the processor five times as much.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from punct.server.store.faults import StoreBusyError, StoreError
from punct.server.store.writer import Writer

LOCK_SECONDS: Final = 3.0
"""How long a change waits for another program's lock, or for a database that went away, before it is refused."""

Result = TypeVar("Result")
_NOTHING: Final[Mapping[str, Any]] = {}


class Cursor(Protocol):
    """What came of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows were added, changed or removed."""

    def fetchone(self) -> Any:
        """Return the next row; None after the last."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """Go through the rows."""


class Connection(Protocol):
    """Where statements go, with their values by name. Rows are tuples, alike from both databases.

    A statement that fails ends its transaction: let the error through, nothing of it is kept.
    """

    def execute(self, statement: str, values: Mapping[str, Any] = _NOTHING, /) -> Cursor:
        """Ask or change something."""

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> object:
        """Do the same with one set of values after another."""


class Closable(Protocol):
    """A driver's connection."""

    def close(self) -> None:
        """Close it."""


Kept = TypeVar("Kept", bound=Closable)


class Idle(Generic[Kept]):
    """Connections that nobody uses just now, for whoever reads next."""

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: deque[Kept] = deque()
        self._closed = False

    def take(self) -> Kept | None:
        """Return one; None if there is none."""
        try:
            return self._kept.pop()
        except IndexError:
            return None

    def give_back(self, connection: Kept) -> None:
        """Keep one; after the end it is closed."""
        self._kept.append(connection)
        if self._closed:
            self.clear()

    def close(self) -> None:
        """Close all, and those that are still to come."""
        self._closed = True
        self.clear()

    def clear(self) -> None:
        """Close all."""
        while (connection := self.take()) is not None:
            connection.close()


class Database(ABC):
    """An open database: readers, each of which sees one state of it, and one writer, whose changes come in turn."""

    def __init__(self) -> None:
        """Start the writer."""
        self.writer = Writer(self)

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Have a connection whose every question is about the same state, whatever is written meanwhile."""

    @abstractmethod
    def ask(self, statement: str, values: Mapping[str, Any] = _NOTHING) -> list[Any]:
        """Return what one question finds; the quickest way if there is but one."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """Have a transaction: on the disk when this is left, undone if it is left by an error. For the writer."""

    def change(self, change: Callable[[Connection], Result]) -> Future[Result]:
        """Have something changed, in a transaction with whatever else waits; see ``Writer.submit``."""
        return self.writer.submit(change)

    def take_time(self) -> None:
        """Let every question take as long as it needs: for programs in which nobody waits for an answer."""
        return

    def hurry(self) -> None:
        """Wait for a database that does not answer only for a moment from now on: the server ends."""
        return

    def close(self) -> None:
        """Make the changes that wait, and close every connection."""
        self.hurry()
        self.writer.close()
        self.disconnect()

    @abstractmethod
    def disconnect(self) -> None:
        """Close every connection."""


def open_database(where: Path | str) -> Database:
    """Open the database in a folder, making both where missing, or at an address; bring its tables up to date."""
    if is_address(where):
        from punct.server.store.postgresql import open_at  # its driver is not everybody's

        return open_at(str(where))
    from punct.server.store.sqlite import open_in

    return open_in(Path(where))


def open_as_it_is(where: Path | str) -> Database:
    """Open a database that is there, and leave its tables as they are, whichever version's that is."""
    if is_address(where):
        from punct.server.store.postgresql import PostgresqlDatabase

        return PostgresqlDatabase(str(where))
    from punct.server.store.sqlite import FILE, SqliteDatabase

    if not (Path(where) / FILE).is_file():
        raise StoreError(f"there are no games in {where}")
    return SqliteDatabase(Path(where) / FILE)


def check_version(opened: Database) -> None:
    """Raise StoreError if a database's tables are those of another version of this program."""
    from punct.server.store.steps import revisions

    try:
        steps = [step for (step,) in opened.ask("SELECT version_num FROM alembic_version")]
    except StoreBusyError:
        raise
    except StoreError:  # there is no such table
        steps = []
    if steps != revisions()[-1:]:
        there = f"are at step {steps[0]}" if steps else "are not there yet"
        raise StoreError(
            f"its tables {there}, and this version of the program needs {revisions()[-1]}; use the version that the "
            "server has, or let punct admin migrate, or a server of this version, bring them up to date"
        )


def migrate_to(where: Path | str, revision: str | None = None) -> str:
    """Bring the tables of a database up to date, then down to what an earlier version had; return at which step."""
    from punct.server.store.steps import revisions, step_back

    known = revisions()
    if revision is not None and revision not in known:
        raise StoreError(f"there is no step {revision}; there are {', '.join(known)}")
    open_database(where).close()
    if revision in (None, known[-1]):
        return known[-1]
    if is_address(where):
        from punct.server.store.postgresql import migrating as at_address

        engine = at_address(str(where))
    else:
        from punct.server.store.sqlite import FILE
        from punct.server.store.sqlite import migrating as in_file

        engine = in_file(Path(where) / FILE)
    try:
        step_back(engine, str(revision))
    finally:
        engine.dispose()
    return str(revision)


def is_address(where: Path | str) -> bool:
    """Tell the address of a database from a folder."""
    return isinstance(where, str) and where.startswith(("postgresql://", "postgres://"))
