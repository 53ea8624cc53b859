"""When the server was last known to run, what clocks owe to the time in which it did not, and who else wrote."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Integer, bindparam, delete, exists, literal_column, select, update

from punct.server.store import requests
from punct.server.store.database import Connection, Database
from punct.server.store.requests import Lapsed
from punct.server.store.sql import in_place, named, sql, unless_there
from punct.server.store.stored import StoredClock
from punct.server.store.tables import CHALLENGES, GAMES, PLAYERS, PULSE, SEATS, SESSIONS
from punct.server.store.values import moment, written

Pardon = Callable[[StoredClock, datetime, datetime], StoredClock]
"""Returns a clock as it is after an outage that began then and ended now."""


class PulseStore:
    """The server's pulse, and what is swept out with it. Changes return at once, with the result to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def beat(
        self, now: datetime, outage: timedelta, pardon: Pardon, set_back: timedelta | None = None
    ) -> Future[list[str]]:
        """Note that the server runs. After longer silence than an outage takes, every clock that runs is pardoned.

        So it is if the server last ran longer after now than ``set_back``: then the system's clock was set back, and
        those of games go back with it. All in one transaction, and by one process if several notice it; return the ids
        of those games.
        """

        def store(connection: Connection) -> list[str]:
            found = connection.execute(_LAST).fetchone()
            if found is None:
                connection.execute(_FIRST, {"id": 1, "at": written(now)})
                return []
            last = moment(found[0])
            was_set_back = set_back is not None and last - now > set_back
            if (last >= now and not was_set_back) or connection.execute(
                _BEAT, {"at": written(now), "before": written(last)}
            ).rowcount != 1:
                return []  # another process was quicker
            if now - last <= outage and not was_set_back:
                return []
            pardoned = _pardon_all(connection, last, now, pardon)
            if pardoned:  # in every process there may be somebody who looks at one of them
                _touch(connection, now)
            return pardoned

        return self._database.change(store)

    def touch(self, now: datetime) -> Future[None]:
        """Note that a program beside the server has changed something: every process looks at everything anew."""
        return self._database.change(lambda connection: _touch(connection, now))

    def touched(self) -> datetime | None:
        """Return when a program beside the server last changed something. Blocks."""
        found = self._database.ask(_TOUCHED)
        return moment(found[0][0]) if found else None

    def sweep(self, asked_until: Lapsed, asked_since: Lapsed, offered_before: datetime) -> Future[None]:
        """Forget requests, each in its time, and challenges that nobody will come back to."""

        def store(connection: Connection) -> None:
            requests.forget(connection, asked_until, asked_since)
            connection.execute(_FORGET_CHALLENGES, {"before": written(offered_before)})

        return self._database.change(store)

    def sweep_people(self, now: datetime) -> Future[None]:
        """Forget sessions that have expired, and guests of whom nothing is left: nobody can be them any more."""

        def store(connection: Connection) -> None:
            # Locked first: what is being stored for one of them is seen then, and it is not forgotten.
            idle = connection.execute(_IDLE_GUESTS, {"now": written(now)}).fetchall()
            connection.execute(_FORGET_SESSIONS, {"now": written(now)})
            connection.executemany(_FORGET_GUEST, [{"player": row[0]} for row in idle])

        return self._database.change(store)


def _touch(connection: Connection, now: datetime) -> None:
    connection.execute(_TOUCH, {"id": 2, "at": written(now)})


def _pardon_all(connection: Connection, last: datetime, now: datetime, pardon: Pardon) -> list[str]:
    rows = []
    for game_id, revision, left_w, left_b, ticking, deadline in connection.execute(_TICKING).fetchall():
        clock = pardon(StoredClock(left_w, left_b, moment(ticking), moment(deadline)), last, now)
        assert clock.ticking is not None and clock.deadline is not None
        row = {"game": game_id, "before": revision, "revision": revision + 1}
        rows.append({**row, "ticking": written(clock.ticking), "deadline": written(clock.deadline)})
    connection.executemany(_PARDON, rows)
    return [row["game"] for row in rows]


_ONE: Final = literal_column("1", Integer)
_LAST: Final = sql(select(PULSE.c.at).where(PULSE.c.id == _ONE))
_FIRST: Final = unless_there(PULSE)
_TWO: Final = literal_column("2", Integer)
_TOUCHED: Final = sql(select(PULSE.c.at).where(PULSE.c.id == _TWO))
_TOUCH: Final = in_place(PULSE, "at")
_BEAT: Final = sql(
    update(PULSE).where(PULSE.c.id == _ONE, PULSE.c.at == bindparam("before")).values(at=bindparam("at"))
)
_TICKING: Final = sql(
    select(GAMES.c.id, GAMES.c.revision, GAMES.c.left_w, GAMES.c.left_b, GAMES.c.ticking, GAMES.c.deadline).where(
        GAMES.c.deadline.is_not(None), GAMES.c.ticking.is_not(None), GAMES.c.ending.is_(None)
    )
)
_PARDON: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("before"))
    .values(named("revision", "ticking", "deadline"))
)
_FORGET_CHALLENGES: Final = sql(delete(CHALLENGES).where(CHALLENGES.c.expires < bindparam("before")))
_FORGET_SESSIONS: Final = sql(delete(SESSIONS).where(SESSIONS.c.expires <= bindparam("now")))
_HAS_SESSION: Final = exists().where(SESSIONS.c.player_id == PLAYERS.c.id)
_IS_IDLE_GUEST: Final = (
    PLAYERS.c.kind == literal_column("'guest'"),
    *(
        ~exists().where(theirs == PLAYERS.c.id)
        for theirs in (SEATS.c.player_id, GAMES.c.owner_id, CHALLENGES.c.player_id)
    ),
)
_IDLE_GUESTS: Final = sql(
    select(PLAYERS.c.id)
    .where(*_IS_IDLE_GUEST, ~_HAS_SESSION.where(SESSIONS.c.expires > bindparam("now")))
    .order_by(PLAYERS.c.id)
    .with_for_update()
)
_FORGET_GUEST: Final = sql(delete(PLAYERS).where(PLAYERS.c.id == bindparam("player"), *_IS_IDLE_GUEST, ~_HAS_SESSION))
