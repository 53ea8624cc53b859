"""Converters of times, JSON and booleans between Python and both databases, and new ids."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Column

from punct.server.db.sql import DIALECT

_Converter = Callable[[Any], Any]
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def to_db_time(time: datetime) -> str:
    """Return a time as the tables store it: in UTC, without a time zone."""
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def from_db_time(value: Any) -> datetime:
    """Return a stored time."""
    return datetime.fromisoformat(value).replace(tzinfo=UTC)


def version_at(time: datetime) -> int:
    """Return the version of what was stored at a time: compared by a client's change, and 0 if nothing is stored."""
    return (time - _EPOCH) // _MICROSECOND


def time_after_version(version: int, now: datetime) -> datetime:
    """Return the time to store with the next version: now, or later if the clock stands still or was set back."""
    return max(now, _EPOCH + (version + 1) * _MICROSECOND)


def from_db_bool(value: Any) -> bool:
    """Return a stored boolean, which SQLite gives as a number. Both databases take a bool as it is."""
    return bool(value)


def new_id() -> str:
    """Return a random id for URLs and command lines; those take a leading hyphen for an option."""
    while (new := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return new


def json_converters(column: Column[Any]) -> tuple[_Converter, _Converter]:
    """Return the functions that write and read the values of a JSON column."""
    kind = column.type.dialect_impl(DIALECT)
    write, read = kind.bind_processor(DIALECT), kind.result_processor(DIALECT, None)
    assert write is not None and read is not None
    return write, read
