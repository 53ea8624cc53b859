"""The table of calendar feeds."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from sqlalchemy import bindparam, delete, select

from punct.server.db.database import Connection, Database
from punct.server.db.locks import LockStrength, lock_players
from punct.server.db.sql import sql, upsert
from punct.server.db.tables import CALENDARS


class CalendarStore:
    """All feeds. Reads block; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def has_feed(self, player_id: str) -> bool:
        """Tell whether a player has a feed."""
        return bool(self._database.fetch_all(_SELECT_BY_PLAYER, {"player": player_id}))

    def find_player(self, secret_hash: str) -> str | None:
        """Return the player whose feed has a secret, by its hash; None if there is none."""
        rows = self._database.fetch_all(_SELECT_PLAYER, {"secret": secret_hash})
        return rows[0][0] if rows else None

    def set_secret(self, player_id: str, secret_hash: str) -> Future[None]:
        """Give a player a feed, or their feed another secret; raises MissingPlayerError."""

        def store(connection: Connection) -> None:
            lock_players(connection, [player_id], LockStrength.SHARE)
            connection.execute(_UPSERT, {"player_id": player_id, "secret": secret_hash})

        return self._database.change(store)

    def delete(self, player_id: str) -> Future[None]:
        """Delete a player's feed, if there is one."""

        def store(connection: Connection) -> None:
            connection.execute(_DELETE, {"player": player_id})

        return self._database.change(store)


_IS_PLAYERS: Final = CALENDARS.c.player_id == bindparam("player")
_SELECT_BY_PLAYER: Final = sql(select(CALENDARS.c.player_id).where(_IS_PLAYERS))
_SELECT_PLAYER: Final = sql(select(CALENDARS.c.player_id).where(CALENDARS.c.secret == bindparam("secret")))
_UPSERT: Final = upsert(CALENDARS, "secret")
_DELETE: Final = sql(delete(CALENDARS).where(_IS_PLAYERS))
