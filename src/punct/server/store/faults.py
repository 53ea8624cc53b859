"""What can go wrong with the store, told apart, in words for people and without its insides."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError


class StoreError(Exception):
    """The store cannot be used. The message is for people."""


class StoreFullError(StoreError):
    """There is no room left on the disk."""


class StoreBusyError(StoreError):
    """Another program keeps the store locked, or the database is away for a while."""


class AgainError(StoreBusyError):
    """Others came in the way, or the connection was lost. Nothing was stored, and a second try may well succeed."""


class LostError(AgainError):
    """The connection was lost before anything was stored."""


class UncertainError(StoreError):
    """The connection was lost while a change was stored, and nobody could be asked whether it was."""


class StoreDamagedError(StoreError):
    """The file is no longer a database that can be relied on."""


class TakenError(StoreError):
    """There is such a row already: a unique key has decided. Nothing was stored."""


class UnreadableGameError(Exception):
    """What is stored of one game makes no sense. The message is for the log; other games are as good as ever."""


class ConflictError(Exception):
    """Somebody else changed or deleted the game in the meantime; nothing was stored."""


class NoRoomError(ConflictError):
    """Somebody has as much as there is room for; nothing was stored."""


class AbsentError(ConflictError):
    """Somebody whom this is about is gone: forgotten, become somebody else by logging in, or shut out."""


DAMAGED: Final = "The file with the games is damaged, and a copy must be put in its place"
TAKEN: Final = TakenError("There is such an entry already.")
_SQLITE: Final[dict[int, StoreError]] = {
    sqlite3.SQLITE_FULL: StoreFullError("The disk is full."),
    sqlite3.SQLITE_BUSY: StoreBusyError("Another program keeps the stored games locked; try again in a while."),
    sqlite3.SQLITE_LOCKED: StoreBusyError("Another program keeps the stored games locked; try again in a while."),
    sqlite3.SQLITE_CORRUPT: StoreDamagedError(f"{DAMAGED}."),
    sqlite3.SQLITE_NOTADB: StoreDamagedError(f"{DAMAGED}: it is not a database."),
    sqlite3.SQLITE_READONLY: StoreError("The file with the games cannot be written to."),
    sqlite3.SQLITE_CANTOPEN: StoreError("The file with the games cannot be opened."),
    sqlite3.SQLITE_IOERR: StoreError("The disk fails to read or write the file with the games."),
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: TAKEN,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: TAKEN,
}
"""By the whole code, or by its lower byte, which is the family: the rest often says more than anybody needs to know."""
LOST: Final = LostError("The database cannot be reached at the moment; try again in a while.")
_IN_THE_WAY: Final = AgainError("Others are changing the same; try again in a while.")
_REFUSED: Final = StoreError(
    "The database does not let this user in; the address, name and password should be checked."
)
_POSTGRESQL: Final[dict[str, StoreError]] = {
    "08": LOST,
    "57P": LOST,  # it is being stopped, or is just starting
    "57014": StoreBusyError("The database takes too long; try again in a while."),
    "53": StoreBusyError("The database has too much to do; try again in a while."),
    "53100": StoreFullError("The database's disk is full."),
    "40": _IN_THE_WAY,  # two transactions, each of which waited for the other
    "55P03": _IN_THE_WAY,
    "25006": StoreError("The database cannot be written to."),
    "23505": TAKEN,
    "28": _REFUSED,
    "3D000": StoreError("There is no such database on the server."),
    "42501": StoreError("The database does not let this user do what is needed."),
    "58": StoreError("The database fails to read or write its files."),
    "XX001": StoreDamagedError("The database is damaged, and a copy must be put in its place."),
    "XX002": StoreDamagedError("The database is damaged, and a copy must be put in its place."),
}
"""By the whole code, by its first three letters, or by its first two, which are the family."""
_OTHER: Final = StoreError("The stored games cannot be reached.")


def fault_of(error: Exception) -> StoreError:
    """Return what an error of a database's driver, or of SQLAlchemy about one, means."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    found = _OTHER
    if isinstance(code, int):
        found = _SQLITE.get(code) or _SQLITE.get(code & 0xFF, _OTHER)
    elif isinstance(state, str):
        found = _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:3]) or _POSTGRESQL.get(state[:2], _OTHER)
    return type(found)(*found.args)
