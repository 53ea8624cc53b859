"""Runs the migrations, up and down, while other processes may be using the tables."""

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

from punct.server.db.errors import StoreBusyError

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_ADVISORY_LOCK: Final = int.from_bytes(b"PUNCT")
"""PostgreSQL's number for the right to migrate: processes that start at the same time wait for each other."""
_WAIT_SECONDS: Final = 120.0
_MAX_ATTEMPTS: Final = 20
"""How often a migration is tried whose table is locked. Each attempt waits for the lock only briefly, because all other
transactions on the table queue up behind it."""
_RETRY_SECONDS: Final = 0.1
_LOCK_NOT_AVAILABLE: Final = "55P03"
"""The SQLSTATE."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrade the tables to a revision."""
    _migrate(engine, lambda connection: command.upgrade(_config(connection), revision))


def downgrade(engine: Engine, revision: str) -> None:
    """Downgrade the tables to a revision (``base``: no tables left)."""
    _migrate(engine, lambda connection: command.downgrade(_config(connection), revision))


def revisions() -> list[str]:
    """Return all revisions, first to last."""
    return [script.revision for script in ScriptDirectory.from_config(_config(None)).walk_revisions()][::-1]


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _migrate(engine: Engine, run: Callable[[Connection], None]) -> None:
    if engine.dialect.name == "sqlite":
        with engine.begin() as connection:  # all migrations or none, and no other writer meanwhile
            run(connection)
        return
    with engine.connect() as connection:
        _acquire_lock(connection)
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                run(connection)  # each migration in a transaction of its own: completed ones stay
                break
            except OperationalError as error:
                connection.rollback()
                if getattr(error.orig, "sqlstate", None) != _LOCK_NOT_AVAILABLE or attempt == _MAX_ATTEMPTS:
                    raise
                time.sleep(_RETRY_SECONDS)


def _acquire_lock(connection: Connection) -> None:
    """Wait until no other process migrates; the lock is held until the connection is closed.

    It polls: a statement that waits for the lock would have begun a transaction, and CREATE INDEX CONCURRENTLY in the
    other process waits for all of those.
    """
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        is_acquired = connection.scalar(text("SELECT pg_try_advisory_lock(:number)"), {"number": _ADVISORY_LOCK})
        connection.commit()
        if is_acquired:
            return
        if time.monotonic() > deadline:
            raise StoreBusyError("Another program has been changing the database's tables for minutes.")
        time.sleep(_RETRY_SECONDS)
