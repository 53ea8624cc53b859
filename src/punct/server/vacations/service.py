"""The service of vacations: players take and end them, and their days games stand meanwhile.

That games pause follows from the table of vacations, in a step of its own that may come late, and be repeated: a server
that is killed in between, or while it pauses many games, goes on with those that are left.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from punct.server.auth.errors import NoAccountError
from punct.server.auth.model import StoredPlayer
from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.events import EventBus
from punct.server.games.errors import PlayerRemovedError
from punct.server.games.events import ClocksAdjusted
from punct.server.games.idempotency import previous_result
from punct.server.games.pauses import Vacation
from punct.server.vacations.store import VacationStore

SLICE: Final = 50
"""Games that are paused or resumed in one transaction: between two of them others can store their moves."""
OVERLAP: Final = timedelta(minutes=1)
"""Each check looks again at so much before the last: clocks of several machines differ by less."""
LOOK_BACK: Final = timedelta(days=62)
"""How far the first check looks back, and one every ``LOOK_BACK_INTERVAL``: a server may have been killed before it had
paused all games, and a guest's games may have become those of an account on vacation."""
LOOK_BACK_INTERVAL: Final = timedelta(minutes=10)
RETENTION: Final = timedelta(days=2 * 366)
"""How long a vacation that is over is stored: its days count for its year."""


class Vacations:
    """All vacations of this server."""

    def __init__(self, store: VacationStore, bus: EventBus | None = None, now: Now = utc_now) -> None:
        """Use a store, and publish on the bus which clocks have stopped or run again."""
        self._store, self._bus, self._now = store, bus or EventBus(), now
        self._last: datetime | None = None
        self._last_look_back: datetime | None = None

    async def of_player(self, player_id: str) -> list[Vacation]:
        """Return the vacations of a player, past ones too, by their begin."""
        return await asyncio.to_thread(self._store.list_of, player_id)

    async def begin(
        self, player: StoredPlayer, begins: datetime | None, days: int, key: IdempotencyKey | None = None
    ) -> None:
        """Take whole days of vacation, from now or from a later time on."""
        if not player.has_account:
            raise NoAccountError("Vacations are for account holders; make an account, or log in.")
        now = self._now()
        begins = (now if begins is None else begins).replace(microsecond=0)
        vacation = Vacation(begins, begins + timedelta(days=days))
        try:
            await asyncio.wrap_future(self._store.add(player.id, vacation, now, key))
        except DuplicateRequestError as repeated:
            previous_result(repeated.result, key, "vacation")
        except MissingPlayerError:
            raise PlayerRemovedError from None
        await self.settle(now)

    async def end(self, player: StoredPlayer, begins: datetime | None, key: IdempotencyKey | None = None) -> None:
        """End the current vacation, or the one that begins at some time, before or after its begin."""
        now = self._now()
        try:
            await asyncio.wrap_future(self._store.end(player.id, begins, now, key))
        except DuplicateRequestError as repeated:
            previous_result(repeated.result, key, "vacation")
        except MissingPlayerError:
            raise PlayerRemovedError from None
        await self.settle(now)

    async def settle(self, now: datetime) -> None:
        """Stop the clocks of games whose players are on vacation, and let those run whose pauses are over."""
        looks_back = (
            self._last is None or self._last_look_back is None or now - self._last_look_back >= LOOK_BACK_INTERVAL
        )
        since = now - LOOK_BACK if looks_back or self._last is None else self._last - OVERLAP
        last = ""
        # Once each: a game whose time was up, or that is damaged, stays as it is, and holds up no other.
        while game_ids := await asyncio.to_thread(self._store.unsettled, since, now, last):
            last = game_ids[-1]
            for start in range(0, len(game_ids), SLICE):
                changed = await asyncio.wrap_future(self._store.settle(game_ids[start : start + SLICE], now))
                if changed:
                    self._bus.publish(ClocksAdjusted(tuple(changed)))
        self._last = now if self._last is None else max(self._last, now)
        if looks_back:
            self._last_look_back = now

    async def delete_old(self, now: datetime) -> None:
        """Delete vacations that count for no year any more."""
        await asyncio.wrap_future(self._store.delete_before(now - RETENTION))
