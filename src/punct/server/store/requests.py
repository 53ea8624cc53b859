"""What was asked with a key, and what it made: asked again, it is not made again."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, insert, select

from punct.server.store.database import Connection
from punct.server.store.faults import ConflictError
from punct.server.store.sql import sql
from punct.server.store.tables import REQUESTS
from punct.server.store.values import written


class RequestKey(NamedTuple):
    """A key that somebody gave a request of theirs."""

    player: str
    """Their id; empty at home."""
    key: str


class RepeatedError(ConflictError):
    """This was asked before; nothing was stored."""

    def __init__(self, made: str) -> None:
        super().__init__(made)
        self.made = made
        """What it made then."""


_MADE: Final = sql(
    select(REQUESTS.c.made).where(REQUESTS.c.player_id == bindparam("player"), REQUESTS.c.key == bindparam("asked"))
)
_NEW: Final = sql(insert(REQUESTS))
_FORGET: Final = sql(delete(REQUESTS).where(REQUESTS.c.at < bindparam("before")))


def made_by(connection: Connection, request: RequestKey) -> str | None:
    """Return what a request made; None if it was never made."""
    found = connection.execute(_MADE, {"player": request.player, "asked": request.key}).fetchone()
    return None if found is None else found[0]


def note(connection: Connection, request: RequestKey | None, made: str, now: datetime) -> None:
    """Note what a request makes, in the transaction that makes it; raises RepeatedError if it was made before."""
    if request is None:
        return
    before = made_by(connection, request)
    if before is not None:
        raise RepeatedError(before)
    row = {"player_id": request.player, "key": request.key, "made": made, "at": written(now)}
    connection.execute(_NEW, row)


def forget(connection: Connection, before: datetime) -> int:
    """Forget what was asked long ago; tell how much that was."""
    return connection.execute(_FORGET, {"before": written(before)}).rowcount
