"""Idempotency keys: a request that a client repeats with the same key is not executed again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, literal_column, not_, select, update

from punct.server.db.database import Connection
from punct.server.db.errors import ConflictError, RetryError
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import REQUESTS
from punct.server.db.values import to_db_time


class IdempotencyKey(NamedTuple):
    """The key that a client gave a request, with the player who sent it: keys of different players never collide."""

    player_id: str
    """Empty on a server at home."""
    text: str
    fingerprint: str = ""
    """A hash of the request, which tells a repetition from a different request with the same key."""


class IdempotentResult(NamedTuple):
    """What the first request with a key did."""

    kind: str
    """What it created: ``game``, ``games``, ``challenge``, ``token``…; or ``turn``, ``change``, ``gone`` of a game."""
    id: str
    """The id of what it created, changed or deleted, or several separated by spaces."""
    fingerprint: str | None
    """The request's hash; None if it was stored by a version that had none."""

    def is_for(self, key: IdempotencyKey, kind: str) -> bool:
        """Tell whether a request with the same key is a repetition, and had a result of this kind."""
        return self.kind == kind and self.fingerprint in (None, key.fingerprint)


class DuplicateRequestError(ConflictError):
    """A request with this key was executed before; nothing was stored."""

    def __init__(self, result: IdempotentResult) -> None:
        super().__init__(result)
        self.result = result


def find_result(connection: Connection, key: IdempotencyKey) -> IdempotentResult | None:
    """Return the result of the first request with a key; None if there was none."""
    row = connection.execute(_SELECT_RESULT, {"player": key.player_id, "request": key.text}).fetchone()
    if row is None:
        return None
    kind, _, result_id = row[0].partition(" ")
    return IdempotentResult(kind, result_id, row[1])


def raise_if_used(connection: Connection, key: IdempotencyKey | None) -> None:
    """Raise DuplicateRequestError if the key was used before; to be called before anything is changed."""
    if key is not None and (result := find_result(connection, key)) is not None:
        raise DuplicateRequestError(result)


def record_result(connection: Connection, key: IdempotencyKey | None, kind: str, result_id: str, now: datetime) -> None:
    """Store the result of a request that passed ``raise_if_used``, in the transaction that makes it.

    If another process executes the same request concurrently and is faster, RetryError rolls this transaction back;
    the retry then finds the other one's result.
    """
    if key is not None:
        row = {
            "player_id": key.player_id,
            "key": key.text,
            "made": f"{kind} {result_id}",
            "wish": key.fingerprint,
            "at": to_db_time(now),
        }
        if not connection.execute(_INSERT_RESULT, row).rowcount:
            raise RetryError("The same is being asked of another process; try again in a while.")


def replace_result(connection: Connection, key: IdempotencyKey, kind: str, result_id: str) -> None:
    """Replace the first result of a request by that of its repetition."""
    values = {"player": key.player_id, "request": key.text, "made": f"{kind} {result_id}"}
    connection.execute(_UPDATE_RESULT, values)


class ExpiryTimes(NamedTuple):
    """The times before which keys are expired, by the kind of their result."""

    turns: datetime
    """The latest: keys of moves are very many, and expire soonest."""
    games: datetime
    """The earliest: a browser may upload a game that was begun offline again after months."""
    others: datetime


NOTHING_EXPIRED: Final = ExpiryTimes(*[datetime(1970, 1, 1, tzinfo=UTC)] * 3)
"""The expiry times before the first deletion."""


def delete_expired(connection: Connection, until: ExpiryTimes, since: ExpiryTimes) -> None:
    """Delete expired keys; ``since`` are the times of the last deletion, so that older rows are not scanned again."""
    for statement, begin, end in (
        (_DELETE_MOVES, since.turns, until.turns),
        (_DELETE_GAMES, since.games, until.games),
        (_DELETE_OTHERS, since.others, until.others),
    ):
        connection.execute(statement, {"since": to_db_time(begin), "until": to_db_time(end)})


_IS_REQUEST: Final = (REQUESTS.c.player_id == bindparam("player"), REQUESTS.c.key == bindparam("request"))
_SELECT_RESULT: Final = sql(select(REQUESTS.c.made, REQUESTS.c.wish).where(*_IS_REQUEST))
_INSERT_RESULT: Final = insert_or_ignore(REQUESTS)
_UPDATE_RESULT: Final = sql(update(REQUESTS).where(*_IS_REQUEST).values(bindparams("made")))
_DELETE_EXPIRED: Final = delete(REQUESTS).where(REQUESTS.c.at >= bindparam("since"), REQUESTS.c.at < bindparam("until"))
_IS_MOVE: Final = REQUESTS.c.made.like(literal_column("'turn %'"))
_IS_GAME: Final = REQUESTS.c.made.like(literal_column("'game %'"))
_DELETE_MOVES: Final = sql(_DELETE_EXPIRED.where(_IS_MOVE))
_DELETE_GAMES: Final = sql(_DELETE_EXPIRED.where(_IS_GAME))
_DELETE_OTHERS: Final = sql(_DELETE_EXPIRED.where(not_(_IS_GAME)))
