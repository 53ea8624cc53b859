"""What can go wrong with the store, told apart, in words for people and without its insides."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError


class StoreError(Exception):
    """The store cannot be used. The message is for people."""


class StoreFullError(StoreError):
    """There is no room left on the disk."""


class StoreBusyError(StoreError):
    """Another program keeps the store locked."""


class StoreDamagedError(StoreError):
    """The file is no longer a database that can be relied on."""


class UnreadableGameError(Exception):
    """What is stored of one game makes no sense. The message is for the log; other games are as good as ever."""


class ConflictError(Exception):
    """Somebody else changed or deleted the game in the meantime; nothing was stored."""


DAMAGED: Final = "The file with the games is damaged, and a copy must be put in its place"
_FAULTS: Final[dict[int, StoreError]] = {
    sqlite3.SQLITE_FULL: StoreFullError("The disk is full."),
    sqlite3.SQLITE_BUSY: StoreBusyError("Another program keeps the stored games locked; try again in a while."),
    sqlite3.SQLITE_LOCKED: StoreBusyError("Another program keeps the stored games locked; try again in a while."),
    sqlite3.SQLITE_CORRUPT: StoreDamagedError(f"{DAMAGED}."),
    sqlite3.SQLITE_NOTADB: StoreDamagedError(f"{DAMAGED}: it is not a database."),
    sqlite3.SQLITE_READONLY: StoreError("The file with the games cannot be written to."),
    sqlite3.SQLITE_CANTOPEN: StoreError("The file with the games cannot be opened."),
    sqlite3.SQLITE_IOERR: StoreError("The disk fails to read or write the file with the games."),
}
_OTHER: Final = StoreError("The stored games cannot be reached.")


def fault_of(error: SQLAlchemyError | sqlite3.Error) -> StoreError:
    """Return what a database's error means."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    # The lower byte is the family; the rest says more than anybody needs to know here.
    found = _OTHER if code is None else _FAULTS.get(code & 0xFF, _OTHER)
    return type(found)(*found.args)


@contextlib.contextmanager
def told_apart() -> Iterator[None]:
    """Turn the database's errors into those of this module."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise fault_of(error) from error
