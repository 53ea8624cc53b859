"""From one shape of the tables to the next, up and down, while others may be using them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError

from punct.server.store.faults import StoreBusyError

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = int.from_bytes(b"PUNCT")
"""PostgreSQL's number for the right to step: whoever starts at the same time waits."""
_WAIT_SECONDS: Final = 120.0
_TRIES: Final = 20
"""How often a step is begun that found its table in use. It waits for a moment only, and everybody else behind it."""
_PAUSE_SECONDS: Final = 0.1
_LOCKED: Final = "55P03"


def migrate(engine: Engine, revision: str = "head") -> None:
    """Step the tables up to a revision."""
    _step(engine, lambda connection: command.upgrade(_config(connection), revision))


def step_back(engine: Engine, revision: str) -> None:
    """Step the tables down to a revision (``base``: none left)."""
    _step(engine, lambda connection: command.downgrade(_config(connection), revision))


def revisions() -> list[str]:
    """Return the names of all steps, first to last."""
    return [script.revision for script in ScriptDirectory.from_config(_config(None)).walk_revisions()][::-1]


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _step(engine: Engine, step: Callable[[Connection], None]) -> None:
    if engine.dialect.name == "sqlite":
        with engine.begin() as connection:  # all or nothing, and nobody else writes meanwhile
            step(connection)
        return
    with engine.connect() as connection:
        _only_one(connection)
        for tried in range(1, _TRIES + 1):
            try:
                step(connection)  # each step a transaction of its own: those done stay done
                break
            except OperationalError as error:
                connection.rollback()
                if getattr(error.orig, "sqlstate", None) != _LOCKED or tried == _TRIES:
                    raise
                time.sleep(_PAUSE_SECONDS)


def _only_one(connection: Connection) -> None:
    """Wait until no other process steps; this one then may until it disconnects.

    It asks again and again: a question that waited would have begun a transaction, and an index that is made while
    others go on working waits for all of those.
    """
    end = time.monotonic() + _WAIT_SECONDS
    while True:
        mine = connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": _LOCK})
        connection.commit()
        if mine:
            return
        if time.monotonic() > end:
            raise StoreBusyError("Another program has been changing the database's tables for minutes.")
        time.sleep(_PAUSE_SECONDS)
