"""PostgreSQL: for several processes, and machines, that share one store."""

from __future__ import annotations

import contextlib
import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from alembic.util.exc import CommandError
from sqlalchemy import Engine, NullPool, create_engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from punct.extras import explain_missing
from punct.server.db import database
from punct.server.db.database import ConnectionPool, Cursor, Database
from punct.server.db.errors import (
    CONNECTION_LOST_MESSAGE,
    CommitUnknownError,
    ConnectionLostError,
    StoreBusyError,
    StoreError,
    translate_error,
)
from punct.server.db.migrate import upgrade
from punct.server.db.sql import Statement

Result = TypeVar("Result")

with explain_missing("a database in PostgreSQL", incomplete="psycopg"):  # it may lack libpq
    import psycopg
    from psycopg.abc import PQGen
    from psycopg.pq import TransactionStatus
    from psycopg.types.string import StrDumperUnknown, TextLoader

_CONNECT_SECONDS: Final = 5
"""The timeout of a connection attempt."""
_RECONNECT_SECONDS: Final = 2
"""The same while the database is known to be unreachable."""
STATEMENT_SECONDS: Final = 8.0
"""The database's own timeout for a statement."""
MAX_SILENCE_SECONDS: Final = 10.0
"""A connection that receives nothing for so long while a statement runs is closed: its other end is gone."""
_CLOSING_MAX_SILENCE_SECONDS: Final = 2.0
"""The same while the server shuts down."""
_KEEPALIVE: Final[dict[str, Any]] = {
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": int(1000 * MAX_SILENCE_SECONDS),
}
"""With these the operating system detects a peer that is gone, on idle connections too."""
_RETRY_SECONDS: Final = 0.1
_BEGIN_SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_BEGIN_CHANGE: Final = "BEGIN; SELECT pg_current_xact_id()::text"
"""Returns the transaction's id, with which its status can be queried if the connection is lost during the commit."""
_COMMITTED, _IN_PROGRESS = "committed", "in progress"


class _TextDumper(StrDumperUnknown):
    """Replaces zero characters in texts: PostgreSQL refuses them, SQLite does not."""

    def dump(self, obj: str) -> bytes:
        text = obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj
        return super().dump(text)  # type: ignore[return-value]


class UnresponsiveError(psycopg.OperationalError):
    """The connection received nothing for too long, and was closed."""


class _DriverConnection(psycopg.Connection[Any]):
    """The driver's connection, with a timeout on every wait for a reply."""

    max_silence: Callable[[], float] = staticmethod(lambda: MAX_SILENCE_SECONDS)
    """Returns for how many seconds nothing may be received."""

    def wait(self, gen: PQGen[Result], *args: Any, **options: Any) -> Result:
        """Wait for a reply: everything in the driver that blocks calls this."""
        return super().wait(self._with_timeout(gen), *args, **options)

    def _with_timeout(self, gen: PQGen[Result]) -> PQGen[Result]:
        """Pass on what the driver's generator waits for; it is resumed some ten times a second, ready or not."""
        last_received = time.monotonic()
        try:
            event = next(gen)
            while True:
                ready = yield event
                if ready:
                    last_received = time.monotonic()
                elif time.monotonic() - last_received > self.max_silence():
                    self.close()
                    raise UnresponsiveError("the database does not answer")
                event = gen.send(ready)
        except StopIteration as end:
            result: Result = end.value
            return result


class _Connection:
    """A connection that accepts the same statements as SQLite's, and returns the same rows."""

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

    def rollback(self) -> None:
        """Roll back the transaction, if there is one."""
        if not self.raw.closed and self.raw.pgconn.transaction_status != TransactionStatus.IDLE:
            with contextlib.suppress(psycopg.Error):
                self.raw.execute("ROLLBACK")

    def close(self) -> None:
        with contextlib.suppress(psycopg.Error):
            self.raw.close()


