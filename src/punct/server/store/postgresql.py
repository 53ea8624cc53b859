"""PostgreSQL: for several processes, and machines, that share one store."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from alembic.util.exc import CommandError
from sqlalchemy import Engine, NullPool, create_engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from punct.server.store import database
from punct.server.store.database import Cursor, Database, Idle
from punct.server.store.faults import LOST, LostError, StoreBusyError, StoreError, fault_of
from punct.server.store.sql import Statement
from punct.server.store.steps import migrate

try:
    import psycopg
    from psycopg.pq import TransactionStatus
    from psycopg.types.string import StrDumperUnknown, TextLoader
except ImportError as missing:
    raise StoreError("PostgreSQL needs two more packages: pip install 'punct[cluster]'") from missing

_CONNECT_SECONDS: Final = 5
_PAUSE_SECONDS: Final = 0.1
_SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_CHANGE: Final = "BEGIN; SELECT pg_current_xact_id()::text"
"""With the transaction's number, by which one can ask what became of it should the connection be lost at its end."""
_COMMITTED, _UNDECIDED = "committed", "in progress"


class _Text(StrDumperUnknown):
    """Writes texts. PostgreSQL keeps none with a zero character in it, which SQLite does not mind."""

    def dump(self, obj: str) -> bytes:
        kept = obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj
        return super().dump(kept)  # type: ignore[return-value]


