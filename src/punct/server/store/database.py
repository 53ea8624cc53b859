"""Opening the embedded database and bringing it up to date."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from punct.server.store.faults import DAMAGED, StoreDamagedError, StoreError, fault_of

FILE: Final = "punct.sqlite3"
LOCK_SECONDS: Final = 3.0
"""How long a change waits for another program's lock before it is refused."""
_CHECK_SECONDS: Final = 1.0
"""How long the file is looked through for damage at the start; a huge one is checked as far as that goes."""
_MIGRATIONS: Final = Path(__file__).parent / "migrations"


class Database:
    """The open file: one way in for readers, which each see one state of it, and one for the writer."""

    def __init__(self, path: Path) -> None:
        """Make both ways in; nothing is opened before it is used."""
        self.reading = _engine(path, "BEGIN", "query_only = ON")
        self.writing = _engine(path, "BEGIN IMMEDIATE", "foreign_keys = ON")

    def close(self) -> None:
        """Close every connection; the writer's last, so that what is left in the journal is put away."""
        self.reading.dispose()
        self.writing.dispose()


def open_database(folder: Path) -> Database:
    """Open the database in a folder, making both where missing, and bring its tables up to date."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):
            pass
    except OSError as error:
        raise StoreError(f"cannot write to the data folder {folder}: {error.strerror or error}") from error
    database = Database(path)
    try:
        migrate(database.writing)
        with database.reading.connect() as connection:
            _check(connection)
    except (SQLAlchemyError, sqlite3.Error) as error:
        database.close()
        fault = fault_of(error)
        raise type(fault)(f"{path} cannot be used: {fault}") from error
    except StoreError as fault:
        database.close()
        raise type(fault)(f"{path} cannot be used: {fault}") from None
    except CommandError as error:
        database.close()
        raise StoreError(f"{path} was written by a newer version of this program") from error
    return database


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


def _engine(path: Path, begin: str, *pragmas: str) -> Engine:
    """Return a way into the file whose transactions begin as told: sqlite3 alone would begin them too late or not."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": LOCK_SECONDS})

    def connected(connection: Any, record: object) -> None:
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",  # readers never wait for a writer
            "synchronous = FULL",  # an answered turn survives a power cut, not only a killed process
            *pragmas,
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def _check(connection: Connection) -> None:
    """Look through the file for damage, for a while."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    end = time.monotonic() + _CHECK_SECONDS
    driver.set_progress_handler(lambda: time.monotonic() > end, 100_000)
    try:
        (found,) = driver.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        return
    finally:
        driver.set_progress_handler(None, 0)
    if found != "ok":
        raise StoreDamagedError(f"{DAMAGED}.")