class PostgresqlDatabase(Database):
    """The open database. It replaces lost connections by itself."""

    def __init__(self, url: str) -> None:
        """Prepare the database; connections are opened when needed."""
        super().__init__()
        self._url = url
        self._pool: ConnectionPool[_Connection] = ConnectionPool()
        self._writer: _Connection | None = None
        self._is_unreachable = threading.Event()
        """Set while the database is known to be unreachable: then one thread at a time tries to reconnect, and the
        others fail at once."""
        self._reconnecting = threading.Lock()
        self._closing = threading.Event()
        self._statement_seconds = STATEMENT_SECONDS

    @contextlib.contextmanager
    def read_transaction(self) -> Iterator[_Connection]:
        """Open a read-only transaction: all its statements see the same snapshot."""
        with translate_errors():
            connection, _ = self._execute_first(_BEGIN_SNAPSHOT)
            try:
                yield connection
            except psycopg.Error as error:
                self._check_responsive(error)
                raise
            finally:
                connection.rollback()
                self._release(connection)

    def fetch_all(self, statement: str, values: Mapping[str, Any] = {}) -> list[Any]:  # it is only read
        """Return the rows of one statement."""
        with translate_errors():
            connection, cursor = self._execute_first(statement, values)
            try:
                return cursor.fetchall()
            finally:
                self._release(connection)

    @contextlib.contextmanager
    def write_transaction(self) -> Iterator[_Connection]:
        """Open a transaction, committed to the disk at the end, rolled back by an exception."""
        with translate_errors():
            connection, transaction_id = self._begin()
            try:
                yield connection
            except BaseException as error:
                connection.rollback()
                if connection.is_lost and isinstance(error, psycopg.Error):
                    self._check_responsive(error)
                    raise ConnectionLostError(CONNECTION_LOST_MESSAGE) from error  # no COMMIT was sent
                raise
            try:
                status = connection.raw.execute("COMMIT").statusmessage
            except psycopg.Error as error:
                if not connection.is_lost:
                    raise
                self._check_responsive(error)
                if not self._was_committed(transaction_id):
                    raise ConnectionLostError(CONNECTION_LOST_MESSAGE) from error
            else:
                if status != "COMMIT":
                    raise StoreError("A statement had failed, and nothing was stored.")

    def disable_timeouts(self) -> None:
        """Let statements take as long as they need, on connections opened from now on."""
        self._statement_seconds = math.inf

    def shorten_timeouts(self) -> None:
        """Give up on an unresponsive database soon from now on."""
        self._closing.set()

    def disconnect(self) -> None:
        """Close every connection."""
        self._pool.close()
        if self._writer is not None:
            self._writer.close()

    def _begin(self) -> tuple[_Connection, str]:
        """Begin the writer's transaction, on a new connection if the old one was lost; return the transaction's id."""
        while True:
            is_new = self._writer is None or self._writer.is_lost
            if self._writer is None or is_new:
                self._writer = self._connect()
            try:
                cursor = self._writer.raw.execute(_BEGIN_CHANGE)
                cursor.nextset()
                ((transaction_id,),) = cursor.fetchall()
                return self._writer, str(transaction_id)
            except psycopg.Error as error:
                self._check_responsive(error)
                self._writer.rollback()
                if is_new or not self._writer.is_lost:
                    self._writer.close()
                    raise

    def _was_committed(self, transaction_id: str) -> bool:
        """Query whether a transaction was committed whose connection was lost during the commit."""
        deadline = time.monotonic() + 4 * database.LOCK_SECONDS
        while time.monotonic() < deadline and not self._closing.is_set():
            with contextlib.suppress(StoreBusyError):
                ((status,),) = self.fetch_all("SELECT pg_xact_status(%(id)s::xid8)", {"id": transaction_id})
                if status != _IN_PROGRESS:
                    return bool(status == _COMMITTED)
            self._closing.wait(_RETRY_SECONDS)
        raise CommitUnknownError("The database went away while it stored something; whether it did is not known yet.")

    def _execute_first(self, statement: str, values: Mapping[str, Any] | None = None) -> tuple[_Connection, Cursor]:
        """Execute a reader's first statement, on a new connection if the pooled one turns out to be lost."""
        while True:
            pooled = self._pool.acquire()
            connection, is_new = (self._connect(), True) if pooled is None else (pooled, False)
            try:
                return connection, connection.execute(statement, values)
            except psycopg.Error as error:
                self._check_responsive(error)
                if is_new or not connection.is_lost:
                    connection.rollback()
                    self._release(connection)
                    raise

    def _check_responsive(self, error: psycopg.Error) -> None:
        """Drop all pooled connections if one was unresponsive: each would take as long to time out."""
        if isinstance(error, UnresponsiveError):
            self._is_unreachable.set()
            self._pool.clear()

    def _connect(self) -> _Connection:
        """Return a new connection; retry for a while if the database is unreachable, as during its restart."""
        if not self._is_unreachable.is_set():
            return self._connect_until(time.monotonic() + database.LOCK_SECONDS, _CONNECT_SECONDS)
        if not self._reconnecting.acquire(blocking=False):
            raise StoreBusyError(CONNECTION_LOST_MESSAGE)  # another thread tries already
        try:
            return self._connect_until(time.monotonic(), _RECONNECT_SECONDS)
        finally:
            self._reconnecting.release()

    def _connect_until(self, deadline: float, connect_seconds: int) -> _Connection:
        while True:
            try:
                connection = connect(self._url, self._timeouts(), connect_seconds)
            except psycopg.OperationalError as error:
                translation = _translate_error(error)
                if not isinstance(translation, ConnectionLostError):
                    raise translation from error
                if self._is_unreachable.is_set() or self._closing.is_set() or time.monotonic() > deadline:
                    self._is_unreachable.set()
                    raise StoreBusyError(*translation.args) from error
                self._closing.wait(_RETRY_SECONDS)
            else:
                self._is_unreachable.clear()
                return connection

    def _timeouts(self) -> Timeouts:
        return Timeouts(self._statement_seconds, self._max_silence)

    def _max_silence(self) -> float:
        if self._closing.is_set():
            return _CLOSING_MAX_SILENCE_SECONDS
        return max(MAX_SILENCE_SECONDS, self._statement_seconds)

    def _release(self, connection: _Connection) -> None:
        if not connection.is_lost:
            self._pool.release(connection)


