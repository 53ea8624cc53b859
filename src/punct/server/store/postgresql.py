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

from punct.server.store import database
from punct.server.store.database import Cursor, Database, Idle
from punct.server.store.faults import LOST, LostError, StoreBusyError, StoreError, UncertainError, fault_of
from punct.server.store.sql import Statement
from punct.server.store.steps import migrate

try:
    import psycopg
    from psycopg.abc import PQGen
    from psycopg.pq import TransactionStatus
    from psycopg.types.string import StrDumperUnknown, TextLoader
except ImportError as missing:
    raise StoreError("PostgreSQL needs two more packages: pip install 'punct[cluster]'") from missing

_CONNECT_SECONDS: Final = 5
_RECONNECT_SECONDS: Final = 2
"""How long a connection may take to be made; while the database is known to be away, and when the server ends."""
STATEMENT_SECONDS: Final = 8.0
"""How long the database may work on one statement: then it says so itself."""
MAX_SILENCE_SECONDS: Final = 10.0
"""A connection on which nothing comes for so long is given up: whatever answers has gone, or something between."""
_ENDING_SILENCE_SECONDS: Final = 2.0
"""The same when the server ends."""
_KEEPALIVE: Final[dict[str, Any]] = {
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": int(1000 * MAX_SILENCE_SECONDS),
}
"""By these the system itself notices a peer that has gone, on connections that nobody uses too."""
_PAUSE_SECONDS: Final = 0.1
_SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_CHANGE: Final = "BEGIN; SELECT pg_current_xact_id()::text"
"""With the transaction's number, by which one can ask what became of it should the connection be lost at its end."""
_COMMITTED, _UNDECIDED = "committed", "in progress"


Result = TypeVar("Result")


class _Text(StrDumperUnknown):
    """Writes texts. PostgreSQL keeps none with a zero character in it, which SQLite does not mind."""

    def dump(self, obj: str) -> bytes:
        kept = obj.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in obj else obj
        return super().dump(kept)  # type: ignore[return-value]


class _Raw(psycopg.Connection[Any]):
    """The driver's connection, which waits for no answer longer than it is told to."""

    max_silence: Callable[[], float] = staticmethod(lambda: MAX_SILENCE_SECONDS)
    """Returns how many seconds nothing may come."""

    def wait(self, gen: PQGen[Result], *args: Any, **options: Any) -> Result:
        """Wait for an answer: all that blocks comes through here."""
        return super().wait(self._bounded(gen), *args, **options)

    def _bounded(self, gen: PQGen[Result]) -> PQGen[Result]:
        """Hand on what the driver waits for, which looks in some ten times a second though nothing has come."""
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = time.monotonic()
                elif time.monotonic() - heard > self.max_silence():
                    self.close()
                    raise SilentError("the database does not answer")
                wanted = gen.send(ready)
        except StopIteration as end:
            result: Result = end.value
            return result


