"""Errors of the store, translated from the drivers' errors into messages for users that reveal no internals."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError


class StoreError(Exception):
    """The store cannot be used. The message is for users."""

    is_rolled_back = False
    """Whether a change failed with this error, and is certainly not stored. A failed read says nothing about that: the
    change before it may be stored."""


class StoreFullError(StoreError):
    """The disk is full."""


class StoreBusyError(StoreError):
    """Another program holds a lock on the store, or the database is temporarily unreachable."""


class RetryError(StoreBusyError):
    """Concurrent transactions conflicted, or the connection was lost. Nothing was stored; a retry may succeed."""


class ConnectionLostError(RetryError):
    """The connection was lost before anything was stored."""


class CommitUnknownError(StoreError):
    """The connection was lost during a commit, and whether it succeeded could not be found out."""


class StoreDamagedError(StoreError):
    """The database file is corrupt."""


class DuplicateKeyError(StoreError):
    """A row with the same unique key exists. Nothing was stored."""


class UnreadableGameError(Exception):
    """The stored rows of one game are invalid. The message is for the log; other games are not affected."""


class ConflictError(Exception):
    """The stored state does not allow a change, as after a concurrent one: it has changed nothing itself."""


class QuotaExceededError(ConflictError):
    """A player has as much as their quota allows; nothing was stored."""


class MissingPlayerError(ConflictError):
    """A player is gone: deleted, merged into an account by logging in, or blocked."""


DAMAGED_MESSAGE: Final = "The file with the games is damaged, and a copy must be put in its place"
_LOCKED_MESSAGE: Final = "Another program keeps the stored games locked; try again in a while."
_DUPLICATE_KEY: Final = DuplicateKeyError("There is such an entry already.")
_SQLITE: Final[dict[int, StoreError]] = {
    sqlite3.SQLITE_FULL: StoreFullError("The disk is full."),
    sqlite3.SQLITE_BUSY: StoreBusyError(_LOCKED_MESSAGE),
    sqlite3.SQLITE_LOCKED: StoreBusyError(_LOCKED_MESSAGE),
    sqlite3.SQLITE_CORRUPT: StoreDamagedError(f"{DAMAGED_MESSAGE}."),
    sqlite3.SQLITE_NOTADB: StoreDamagedError(f"{DAMAGED_MESSAGE}: it is not a database."),
    sqlite3.SQLITE_READONLY: StoreError("The file with the games cannot be written to."),
    sqlite3.SQLITE_CANTOPEN: StoreError("The file with the games cannot be opened."),
    sqlite3.SQLITE_IOERR: StoreError("The disk fails to read or write the file with the games."),
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: _DUPLICATE_KEY,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY: _DUPLICATE_KEY,
}
"""By the extended error code, or by its lower byte, the primary code: the rest is often more detail than needed."""
CONNECTION_LOST_MESSAGE: Final = "The database cannot be reached at the moment; try again in a while."
_CONNECTION_LOST: Final = ConnectionLostError(CONNECTION_LOST_MESSAGE)
_CONFLICT: Final = RetryError("Others are changing the same; try again in a while.")
_DAMAGED: Final = StoreDamagedError("The database is damaged, and a copy must be put in its place.")
_POSTGRESQL: Final[dict[str, StoreError]] = {
    "08": _CONNECTION_LOST,
    "57P": _CONNECTION_LOST,  # it is shutting down, or just starting
    "57014": StoreBusyError("The database takes too long; try again in a while."),
    "53": StoreBusyError("The database has too much to do; try again in a while."),
    "53100": StoreFullError("The database's disk is full."),
    "40": _CONFLICT,  # a deadlock, or a serialization failure
    "55P03": _CONFLICT,
    "25006": StoreError("The database cannot be written to."),
    "23505": _DUPLICATE_KEY,
    "28": StoreError("The database does not let this user in; the address, name and password should be checked."),
    "3D000": StoreError("There is no such database on the server."),
    "42501": StoreError("The database does not let this user do what is needed."),
    "58": StoreError("The database fails to read or write its files."),
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By SQLSTATE, by its first three characters, or by its first two, the class."""
_OTHER: Final = StoreError("The stored games cannot be reached.")


def translate_error(error: Exception) -> StoreError:
    """Return the StoreError for an error of a database's driver, or of SQLAlchemy that wraps one."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    translation = _OTHER
    if isinstance(code, int):
        translation = _SQLITE.get(code) or _SQLITE.get(code & 0xFF, _OTHER)
    elif isinstance(state, str):
        translation = _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:3]) or _POSTGRESQL.get(state[:2], _OTHER)
    return type(translation)(*translation.args)  # a new one: each has its own traceback