def open_postgresql(url: str) -> PostgresqlDatabase:
    """Open the database at a URL, and upgrade its tables."""
    name = _without_password(url)
    engine = migration_engine(url)
    try:
        upgrade(engine)
    except SQLAlchemyError as error:
        translation = _translate_error(getattr(error, "orig", None) or error)
        raise type(translation)(f"{name} cannot be used: {translation}") from error
    except CommandError as error:
        raise StoreError(f"{name} was written by a newer version of this program") from error
    finally:
        engine.dispose()
    return PostgresqlDatabase(url)


class Timeouts(NamedTuple):
    """The timeouts of a connection."""

    statement_seconds: float = STATEMENT_SECONDS
    """For a statement; infinite for none."""
    max_silence: Callable[[], float] = lambda: MAX_SILENCE_SECONDS
    """Returns for how many seconds nothing may be received."""


_DEFAULT_TIMEOUTS: Final = Timeouts()


def connect(url: str, timeouts: Timeouts = _DEFAULT_TIMEOUTS, connect_seconds: int = _CONNECT_SECONDS) -> _Connection:
    """Return a connection in autocommit mode, for any thread but one at a time."""
    raw = _DriverConnection.connect(
        url,
        autocommit=True,
        connect_timeout=connect_seconds,
        application_name="punct",
        client_encoding="utf8",
        **_KEEPALIVE,
    )
    raw.max_silence = timeouts.max_silence
    raw.adapters.register_dumper(str, _TextDumper)
    for kind in ("json", "timestamp"):  # as texts, like SQLite's: the same converters read both
        raw.adapters.register_loader(kind, TextLoader)
    statement_ms = 0 if math.isinf(timeouts.statement_seconds) else int(1000 * timeouts.statement_seconds)
    raw.execute(
        f"SET lock_timeout = {int(database.LOCK_SECONDS * 1000)}; SET statement_timeout = {statement_ms};"
        "SET idle_in_transaction_session_timeout = '60s'; SET DateStyle = ISO"
    )
    return _Connection(raw)


def migration_engine(url: str) -> Engine:
    """Return a SQLAlchemy engine for the migrations. They wait for a table's lock only briefly."""

    def connect_for_migration() -> psycopg.Connection[Any]:
        raw = psycopg.connect(url, connect_timeout=_CONNECT_SECONDS, application_name="punct steps", **_KEEPALIVE)
        raw.execute("SET lock_timeout = '1s'")
        raw.commit()
        return raw

    return create_engine("postgresql+psycopg://", creator=connect_for_migration, poolclass=NullPool)


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Turn the driver's errors into the store's."""
    try:
        yield
    except psycopg.Error as error:
        raise _translate_error(error) from error


_REFUSALS: Final = (
    (re.compile("password authentication failed|no password supplied|pg_hba.conf|role .* does not exist"), "28000"),
    (re.compile("database .* does not exist"), "3D000"),
    (re.compile("too many clients|remaining connection slots"), "53300"),
)
"""The SQLSTATE for messages of a server that refuses a connection: the driver then has only the message."""


def _translate_error(error: Exception) -> StoreError:
    """Return the StoreError for an error of the driver; one without a SQLSTATE is about the connection."""
    if not isinstance(error, psycopg.OperationalError) or error.sqlstate is not None:
        return translate_error(error)
    message = str(error)
    for pattern, sqlstate in _REFUSALS:
        if pattern.search(message):
            refusal = psycopg.OperationalError()
            refusal.sqlstate = sqlstate
            return translate_error(refusal)
    return ConnectionLostError(CONNECTION_LOST_MESSAGE)


def _without_password(url: str) -> str:
    """Return a URL for messages."""
    try:
        return make_url(url).set(query={}).render_as_string(hide_password=True)
    except ArgumentError:
        return "the database"