class SilentError(psycopg.OperationalError):
    """Nothing came for too long. The connection is closed."""


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
        """Set while the database is known to be away: then one at a time tries to reach it, the others do not wait."""
        self._trying = threading.Lock()
        self._ending = threading.Event()
        self._statement_seconds = STATEMENT_SECONDS

    @contextlib.contextmanager
    def reading(self) -> Iterator[_Connection]:
        """Have a connection whose every question is about the same state, whatever is written meanwhile."""
        with told_apart():
            connection, _ = self._first(_SNAPSHOT)
            try:
                yield connection
            except psycopg.Error as error:
                self._notice(error)
                raise
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
                    self._notice(error)
                    raise LostError(*LOST.args) from error  # it was not told to commit
                raise
            try:
                ended = connection.raw.execute("COMMIT").statusmessage
            except psycopg.Error as error:
                if not connection.is_lost:
                    raise
                self._notice(error)
                if not self._was_committed(number):
                    raise LostError(*LOST.args) from error
            else:
                if ended != "COMMIT":
                    raise StoreError("A statement had failed, and nothing was stored.")

    def take_time(self) -> None:
        """Let a statement take as long as it needs, on connections made from now on."""
        self._statement_seconds = math.inf

    def hurry(self) -> None:
        """Wait for an answer only for a moment from now on."""
        self._ending.set()

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
            except psycopg.Error as error:
                self._notice(error)
                self._writer.give_up()
                if is_new or not self._writer.is_lost:
                    self._writer.close()
                    raise

    def _was_committed(self, number: str) -> bool:
        """Find out what became of a transaction whose end nobody could be told."""
        end = time.monotonic() + 4 * database.LOCK_SECONDS
        while time.monotonic() < end and not self._ending.is_set():
            with contextlib.suppress(StoreBusyError):
                ((status,),) = self.ask("SELECT pg_xact_status(%(number)s::xid8)", {"number": number})
                if status != _UNDECIDED:
                    return bool(status == _COMMITTED)
            self._ending.wait(_PAUSE_SECONDS)
        raise UncertainError("The database went away while it stored something; whether it did is not known yet.")

    def _first(self, statement: str, values: Mapping[str, Any] | None = None) -> tuple[_Connection, Cursor]:
        """Send a reader's first statement on a connection that works: an idle one may have been lost meanwhile."""
        while True:
            idle = self._idle.take()
            connection, is_new = (self._connected(), True) if idle is None else (idle, False)
            try:
                return connection, connection.execute(statement, values)
            except psycopg.Error as error:
                self._notice(error)
                if is_new or not connection.is_lost:
                    connection.give_up()
                    self._give_back(connection)
                    raise

    def _notice(self, error: psycopg.Error) -> None:
        """Take it that all connections have gone silent if one has: each would be waited for as long."""
        if isinstance(error, SilentError):
            self._missed.set()
            self._idle.clear()

    def _connected(self) -> _Connection:
        """Return a new connection; wait for a moment if the database is away, as while it starts again."""
        if not self._missed.is_set():
            return self._try_until(time.monotonic() + database.LOCK_SECONDS, _CONNECT_SECONDS)
        if not self._trying.acquire(blocking=False):
            raise StoreBusyError(*LOST.args)  # somebody else finds out
        try:
            return self._try_until(time.monotonic(), _RECONNECT_SECONDS)
        finally:
            self._trying.release()

    def _try_until(self, end: float, seconds: int) -> _Connection:
        while True:
            try:
                connection = connect(self._address, self._bounds(), seconds)
            except psycopg.OperationalError as error:
                fault = _fault_of(error)
                if not isinstance(fault, LostError):
                    raise fault from error
                if self._missed.is_set() or self._ending.is_set() or time.monotonic() > end:
                    self._missed.set()
                    raise StoreBusyError(*fault.args) from error
                self._ending.wait(_PAUSE_SECONDS)
            else:
                self._missed.clear()
                return connection

    def _bounds(self) -> Bounds:
        return Bounds(self._statement_seconds, self._max_silence)

    def _max_silence(self) -> float:
        if self._ending.is_set():
            return _ENDING_SILENCE_SECONDS
        return max(MAX_SILENCE_SECONDS, self._statement_seconds)

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


class Bounds(NamedTuple):
    """How long a connection waits."""

    statement_seconds: float = STATEMENT_SECONDS
    """What a statement may take; infinite for as long as it needs."""
    max_silence: Callable[[], float] = lambda: MAX_SILENCE_SECONDS
    """Returns for how many seconds nothing may come."""


def connect(address: str, bounds: Bounds = Bounds(), seconds: int = _CONNECT_SECONDS) -> _Connection:  # noqa: B008
    """Return a connection, for any thread but one at a time, that begins transactions only when told."""
    raw = _Raw.connect(
        address,
        autocommit=True,
        connect_timeout=seconds,
        application_name="punct",
        client_encoding="utf8",
        **_KEEPALIVE,
    )
    raw.max_silence = bounds.max_silence
    raw.adapters.register_dumper(str, _Text)
    for kind in ("json", "timestamp"):  # as SQLite has them: what reads a row reads both
        raw.adapters.register_loader(kind, TextLoader)
    statement = 0 if math.isinf(bounds.statement_seconds) else int(1000 * bounds.statement_seconds)
    raw.execute(
        f"SET lock_timeout = {int(database.LOCK_SECONDS * 1000)}; SET statement_timeout = {statement};"
        "SET idle_in_transaction_session_timeout = '60s'; SET DateStyle = ISO"
    )
    return _Connection(raw)


def migrating(address: str) -> Engine:
    """Return SQLAlchemy's way into the database, for migrations. They wait for no table longer than a moment."""

    def connect_patiently() -> psycopg.Connection[Any]:
        raw = psycopg.connect(address, connect_timeout=_CONNECT_SECONDS, application_name="punct steps", **_KEEPALIVE)
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
