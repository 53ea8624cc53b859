"""Backup and restore of a whole store, and copying it from one database to another.

A backup is a SQLite file with the store's own tables, whichever database it was made from: any version that can migrate
from its revision to the current one can restore it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Boolean, DateTime, Table, bindparam, delete, func, insert, select, tuple_

from punct.server.db.database import Connection, Database, check_version, open_database, open_without_migrating
from punct.server.db.errors import StoreDamagedError, StoreError, translate_error
from punct.server.db.migrate import revisions
from punct.server.db.sql import Statement, sql
from punct.server.db.sqlite import FILE_NAME, SqliteDatabase, open_sqlite
from punct.server.db.tables import METADATA
from punct.server.db.values import from_db_time, to_db_time

RowCounts = dict[str, int]
"""The number of rows, by table."""
_PAGE_ROWS: Final = 2000
"""Rows read, and written, at a time."""
_CREATE_TABLE_OR_INDEX: Final = re.compile(r"\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\b", re.IGNORECASE)
_FIRST_TABLES: Final = frozenset({"alembic_version", "games", "seats", "turns"})
"""The tables that a store has in every version."""
_TABLES: Final = METADATA.sorted_tables
"""In the order of their foreign keys: referenced tables first."""


def back_up(location: Path | str, file: Path) -> RowCounts:
    """Write a consistent snapshot of a store to a new file; the server may go on meanwhile.

    The store is not changed. A folder is backed up at whatever revision its tables are, a database at a URL only at
    this version's.
    """
    if file.exists():
        raise StoreError(f"{file} is there already; it is not overwritten")
    with contextlib.closing(open_without_migrating(location)) as source, _create_atomically(file) as unfinished:
        if isinstance(source, SqliteDatabase):
            source.copy_to(unfinished)
        else:
            source.disable_timeouts()
            check_version(source)
            with (
                tempfile.TemporaryDirectory(dir=file.parent) as folder,
                contextlib.closing(open_sqlite(Path(folder))) as target,
                source.read_transaction() as reader,
            ):
                _copy(reader, target)
                target.copy_to(unfinished)
        return _check_backup(unfinished)


def restore(file: Path, location: Path | str) -> RowCounts:
    """Restore a backup to a store that is empty, or does not exist yet: all of it or nothing."""
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(file, Path(folder) / FILE_NAME)
        return _fill(location, Path(folder), str(file))


def copy_folder(folder: Path, location: Path | str) -> RowCounts:
    """Copy everything from a folder to a store that is empty: all of it or nothing. The folder is not changed."""
    open_without_migrating(folder).close()  # open_database would create a missing one
    return _fill(location, folder, str(folder / FILE_NAME))


def _fill(location: Path | str, folder: Path, name: str) -> RowCounts:
    """Copy everything from a folder to a store that is empty; ``name`` is its file's in messages."""
    _check_tables(folder / FILE_NAME, name)
    with (
        contextlib.closing(open_database(folder)) as source,
        contextlib.closing(open_database(location)) as target,
        source.read_transaction() as reader,
    ):
        target.disable_timeouts()
        return _copy(reader, target)


