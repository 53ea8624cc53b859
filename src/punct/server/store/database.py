"""Opening the embedded database and bringing it up to date."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DatabaseError

FILE: Final = "punct.sqlite3"
_MIGRATIONS: Final = Path(__file__).parent / "migrations"


class StoreError(Exception):
    """The data folder cannot be used. The message is for the person who runs the server."""


def open_database(folder: Path) -> Engine:
    """Open the database in a folder, making both where missing, and bring its tables up to date."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):  # says at once, and plainly, whether one may write here
            pass
    except OSError as error:
        raise StoreError(f"cannot write to the data folder {folder}: {error.strerror or error}") from error
    engine = create_engine(f"sqlite:///{path}")
    event.listen(engine, "connect", _set_up_connection)
    try:
        migrate(engine)
    except DatabaseError as error:
        engine.dispose()
        raise StoreError(f"{path} cannot be used: {error.orig}") from error
    except CommandError as error:
        engine.dispose()
        raise StoreError(f"{path} was written by a newer version of this program") from error
    return engine


def migrate(engine: Engine, revision: str = "head") -> None:
    """Step the tables up to a revision."""
    with engine.begin() as connection:
        command.upgrade(_config(connection), revision)


def step_back(engine: Engine, revision: str) -> None:
    """Step the tables down to a revision (``base``: none left)."""
    with engine.begin() as connection:
        command.downgrade(_config(connection), revision)


def revisions() -> list[str]:
    """Return the names of all steps, first to last."""
    return [script.revision for script in ScriptDirectory.from_config(_config(None)).walk_revisions()][::-1]


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _set_up_connection(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    for pragma in (
        "busy_timeout = 10000",
        "journal_mode = WAL",  # readers never wait for a writer
        "synchronous = FULL",  # an answered turn survives a power cut, not only a killed process
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
