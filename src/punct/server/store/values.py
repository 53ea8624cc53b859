"""Times, JSON, yes-or-no and ids as both databases take and give them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column

from punct.server.store.sql import DIALECT

_Convert = Callable[[Any], Any]


def written(moment: datetime) -> str:
    """Return a point in time as the tables have it: in UTC, as they know of no time zones."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def moment(written: Any) -> datetime:
    """Return the point in time that was written."""
    return datetime.fromisoformat(written).replace(tzinfo=UTC)


def flag(stored: Any) -> bool:
    """Return a yes or no, which SQLite keeps as a number. It is written as what it is."""
    return bool(stored)


def new_id() -> str:
    """Return an id that nobody has: for addresses, and for command lines, which take a hyphen at its start for more."""
    while (made := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return made


def json_of(column: Column[Any]) -> tuple[_Convert, _Convert]:
    """Return how the values of a column of JSON are written and read."""
    kind = column.type.dialect_impl(DIALECT)
    write, read = kind.bind_processor(DIALECT), kind.result_processor(DIALECT, None)
    assert write is not None and read is not None
    return write, read
