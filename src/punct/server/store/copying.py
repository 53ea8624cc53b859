"""The whole store in one piece: kept in a file, brought back, or moved from one database to another.

A copy is a SQLite file with the store's own tables, whichever database it was made of: any version that knows how to
step from its shape to the present one can bring it back.
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

from punct.server.store.database import Connection, Database, check_version, open_as_it_is, open_database
from punct.server.store.faults import StoreError, fault_of
from punct.server.store.sql import Statement, sql
from punct.server.store.sqlite import FILE, SqliteDatabase, open_in
from punct.server.store.tables import METADATA
from punct.server.store.values import moment, written

Counts = dict[str, int]
"""How many rows each table has."""
_TOGETHER: Final = 2000
"""Rows read, and written, at a time."""
_PLAIN: Final = re.compile(r"\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\b", re.IGNORECASE)
_FIRST_TABLES: Final = frozenset({"alembic_version", "games", "seats", "turns"})
"""Those that every version of a store has."""
_TABLES: Final = METADATA.sorted_tables
"""What others refer to first."""


def back_up(where: Path | str, file: Path) -> Counts:
    """Write a copy of a store, as it is at one moment, to a new file; games may go on meanwhile.

    Nothing in the store is changed. A folder's is copied whichever version of this program made its tables; a
    database's only if it was this one.
    """
    if file.exists():
        raise StoreError(f"{file} is there already; it is not overwritten")
    with contextlib.closing(open_as_it_is(where)) as source, _appearing(file) as made:
        if isinstance(source, SqliteDatabase):
            source.copy_to(made)
        else:
            source.take_time()
            check_version(source)
            with (
                tempfile.TemporaryDirectory(dir=file.parent) as folder,
                contextlib.closing(open_in(Path(folder))) as target,
                source.reading() as reader,
            ):
                _copy(reader, target)
                target.copy_to(made)
        return _counts_of(made)


def restore(file: Path, where: Path | str) -> Counts:
    """Bring a copy back to a store that is empty, or not there yet: all of it or nothing."""
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(file, Path(folder) / FILE)
        return move(Path(folder), where)


def move(source: Path, where: Path | str) -> Counts:
    """Copy everything from a folder to a store that is empty: all of it or nothing. The folder stays as it is."""
    open_as_it_is(source).close()  # else it would be made
    _check_tables(source / FILE)
    with (
        contextlib.closing(open_database(source)) as given,
        contextlib.closing(open_database(where)) as target,
        given.reading() as reader,
    ):
        target.take_time()
        return _copy(reader, target)


def _check_tables(file: Path) -> None:
    """Raise StoreError unless a file has the tables of a store, and nothing that works when it is read.

    A view may have a table's name and go on for ever; a trigger would run as tables are brought up to date.
    """
    try:
        with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreError(f"{file.name} is damaged: what is in it cannot be relied on")
            made = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    except sqlite3.DatabaseError as error:
        raise fault_of(error) from error
    for kind, name, text in made:
        if kind not in ("table", "index") or (text is not None and not _PLAIN.match(text)):
            raise StoreError(f"{file.name} is no copy of a store: {name!r} in it is neither a plain table nor an index")
    there = {name for kind, name, _ in made if kind == "table"}
    if not there >= _FIRST_TABLES:
        raise StoreError(f"{file.name} is no copy of a store: it has no games in it, not even a place for them")


@contextlib.contextmanager
def _appearing(file: Path) -> Iterator[Path]:
    """Have a file made that is there when it is whole, and readable for nobody else: there are secrets in it."""
    try:
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")  # mkstemp keeps others out
    except OSError as error:
        raise StoreError(f"cannot write to {file.parent}: {error.strerror or error}") from error
    os.close(handle)
    made = Path(name)
    made.unlink()
    old = os.umask(0o077)
    try:
        yield made
        os.link(made, file)  # unlike a renaming, this never overwrites
    except FileExistsError:
        raise StoreError(f"{file} is there already; it is not overwritten") from None
    finally:
        os.umask(old)
        made.unlink(missing_ok=True)


def _counts_of(file: Path) -> Counts:
    """Return how much is in a copy, after looking through it for damage."""
    with contextlib.closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise StoreError("what was written is damaged; perhaps the disk is")
        there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return _counted(connection, [table for table in _TABLES if table.name in there])


def _counted(connection: Connection, tables: Sequence[Table] = _TABLES) -> Counts:
    return {table.name: connection.execute(_COUNTS[table.name]).fetchone()[0] for table in tables}


def _copy(reader: Connection, target: Database) -> Counts:
    """Copy every table in one transaction, and compare how much arrived."""

    def copy(connection: Connection) -> Counts:
        there = _counted(connection)
        if there["games"] or there["players"]:
            raise StoreError("there are games or players in it already: only an empty store is filled")
        for table in reversed(_TABLES):  # what a server that was only started leaves: keys of its own
            connection.execute(_CLEAR[table.name])
        for table in _TABLES:
            _copy_table(table, reader, connection)
        wanted, arrived = _counted(reader), _counted(connection)
        if wanted != arrived:
            raise StoreError("not everything arrived; nothing was kept")
        return arrived

    return target.change(copy).result()


def _copy_table(table: Table, reader: Connection, connection: Connection) -> None:
    names = [column.name for column in table.columns]
    kept = [names.index(column.name) for column in table.primary_key.columns]
    convert = [_converter(column.type) for column in table.columns]
    found = reader.execute(_FIRST[table.name]).fetchall()
    while found:
        connection.executemany(_INSERT[table.name], [_converted(table, convert, row) for row in found])
        after = {f"after_{place}": found[-1][at] for place, at in enumerate(kept)}
        found = reader.execute(_NEXT[table.name], after).fetchall()


def _converted(table: Table, convert: list[Callable[[Any], Any]], row: Any) -> dict[str, Any]:
    """Return a row as either database takes it."""
    made = {}
    for column, change, value in zip(table.columns, convert, row, strict=True):
        try:
            made[column.name] = None if value is None else change(value)
        except (TypeError, ValueError) as error:
            raise StoreError(f"the row of {table.name} that begins with {row[0]!r} makes no sense: {error}") from error
    return made


def _converter(kind: Any) -> Callable[[Any], Any]:
    """Return how a column's values are made alike: each database has ways of its own to write them."""
    if isinstance(kind, DateTime):
        return lambda value: written(moment(value))
    if isinstance(kind, Boolean):
        return bool
    return lambda value: value


def _page(table: Table, *, first: bool) -> Statement:
    key = list(table.primary_key.columns)
    asked = select(*table.columns).order_by(*key).limit(_TOGETHER)
    if not first:
        after = [bindparam(f"after_{place}", type_=column.type) for place, column in enumerate(key)]
        asked = asked.where(tuple_(*key) > tuple_(*after))
    return sql(asked)


_COUNTS: Final = {table.name: sql(select(func.count()).select_from(table)) for table in _TABLES}
_CLEAR: Final = {table.name: sql(delete(table)) for table in _TABLES}
_INSERT: Final = {table.name: sql(insert(table)) for table in _TABLES}
_FIRST: Final = {table.name: _page(table, first=True) for table in _TABLES}
_NEXT: Final = {table.name: _page(table, first=False) for table in _TABLES}
