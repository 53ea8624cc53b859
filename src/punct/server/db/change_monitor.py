"""Detects changes by other programs: ``punct admin``, or another server process that adjusts all clocks.

They store the time of the change in one row; every process of the server polls that row.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

from sqlalchemy import Integer, literal_column, select

from punct.server.db.database import Connection, Database
from punct.server.db.sql import sql, upsert
from punct.server.db.tables import PULSE
from punct.server.db.values import from_db_time, to_db_time

_log = logging.getLogger(__name__)
POLL_SECONDS: Final = 2.0
_ROW_ID: Final = 2
"""Row 1 of the table is the heartbeat."""
_SELECT_LAST_CHANGE: Final = sql(select(PULSE.c.at).where(PULSE.c.id == literal_column(str(_ROW_ID), Integer)))
_UPSERT_CHANGE: Final = upsert(PULSE, "at")


def announce_change(connection: Connection, now: datetime) -> None:
    """Make every process of the server reload what it has in memory."""
    connection.execute(_UPSERT_CHANGE, {"id": _ROW_ID, "at": to_db_time(now)})


def last_change(database: Database) -> datetime | None:
    """Return the time of the last announced change; None if there was none. Blocks."""
    rows = database.fetch_all(_SELECT_LAST_CHANGE)
    return from_db_time(rows[0][0]) if rows else None


class ChangeMonitor:
    """Polls for announced changes. Each process of a server has one."""

    def __init__(self, database: Database, resync: Callable[[], Awaitable[None]]) -> None:
        """Call ``resync`` after every change that is announced from now on."""
        self._database, self._resync = database, resync
        self._last = last_change(database)

    async def poll(self) -> None:
        """Check once."""
        change = await asyncio.to_thread(last_change, self._database)
        if change != self._last:
            await self._resync()
            self._last = change  # only now: after an error the next poll tries again

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.poll()
            except Exception:
                _log.exception("cannot reload what other programs have changed")