def _check_tables(file: Path, name: str) -> None:
    """Raise StoreError unless a file has the tables of a store, and nothing that runs code when it is read.

    A view may have a table's name and never end; a trigger would run during the migrations.
    """
    try:
        with contextlib.closing(_connect_readonly(file)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreError(f"{name} is damaged: what is in it cannot be relied on")
            schema = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
            _check_schema(schema, name)
            versions = {version for (version,) in connection.execute("SELECT version_num FROM alembic_version")}
    except sqlite3.DatabaseError as error:
        store_error = translate_error(error)
        if isinstance(store_error, StoreDamagedError):
            raise StoreError(f"{name} is damaged: what is in it cannot be relied on") from error
        raise store_error from error
    if not versions:
        raise StoreError(f"{name} is no copy of a store: it does not say which version of this program made it")
    if not versions <= set(revisions()):
        raise StoreError(f"{name} was written by a newer version of this program")


def _check_schema(schema: Sequence[tuple[str, str, str | None]], name: str) -> None:
    for kind, item, statement in schema:
        if kind not in ("table", "index") or (statement is not None and not _CREATE_TABLE_OR_INDEX.match(statement)):
            raise StoreError(f"{name} is no copy of a store: {item!r} in it is neither a plain table nor an index")
    if not {item for kind, item, _ in schema if kind == "table"} >= _FIRST_TABLES:
        raise StoreError(f"{name} is no copy of a store: it has no games in it, not even a place for them")


@contextlib.contextmanager
def _create_atomically(file: Path) -> Iterator[Path]:
    """Yield a temporary path that gets the file's name at the end, readable by its owner only: it contains secrets."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise StoreError(f"cannot write to {file.parent}: {error.strerror or error}") from error
    os.close(handle)
    temporary = Path(name)
    temporary.unlink()
    umask = os.umask(0o077)
    try:
        yield temporary
        os.link(temporary, file)  # unlike rename, this never overwrites
    except FileExistsError:
        raise StoreError(f"{file} is there already; it is not overwritten") from None
    finally:
        os.umask(umask)
        temporary.unlink(missing_ok=True)


def _check_backup(file: Path) -> RowCounts:
    """Check a backup for damage, and return its row counts."""
    with contextlib.closing(_connect_readonly(file)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise StoreError("what was written is damaged; perhaps the disk is")
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return _count_rows(connection, [table for table in _TABLES if table.name in names])


def _connect_readonly(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _count_rows(connection: Connection, tables: Sequence[Table] = _TABLES) -> RowCounts:
    return {table.name: connection.execute(_COUNT[table.name]).fetchone()[0] for table in tables}


def _copy(reader: Connection, target: Database) -> RowCounts:
    """Copy every table in one transaction, and compare the row counts."""

    def copy(connection: Connection) -> RowCounts:
        existing = _count_rows(connection)
        if existing["games"] or existing["players"]:
            raise StoreError("there are games or players in it already: only an empty store is filled")
        for table in reversed(_TABLES):  # a server that was merely started leaves keys of its own
            connection.execute(_DELETE[table.name])
        for table in _TABLES:
            _copy_table(table, reader, connection)
        expected, actual = _count_rows(reader), _count_rows(connection)
        if expected != actual:
            raise StoreError("not everything arrived; nothing was kept")
        return actual

    return target.change(copy).result()


def _copy_table(table: Table, reader: Connection, connection: Connection) -> None:
    names = [column.name for column in table.columns]
    key_indexes = [names.index(column.name) for column in table.primary_key.columns]
    converters = [_converter(column.type) for column in table.columns]
    rows = reader.execute(_SELECT_FIRST_PAGE[table.name]).fetchall()
    while rows:
        connection.executemany(_INSERT[table.name], [_convert_row(table, converters, row) for row in rows])
        last_key = {f"after_{number}": rows[-1][index] for number, index in enumerate(key_indexes)}
        rows = reader.execute(_SELECT_NEXT_PAGE[table.name], last_key).fetchall()


def _convert_row(table: Table, converters: list[Callable[[Any], Any]], row: Any) -> dict[str, Any]:
    """Return a row with values that both databases accept."""
    converted = {}
    for column, convert, value in zip(table.columns, converters, row, strict=True):
        try:
            converted[column.name] = None if value is None else convert(value)
        except (TypeError, ValueError) as error:
            raise StoreError(f"the row of {table.name} that begins with {row[0]!r} makes no sense: {error}") from error
    return converted


def _converter(kind: Any) -> Callable[[Any], Any]:
    """Return the function that normalizes a column's values: each database represents them in its own way."""
    if isinstance(kind, DateTime):
        return lambda value: to_db_time(from_db_time(value))
    if isinstance(kind, Boolean):
        return bool
    return lambda value: value


def _select_page(table: Table, *, is_first: bool) -> Statement:
    key = list(table.primary_key.columns)
    statement = select(*table.columns).order_by(*key).limit(_PAGE_ROWS)
    if not is_first:
        last_key = [bindparam(f"after_{number}", type_=column.type) for number, column in enumerate(key)]
        statement = statement.where(tuple_(*key) > tuple_(*last_key))
    return sql(statement)


_COUNT: Final = {table.name: sql(select(func.count()).select_from(table)) for table in _TABLES}
_DELETE: Final = {table.name: sql(delete(table)) for table in _TABLES}
_INSERT: Final = {table.name: sql(insert(table)) for table in _TABLES}
_SELECT_FIRST_PAGE: Final = {table.name: _select_page(table, is_first=True) for table in _TABLES}
_SELECT_NEXT_PAGE: Final = {table.name: _select_page(table, is_first=False) for table in _TABLES}
