"""What was asked with a key, and what it made: asked again, it is not made again."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from sqlalchemy import bindparam, delete, literal_column, not_, select, update

from punct.server.store.database import Connection
from punct.server.store.faults import AgainError, ConflictError
from punct.server.store.sql import named, sql, unless_there
from punct.server.store.tables import REQUESTS
from punct.server.store.values import written


class RequestKey(NamedTuple):
    """A key that somebody gave a request of theirs."""

    player: str
    """Their id; empty at home."""
    key: str
    wish: str = ""
    """By which the same request is told from another one with the same key."""


class Made(NamedTuple):
    """What was made when a key was first used."""

    kind: str
    """What sort of thing: ``game``."""
    what: str
    """Its id, or several with spaces between."""
    wish: str | None
    """What was asked for; None if nobody noted it."""

    def is_asked_by(self, request: RequestKey, kind: str) -> bool:
        """Tell whether a request with the same key is the same request, and made such a thing."""
        return self.kind == kind and self.wish in (None, request.wish)


class RepeatedError(ConflictError):
    """Something was asked with this key before; nothing was stored."""

    def __init__(self, made: Made) -> None:
        super().__init__(made)
        self.made = made


_MADE: Final = sql(
    select(REQUESTS.c.made, REQUESTS.c.wish).where(
        REQUESTS.c.player_id == bindparam("player"), REQUESTS.c.key == bindparam("asked")
    )
)
_NEW: Final = unless_there(REQUESTS)
_LAPSED: Final = delete(REQUESTS).where(REQUESTS.c.at >= bindparam("since"), REQUESTS.c.at < bindparam("until"))
_IS_GAME: Final = REQUESTS.c.made.like(literal_column("'game %'"))
_FORGET: Final = sql(_LAPSED.where(not_(_IS_GAME)))
_FORGET_TURNS: Final = sql(_LAPSED.where(REQUESTS.c.made.like(literal_column("'turn %'"))))
_FORGET_GAMES: Final = sql(_LAPSED.where(_IS_GAME))
_ANEW: Final = sql(
    update(REQUESTS)
    .where(REQUESTS.c.player_id == bindparam("player"), REQUESTS.c.key == bindparam("asked"))
    .values(named("made"))
)


def made_by(connection: Connection, request: RequestKey) -> Made | None:
    """Return what a request made; None if it was never made."""
    found = connection.execute(_MADE, {"player": request.player, "asked": request.key}).fetchone()
    if found is None:
        return None
    kind, _, what = found[0].partition(" ")
    return Made(kind, what, found[1])


def check(connection: Connection, request: RequestKey | None) -> None:
    """Raise RepeatedError if something was asked with this key before: first of all, before anything is changed."""
    if request is not None and (made := made_by(connection, request)) is not None:
        raise RepeatedError(made)


def note(connection: Connection, request: RequestKey | None, kind: str, what: str, now: datetime) -> None:
    """Note what a request that was checked makes, in the transaction that makes it.

    If another process was asked the same at the same moment and was quicker, nothing of this transaction is kept: tried
    again, it is found by the check.
    """
    if request is not None:
        row = {"player_id": request.player, "key": request.key, "made": f"{kind} {what}", "wish": request.wish}
        if not connection.execute(_NEW, {**row, "at": written(now)}).rowcount:
            raise AgainError("The same is being asked of another process; try again in a while.")


def note_anew(connection: Connection, request: RequestKey, kind: str, what: str) -> None:
    """Note what a repeated request made in place of what it had made first."""
    connection.execute(_ANEW, {"player": request.player, "asked": request.key, "made": f"{kind} {what}"})


class Lapsed(NamedTuple):
    """Until when what was asked with a key is forgotten, by what it made."""

    turns: datetime
    """The soonest: there are very many."""
    games: datetime
    """The latest: whoever has a game that was begun elsewhere may bring it again after months."""
    others: datetime


NEVER: Final = Lapsed(*[datetime(1970, 1, 1, tzinfo=UTC)] * 3)
"""When nothing has been forgotten yet."""


def forget(connection: Connection, until: Lapsed, since: Lapsed) -> None:
    """Forget what was asked long ago, but for what was forgotten before: so a year of games is not gone through."""
    for forgotten, begin, end in (
        (_FORGET_TURNS, since.turns, until.turns),
        (_FORGET_GAMES, since.games, until.games),
        (_FORGET, since.others, until.others),
    ):
        connection.execute(forgotten, {"since": written(begin), "until": written(end)})
