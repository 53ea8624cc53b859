"""Statements, compiled from SQLAlchemy expressions to the SQL of both databases when a module is imported.

How to write a statement: as a SQLAlchemy expression over the tables, at the module's top, compiled by ``sql()``::

    _UPDATE_SEEN: Final = sql(update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(bindparams("seen")))

and executed with its values on a connection::

    connection.execute(_UPDATE_SEEN, {"player": player_id, "seen": to_db_time(now)})

Constants are integers or strings; every other value is a named parameter. Nothing else depends on the database: times,
JSON and booleans go through the converters of ``values``, both ways; a row that may exist already is inserted with
``insert_or_ignore`` or ``upsert``; a row that must not change before the transaction ends is selected with
``.with_for_update()``, which SQLite, with its one writer, ignores. A change reads what it depends on in its own
transaction, or has the database check it in a ``where``: another process may have changed it since.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Dialect, Executable, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg, PGDialect_psycopg
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.sql.compiler import SQLCompiler


class _InlineConstants(SQLCompiler):
    """Writes constants into the statement as literals: only parameters without a value stay parameters."""

    def visit_bindparam(self, bindparam: Any, *arguments: Any, **options: Any) -> Any:
        if bindparam.value is not None:
            options["literal_binds"] = True
        return super().visit_bindparam(bindparam, *arguments, **options)  # type: ignore[no-untyped-call]


class _SqliteCompiler(_InlineConstants, SQLiteCompiler):
    """Compiles for SQLite."""


class _PostgresqlCompiler(_InlineConstants, PGCompiler_psycopg):
    """Compiles for PostgreSQL."""


DIALECT: Final = sqlite.dialect(paramstyle="named")
DIALECT.statement_compiler = _SqliteCompiler
_POSTGRESQL: Final = PGDialect_psycopg()  # type: ignore[no-untyped-call]
_POSTGRESQL.statement_compiler = _PostgresqlCompiler


class Statement(str):
    """A statement for SQLite, which is the string itself, with the one for PostgreSQL beside it.

    As a string it goes to SQLite's driver as it is: no code of ours runs between a statement and the driver.
    """

    __slots__ = ("postgresql",)
    postgresql: str


def sql(expression: Executable, postgresql: Executable | None = None) -> Statement:
    """Compile an expression, once; the values of its parameters are given at each execution.

    ``postgresql`` is a second expression, for PostgreSQL, if the two databases need different ones.
    """
    statement = Statement(_compile(expression, DIALECT))
    statement.postgresql = _compile(expression if postgresql is None else postgresql, _POSTGRESQL)
    return statement


def _compile(expression: Executable, dialect: Dialect) -> str:
    return str(expression.compile(dialect=dialect))  # type: ignore[attr-defined]


def bindparams(*names: str) -> dict[str, Any]:
    """Return columns with the parameters of the same names as their values."""
    return {name: bindparam(name) for name in names}


def insert_or_ignore(table: Table) -> Statement:
    """Return the statement that inserts a row unless its key exists; ``rowcount`` tells whether it did."""
    return sql(
        sqlite.insert(table).on_conflict_do_nothing(),
        postgresql.insert(table).on_conflict_do_nothing(),
    )


def upsert(table: Table, *updated: str) -> Statement:
    """Return the statement that inserts a row, or updates these columns of the one with its primary key."""
    key = list(table.primary_key.columns)
    in_sqlite, in_postgresql = sqlite.insert(table), postgresql.insert(table)
    return sql(
        in_sqlite.on_conflict_do_update(index_elements=key, set_={name: in_sqlite.excluded[name] for name in updated}),
        in_postgresql.on_conflict_do_update(
            index_elements=key, set_={name: in_postgresql.excluded[name] for name in updated}
        ),
    )
