"""Seat alerts: players who want to be told when somebody offers a game like this."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from punct.server.challenges.alert_store import AlertStore, SeatAlert
from punct.server.challenges.errors import TooManyAlertsError
from punct.server.challenges.model import StoredChallenge
from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError, QuotaExceededError
from punct.server.db.values import new_id
from punct.server.games.errors import PlayerRemovedError

ALERT_LIFETIME: Final = timedelta(days=30)
"""How long a player is told; then they have to want it again."""
MAX_ALERTS: Final = 5
"""Of one player."""
ALERT_INTERVAL: Final = timedelta(hours=4)
"""A player is told of one seat in this time."""
SLICE: Final = 100
"""Players to whom notices are stored in one transaction: moves of others are stored in between."""


class SeatAlerts:
    """The seat alerts of all players."""

    def __init__(self, store: AlertStore, now: Now = utc_now) -> None:
        """Use a store."""
        self._store, self._now = store, now

    async def list_of(self, player_id: str) -> list[SeatAlert]:
        """Return a player's alerts that have not expired, the newest first."""
        return await asyncio.to_thread(self._store.list_of, player_id, self._now())

    async def add(self, player_id: str, rules: str | None, speed: str | None, rated: bool | None) -> SeatAlert:
        """Tell a player of seats from now on; the same wish again begins anew."""
        now = self._now()
        alert = SeatAlert(new_id(), rules, speed, rated, now + ALERT_LIFETIME)
        try:
            await asyncio.wrap_future(self._store.add(player_id, alert, now, MAX_ALERTS))
        except MissingPlayerError:
            raise PlayerRemovedError from None
        except QuotaExceededError:
            raise TooManyAlertsError(MAX_ALERTS) from None
        return alert

    async def remove(self, player_id: str, alert_id: str) -> None:
        """Tell a player no more; nothing happens if there is no such alert of theirs."""
        await asyncio.wrap_future(self._store.remove(player_id, alert_id))

    async def spread(self, challenge: StoredChallenge) -> int:
        """Store notices for everybody who wants such a seat, in slices; return how many.

        It may be done again from the beginning if the process is killed: nobody is told twice.
        """
        count = 0
        while told := await asyncio.wrap_future(self._store.tell_some(challenge, self._now(), ALERT_INTERVAL, SLICE)):
            count += told
        return count