class _Connection:
    """A connection that takes the same statements as SQLite's, and gives the same rows."""

    def __init__(self, raw: psycopg.Connection[Any]) -> None:
        self.raw = raw

    @property
    def is_lost(self) -> bool:
        return self.raw.closed

    def execute(self, statement: str, values: Mapping[str, Any] | None = None, /) -> Cursor:
        if isinstance(statement, Statement):
            return self.raw.execute(statement.postgresql.encode(), values or {})
        return self.raw.execute(statement.encode(), values)

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> None:
        with self.raw.cursor() as cursor:
            text = statement.postgresql if isinstance(statement, Statement) else statement
            cursor.executemany(text.encode(), values)

    def give_up(self) -> None:
        """Undo the transaction, if there is one."""
        if not self.raw.closed and self.raw.pgconn.transaction_status != TransactionStatus.IDLE:
            with contextlib.suppress(psycopg.Error):
                self.raw.execute("ROLLBACK")

    def close(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self.raw.close()


class PostgresqlDatabase(Database):
    """The open database. Connections that are lost are made again, without anybody's doing."""

    def __init__(self, address: str) -> None:
        """Open it for readers and the writer to come."""
        super().__init__()
        self._address = address
        self._idle: Idle[_Connection] = Idle()
        self._writer: _Connection | None = None
        self._missed = threading.Event()
        """Set while the database is known to be away: then nobody waits for it longer than one try takes."""

    @contextlib.contextmanager
    def reading(self) -> Iterator[_Connection]:
        """Have a connection whose every question is about the same state, whatever is written meanwhile."""
        with told_apart():
            connection, _ = self._first(_SNAPSHOT)
            try:
                yield connection
            finally:
                connection.give_up()
                self._give_back(connection)

    def ask(self, statement: str, values: Mapping[str, Any] = {}) -> list[Any]:  # it is only read
        """Return what one question finds."""
        with told_apart():
            connection, found = self._first(statement, values)
            try:
                return found.fetchall()
            finally:
                self._give_back(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[_Connection]:
        """Have a transaction: on the disk when this is left, undone if it is left by an error."""
        with told_apart():
            connection, number = self._begin()
            try:
                yield connection
            except BaseException as error:
                connection.give_up()
                if connection.is_lost and isinstance(error, psycopg.Error):
                    raise LostError(*LOST.args) from error  # it was not told to commit
                raise
            try:
                ended = connection.raw.execute("COMMIT").statusmessage
            except psycopg.Error as error:
                if not connection.is_lost:
                    raise
                if not self._was_committed(number):
                    raise LostError(*LOST.args) from error
            else:
                if ended != "COMMIT":
                    raise StoreError("A statement had failed, and nothing was stored.")

    def disconnect(self) -> None:
        """Close every connection."""
        self._idle.close()
        if self._writer is not None:
            self._writer.close()

    def _begin(self) -> tuple[_Connection, str]:
        """Begin the writer's transaction, on a new connection if the old one was lost; return the number it has."""
        while True:
            is_new = self._writer is None or self._writer.is_lost
            if self._writer is None or is_new:
                self._writer = self._connected()
            try:
                begun = self._writer.raw.execute(_CHANGE)
                begun.nextset()
                ((number,),) = begun.fetchall()
                return self._writer, str(number)
            except psycopg.Error:
                self._writer.give_up()
                if is_new or not self._writer.is_lost:
                    self._writer.close()
                    raise

    def _was_committed(self, number: str) -> bool:
        """Find out what became of a transaction whose end nobody could be told."""
        end = time.monotonic() + 10 * database.LOCK_SECONDS
        while time.monotonic() < end:
            with contextlib.suppress(StoreBusyError):
                ((status,),) = self.ask("SELECT pg_xact_status(%(number)s::xid8)", {"number": number})
                if status != _UNDECIDED:
                    return bool(status == _COMMITTED)
            time.sleep(_PAUSE_SECONDS)
        raise StoreError("The database went away while it stored something; whether it did is not known yet.")

    def _first(self, statement: str, values: Mapping[str, Any] | None = None) -> tuple[_Connection, Cursor]:
        """Send a reader's first statement on a connection that works: an idle one may have been lost meanwhile."""
        while True:
            idle = self._idle.take()
            connection, is_new = (self._connected(), True) if idle is None else (idle, False)
            try:
                return connection, connection.execute(statement, values)
            except psycopg.Error:
                if is_new or not connection.is_lost:
                    connection.give_up()
                    self._give_back(connection)
                    raise

    def _connected(self) -> _Connection:
        """Return a new connection; wait for a moment if the database is away, as while it starts again."""
        end = time.monotonic() + database.LOCK_SECONDS
        while True:
            try:
                connection = connect(self._address)
            except psycopg.OperationalError as error:
                fault = _fault_of(error)
                if not isinstance(fault, LostError):
                    raise fault from error
                if self._missed.is_set() or time.monotonic() > end:
                    self._missed.set()
                    raise StoreBusyError(*fault.args) from error
                time.sleep(_PAUSE_SECONDS)
            else:
                self._missed.clear()
                return connection

    def _give_back(self, connection: _Connection) -> None:
        if not connection.is_lost:
            self._idle.give_back(connection)


def open_at(address: str) -> PostgresqlDatabase:
    """Open the database at an address, and bring its tables up to date."""
    name = _shown(address)
    engine = migrating(address)
    try:
        migrate(engine)
    except SQLAlchemyError as error:
        fault = _fault_of(getattr(error, "orig", None) or error)
        raise type(fault)(f"{name} cannot be used: {fault}") from error
    except CommandError as error:
        raise StoreError(f"{name} was written by a newer version of this program") from error
    finally:
        engine.dispose()
    return PostgresqlDatabase(address)


def connect(address: str) -> _Connection:
    """Return a connection, for any thread but one at a time, that begins transactions only when told."""
    raw = psycopg.connect(
        address, autocommit=True, connect_timeout=_CONNECT_SECONDS, application_name="punct", client_encoding="utf8"
    )
    raw.adapters.register_dumper(str, _Text)
    for kind in ("json", "timestamp"):  # as SQLite has them: what reads a row reads both
        raw.adapters.register_loader(kind, TextLoader)
    raw.execute(
        f"SET lock_timeout = {int(database.LOCK_SECONDS * 1000)}; SET statement_timeout = '30s';"
        "SET idle_in_transaction_session_timeout = '60s'; SET DateStyle = ISO"
    )
    return _Connection(raw)


def migrating(address: str) -> Engine:
    """Return SQLAlchemy's way into the database, for migrations. They wait for no table longer than a moment."""

    def connect_patiently() -> psycopg.Connection[Any]:
        raw = psycopg.connect(address, connect_timeout=_CONNECT_SECONDS, application_name="punct steps")
        raw.execute("SET lock_timeout = '1s'")
        raw.commit()
        return raw

    return create_engine("postgresql+psycopg://", creator=connect_patiently, poolclass=NullPool)


@contextlib.contextmanager
def told_apart() -> Iterator[None]:
    """Turn the driver's errors into the store's."""
    try:
        yield
    except psycopg.Error as error:
        raise _fault_of(error) from error


_SAID: Final = (
    (re.compile("password authentication failed|no password supplied|pg_hba.conf|role .* does not exist"), "28000"),
    (re.compile("database .* does not exist"), "3D000"),
    (re.compile("too many clients|remaining connection slots"), "53300"),
)
"""Codes of what the server says when it refuses a connection: the driver then has its words alone."""


def _fault_of(error: Exception) -> StoreError:
    """Return what an error means; one without a code is about the connection."""
    if not isinstance(error, psycopg.OperationalError) or error.sqlstate is not None:
        return fault_of(error)
    said = str(error)
    for words, code in _SAID:
        if words.search(said):
            stated = psycopg.OperationalError()
            stated.sqlstate = code
            return fault_of(stated)
    return LostError(*LOST.args)


def _shown(address: str) -> str:
    """Return an address without the password in it."""
    try:
        return make_url(address).set(query={}).render_as_string(hide_password=True)
    except ArgumentError:
        return "the database"
