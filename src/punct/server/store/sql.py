"""What is asked of the database, put into the words of each kind it may be.

How to write a statement: as a SQLAlchemy expression over the tables, at the module's top, put through ``sql()``::

    _SEEN: Final = sql(update(PLAYERS).where(PLAYERS.c.id == bindparam("player")).values(named("seen")))

and give it with its values to a connection: ``connection.execute(_SEEN, {"player": player_id, "seen": written(now)})``.
Constants are numbers or texts; every other value comes by name. Nothing else is particular to a database: times, JSON
and yes-or-no go through the converters of ``values``, both ways; what may be there already is added with
``unless_there`` or ``in_place``; a row that somebody else must not change before the transaction ends is read with
``.with_for_update()``, which SQLite, with its one writer, can leave out. What a change needs to know it reads in its
own transaction, or has the database check in a ``where``: another process may have changed it since.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Dialect, Executable, String, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

DIALECT: Final = sqlite.dialect(paramstyle="named")
_POSTGRESQL: Final = PGDialect_psycopg()  # type: ignore[no-untyped-call]


class Statement(str):
    """A statement as SQLite has it, which is the text itself, and as PostgreSQL does.

    Being a text, it goes to SQLite's driver as it is: a question asked hundreds of times a second passes nothing of
    ours on its way.
    """

    __slots__ = ("postgresql",)
    postgresql: str


def sql(asked: Executable, postgresql: Executable | None = None) -> Statement:
    """Put a question into words, once; its values are filled in by name each time.

    Should the two databases need different expressions, the second one is PostgreSQL's.
    """
    statement = Statement(_compiled(asked, DIALECT))
    statement.postgresql = _compiled(asked if postgresql is None else postgresql, _POSTGRESQL)
    return statement


def _compiled(asked: Executable, dialect: Dialect) -> str:
    """Return a statement's words, its constants among them: only what has a name is filled in later."""
    found = asked.compile(dialect=dialect)  # type: ignore[attr-defined]
    words = str(found)
    for name, value in found.params.items():
        if value is not None:
            constant = str(value) if type(value) is int else _quoted(value, dialect)
            place = re.escape(f"%({name})s") if dialect is _POSTGRESQL else rf":{name}\b"
            words = re.sub(place, constant.replace("\\", r"\\"), words)
    return words


def _quoted(text: str, dialect: Dialect) -> str:
    quote = String().literal_processor(dialect)  # type: ignore[no-untyped-call]
    return str(quote(text))


def named(*names: str) -> dict[str, Any]:
    """Return columns whose values are filled in by their names."""
    return {name: bindparam(name) for name in names}


def unless_there(table: Table) -> Statement:
    """Return the statement that adds a row unless there is one with its key; ``rowcount`` tells whether it was."""
    return sql(
        sqlite.insert(table).on_conflict_do_nothing(),
        postgresql.insert(table).on_conflict_do_nothing(),
    )


def in_place(table: Table, *changed: str) -> Statement:
    """Return the statement that adds a row, or changes these columns of the one with its primary key."""
    key = list(table.primary_key.columns)
    there, over_there = sqlite.insert(table), postgresql.insert(table)
    return sql(
        there.on_conflict_do_update(index_elements=key, set_={name: there.excluded[name] for name in changed}),
        over_there.on_conflict_do_update(
            index_elements=key, set_={name: over_there.excluded[name] for name in changed}
        ),
    )
