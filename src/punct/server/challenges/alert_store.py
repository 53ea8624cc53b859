"""The table of seat alerts."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Boolean,
    Integer,
    String,
    bindparam,
    delete,
    exists,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from punct.server.challenges.model import StoredChallenge
from punct.server.db.database import Connection, Database
from punct.server.db.errors import QuotaExceededError
from punct.server.db.locks import lock_player
from punct.server.db.outbox import Notice, add_notices
from punct.server.db.sql import bindparams, sql
from punct.server.db.tables import PLAYERS, RELATIONS, SEAT_ALERTS
from punct.server.db.values import from_db_bool, from_db_time, to_db_time
from punct.server.games.time_control import TimeControl


class SeatAlert(NamedTuple):
    """Seats that a player wants to be told of; None: any."""

    id: str
    rules: str | None
    speed: str | None
    """``live``, ``days`` or ``none``."""
    rated: bool | None
    expires: datetime


class AlertStore:
    """All seat alerts. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def list_of(self, player_id: str, now: datetime) -> list[SeatAlert]:
        """Return a player's alerts that have not expired, the newest first."""
        rows = self._database.fetch_all(_SELECT_OF_PLAYER, {"player": player_id, "now": to_db_time(now)})
        return [_alert(row) for row in rows]

    def add(self, player_id: str, alert: SeatAlert, now: datetime, maximum: int) -> Future[None]:
        """Store an alert in place of an equal one; raises QuotaExceededError, MissingPlayerError."""
        row = {
            **alert._asdict(),
            "player_id": player_id,
            "created": to_db_time(now),
            "expires": to_db_time(alert.expires),
        }

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)  # else two processes might count at once
            connection.execute(_DELETE_EXPIRED, {"player": player_id, "now": to_db_time(now)})
            own = [_alert(found) for found in connection.execute(_SELECT_ALL, {"player": player_id}).fetchall()]
            equal = [each for each in own if each[1:4] == alert[1:4]]
            for each in equal:
                connection.execute(_DELETE, {"player": player_id, "alert": each.id})
            if len(own) - len(equal) >= maximum:
                raise QuotaExceededError(player_id)
            connection.execute(_INSERT, row)

        return self._database.change(store)

    def remove(self, player_id: str, alert_id: str) -> Future[None]:
        """Delete an alert of a player, if there is one."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE, {"player": player_id, "alert": alert_id})

        return self._database.change(store)

    def tell_some(self, challenge: StoredChallenge, now: datetime, interval: timedelta, limit: int) -> Future[int]:
        """Store notices for some players who want the seat of a challenge and were told nothing for a while.

        Return how many. Left out are the challenger, those who cannot take it, and those kept apart by a block.
        """
        speed = "none" if challenge.time is None else TimeControl.parse(challenge.time).speed
        wanted = {
            "now": to_db_time(now),
            "before": to_db_time(now - interval),
            "rules": challenge.rules,
            "speed": speed,
            "rated": challenge.rated,
            "challenger": challenge.challenger.id,
            "limit": limit,
        }

        def store(connection: Connection) -> int:
            count = 0
            for (player_id,) in connection.execute(_SELECT_WANTING, wanted).fetchall():
                # Another process may be telling the same players: whose update changes the rows stores the notice.
                told = {"player": player_id, "told": wanted["now"], "before": wanted["before"]}
                if connection.execute(_SET_TOLD, told).rowcount:
                    add_notices(connection, [Notice(player_id, "wanted", challenge.id, now)], now)
                    count += 1
            return count

        return self._database.change(store)


_COLUMNS: Final = tuple(SEAT_ALERTS.c[name] for name in ("id", "rules", "speed", "rated", "expires"))
_OWN: Final = SEAT_ALERTS.c.player_id == bindparam("player")
_SELECT_ALL: Final = sql(select(*_COLUMNS).where(_OWN).order_by(SEAT_ALERTS.c.created.desc()))
_IS_VALID: Final = SEAT_ALERTS.c.expires > bindparam("now")
_SELECT_OF_PLAYER: Final = sql(select(*_COLUMNS).where(_OWN, _IS_VALID).order_by(SEAT_ALERTS.c.created.desc()))
_INSERT: Final = sql(
    insert(SEAT_ALERTS).values(bindparams("id", "player_id", "rules", "speed", "rated", "created", "expires"))
)
_DELETE: Final = sql(delete(SEAT_ALERTS).where(_OWN, SEAT_ALERTS.c.id == bindparam("alert")))
_DELETE_EXPIRED: Final = sql(delete(SEAT_ALERTS).where(_OWN, SEAT_ALERTS.c.expires <= bindparam("now")))
_IS_UNTOLD: Final = or_(SEAT_ALERTS.c.told.is_(None), SEAT_ALERTS.c.told < bindparam("before"))
_SET_TOLD: Final = sql(update(SEAT_ALERTS).where(_OWN, _IS_UNTOLD).values(told=bindparam("told")))
_OTHERS: Final = SEAT_ALERTS.alias("others")


def _is_any_or(name: str, kind: Any) -> Any:
    column = SEAT_ALERTS.c[name]
    return or_(column.is_(None), column == bindparam(name, type_=kind))


def _has_blocked(one: Any, other: Any) -> Any:
    return exists().where(
        RELATIONS.c.player_id == one, RELATIONS.c.other_id == other, RELATIONS.c.kind == literal_column("'block'")
    )


_CHALLENGER: Final = bindparam("challenger", type_=String)
_SELECT_WANTING: Final = sql(
    select(SEAT_ALERTS.c.player_id)
    .distinct()
    .join(PLAYERS, PLAYERS.c.id == SEAT_ALERTS.c.player_id)
    .where(
        _IS_VALID,
        _IS_UNTOLD,
        _is_any_or("rules", String),
        _is_any_or("speed", String),
        _is_any_or("rated", Boolean),
        SEAT_ALERTS.c.player_id != _CHALLENGER,
        PLAYERS.c.blocked.is_(None),
        # Guests play no rated games.
        or_(PLAYERS.c.login.is_not(None), bindparam("rated", type_=Boolean).is_not(literal_column("true", Boolean))),
        ~exists().where(_OTHERS.c.player_id == SEAT_ALERTS.c.player_id, _OTHERS.c.told >= bindparam("before")),
        ~_has_blocked(SEAT_ALERTS.c.player_id, _CHALLENGER),
        ~_has_blocked(_CHALLENGER, SEAT_ALERTS.c.player_id),
    )
    .order_by(SEAT_ALERTS.c.player_id)
    .offset(literal_column("0", Integer))
    .limit(bindparam("limit"))
)


def _alert(row: Any) -> SeatAlert:
    alert_id, rules, speed, rated, expires = row
    return SeatAlert(alert_id, rules, speed, None if rated is None else from_db_bool(rated), from_db_time(expires))
