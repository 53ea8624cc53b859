"""Deletes rows that have expired: idempotency keys, challenges, sessions, and guests of whom nothing is left."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, exists, literal_column, select

from punct.server.db import idempotency
from punct.server.db.database import Connection, Database
from punct.server.db.idempotency import ExpiryTimes
from punct.server.db.sql import sql
from punct.server.db.tables import APPOINTMENTS, CHALLENGES, GAMES, PLAYERS, SEATS, SESSIONS
from punct.server.db.values import to_db_time


class ExpiryStore:
    """Deletes what has expired. Every method returns at once, with a future of the transaction."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def delete_requests(
        self, keys_until: ExpiryTimes, keys_since: ExpiryTimes, challenges_before: datetime
    ) -> Future[None]:
        """Delete idempotency keys, each kind in its time; challenges and appointments that expired before a time."""

        def store(connection: Connection) -> None:
            idempotency.delete_expired(connection, keys_until, keys_since)
            for statement in (_DELETE_CHALLENGES, _DELETE_APPOINTMENTS):
                connection.execute(statement, {"before": to_db_time(challenges_before)})

        return self._database.change(store)

    def delete_visitors(self, now: datetime) -> Future[None]:
        """Delete expired sessions, and guests without games, challenges or sessions: nobody can log in as them."""

        def store(connection: Connection) -> None:
            # Locked first: a game or challenge that is being stored for one of them is seen then, and they stay.
            guests = connection.execute(_SELECT_IDLE_GUESTS, {"now": to_db_time(now)}).fetchall()
            connection.execute(_DELETE_SESSIONS, {"now": to_db_time(now)})
            connection.executemany(_DELETE_GUEST, [{"player": row[0]} for row in guests])

        return self._database.change(store)


_DELETE_CHALLENGES: Final = sql(delete(CHALLENGES).where(CHALLENGES.c.expires < bindparam("before")))
_DELETE_APPOINTMENTS: Final = sql(delete(APPOINTMENTS).where(APPOINTMENTS.c.expires < bindparam("before")))
_DELETE_SESSIONS: Final = sql(delete(SESSIONS).where(SESSIONS.c.expires <= bindparam("now")))
_HAS_SESSION: Final = exists().where(SESSIONS.c.player_id == PLAYERS.c.id)
_IS_IDLE_GUEST: Final = (
    PLAYERS.c.kind == literal_column("'guest'"),
    *(
        ~exists().where(column == PLAYERS.c.id)
        for column in (SEATS.c.player_id, GAMES.c.owner_id, CHALLENGES.c.player_id)
    ),
)
_SELECT_IDLE_GUESTS: Final = sql(
    select(PLAYERS.c.id)
    .where(*_IS_IDLE_GUEST, ~_HAS_SESSION.where(SESSIONS.c.expires > bindparam("now")))
    .order_by(PLAYERS.c.id)
    .with_for_update()
)
_DELETE_GUEST: Final = sql(delete(PLAYERS).where(PLAYERS.c.id == bindparam("player"), *_IS_IDLE_GUEST, ~_HAS_SESSION))
