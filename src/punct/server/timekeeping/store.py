"""The stored heartbeat of a server, and the adjustment of all running clocks after an outage."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Integer, bindparam, literal_column, select, update

from punct.server.db.change_monitor import announce_change
from punct.server.db.database import Connection, Database
from punct.server.db.sql import bindparams, insert_or_ignore, sql
from punct.server.db.tables import GAMES, PULSE
from punct.server.db.values import from_db_time, to_db_time
from punct.server.games.model import StoredClock

AdjustClock = Callable[[StoredClock, str, datetime, datetime], StoredClock]
"""Returns a clock as it is after an outage, given the time control, the outage's begin and its end."""


class HeartbeatStore:
    """One row with the time of the last heartbeat, which all processes of a server share."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def beat(
        self, now: datetime, outage: timedelta, adjust: AdjustClock, max_skew: timedelta | None = None
    ) -> Future[list[str]]:
        """Store a heartbeat; if the last one is longer ago than ``outage``, adjust every running clock.

        The clocks are also adjusted if the last heartbeat lies further in the future than ``max_skew``: then the
        system's clock was set back, and those of games go back with it. All of this is one transaction, made by one
        process if several notice the outage. Return the ids of the games whose clocks were adjusted.
        """

        def store(connection: Connection) -> list[str]:
            row = connection.execute(_SELECT_LAST).fetchone()
            if row is None:
                connection.execute(_INSERT_FIRST, {"id": 1, "at": to_db_time(now)})
                return []
            last = from_db_time(row[0])
            was_set_back = max_skew is not None and last - now > max_skew
            if (last >= now and not was_set_back) or connection.execute(
                _UPDATE_LAST, {"at": to_db_time(now), "before": to_db_time(last)}
            ).rowcount != 1:
                return []  # another process was quicker
            if now - last <= outage and not was_set_back:
                return []
            adjusted = _adjust_clocks(connection, last, now, adjust)
            if adjusted:  # subscribers of these games may be connected to any process
                announce_change(connection, now)
            return adjusted

        return self._database.change(store)


def _adjust_clocks(connection: Connection, last: datetime, now: datetime, adjust: AdjustClock) -> list[str]:
    rows = []
    for game_id, revision, time, left_w, left_b, ticking, deadline in connection.execute(_SELECT_RUNNING).fetchall():
        clock = adjust(StoredClock(left_w, left_b, from_db_time(ticking), from_db_time(deadline)), time, last, now)
        assert clock.running_since is not None and clock.deadline is not None
        row = {"game": game_id, "before": revision, "revision": revision + 1}
        rows.append({**row, "ticking": to_db_time(clock.running_since), "deadline": to_db_time(clock.deadline)})
    connection.executemany(_UPDATE_CLOCK, rows)
    return [row["game"] for row in rows]


_HEARTBEAT: Final = PULSE.c.id == literal_column("1", Integer)
_SELECT_LAST: Final = sql(select(PULSE.c.at).where(_HEARTBEAT))
_INSERT_FIRST: Final = insert_or_ignore(PULSE)
_UPDATE_LAST: Final = sql(update(PULSE).where(_HEARTBEAT, PULSE.c.at == bindparam("before")).values(at=bindparam("at")))
_SELECT_RUNNING: Final = sql(
    select(*(GAMES.c[name] for name in ("id", "revision", "time", "left_w", "left_b", "ticking", "deadline"))).where(
        GAMES.c.deadline.is_not(None), GAMES.c.ticking.is_not(None), GAMES.c.ending.is_(None)
    )
)
_UPDATE_CLOCK: Final = sql(
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.revision == bindparam("before"))
    .values(bindparams("revision", "ticking", "deadline"))
)
