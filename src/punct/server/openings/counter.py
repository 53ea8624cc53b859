"""Counts the games of this server among the openings when they end, in the background."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from punct.kernel import openings
from punct.server.clock import Now, utc_now
from punct.server.db.errors import DuplicateKeyError, StoreError, UnreadableGameError
from punct.server.events import EventBus
from punct.server.games.events import GameChanged, GameRemoved
from punct.server.games.model import StoredGame, StoredMove, StoredSeat
from punct.server.games.store import GameStore
from punct.server.openings.counter_store import STEP, CountedGame, GameCountStore, StaleStep
from punct.server.openings.model import EPOCH_ORDINAL, MAX_PLIES

_log = logging.getLogger(__name__)
CATCH_UP_SECONDS: Final = 120.0
"""Between two searches for games that ended or changed without an event in this process."""
CATCH_UP_OVERLAP: Final = timedelta(minutes=10)
"""How far each search reaches back before the last one: clocks of several machines differ, and storing takes time."""
_MAX_RECENT: Final = 2000
"""How many counted games are remembered by their ids."""
_BATCH_SIZE, _MAX_CONCURRENT = 200, 10
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class GameCounter:
    """Counts games as they end, and corrects the counts of games that go on or are deleted. No request waits for it."""

    def __init__(
        self,
        games: GameStore,
        level_ratings: Mapping[int, int],
        on_change: Callable[[], None],
        bus: EventBus | None = None,
        now: Now = utc_now,
    ) -> None:
        """Count the games of a store; ``on_change`` is called after counts may have changed."""
        self._games, self._store = games, GameCountStore(games.database)
        self._level_ratings, self._on_change, self._now = level_ratings, on_change, now
        self._last_catch_up: datetime | None = None
        self._pending: set[str] = set()
        self._recent: OrderedDict[str, None] = OrderedDict()
        """Games that were counted not long ago: if one of them goes on, it does not count any more."""
        self._wake = asyncio.Event()
        if bus is not None:
            bus.subscribe(GameChanged, self._game_changed)
            bus.subscribe(GameRemoved, lambda event: self._count_soon(event.game_id))

    def _game_changed(self, event: GameChanged) -> None:
        if event.game.outcome is not None or event.game.id in self._recent:
            self._count_soon(event.game.id)

    def _count_soon(self, game_id: str) -> None:
        self._pending.add(game_id)
        self._wake.set()

    async def run(self) -> None:
        """Count games after their events, and periodically those without an event; until cancelled."""
        while True:
            try:
                await self.catch_up()
                async with asyncio.timeout(CATCH_UP_SECONDS):
                    while True:
                        await self._wake.wait()
                        self._wake.clear()
                        await self._count_pending()
                        await self._find_last_days()
            except TimeoutError:
                pass  # time for the next search
            except Exception:
                _log.exception("openings cannot be counted now; they will be later")
                await asyncio.sleep(1.0)

    async def catch_up(self) -> None:
        """Count games that have ended, gone on or been deleted since the last call: the first time, all of them."""
        began = self._now()
        since = _EPOCH if self._last_catch_up is None else self._last_catch_up - CATCH_UP_OVERLAP
        previous: list[str] = []
        while True:
            batch = await asyncio.to_thread(self._store.games_to_count, since, _BATCH_SIZE)
            if not batch or batch == previous:  # if they are still there, other processes are counting them
                break
            for first in range(0, len(batch), _MAX_CONCURRENT):
                await asyncio.gather(*map(self._count, batch[first : first + _MAX_CONCURRENT]))
            previous = batch
        await self._find_last_days()
        self._last_catch_up = began

    async def _count_pending(self) -> None:
        while self._pending:
            await self._count(self._pending.pop())

    async def _count(self, game_id: str) -> None:
        """Count a game as it is now, in place of what was counted of it before."""
        try:
            game = await asyncio.to_thread(self._load, game_id)
            await asyncio.wrap_future(self._store.count_game(game_id, game))
        except DuplicateKeyError:
            pass  # another process has just counted it
        except StoreError:
            self._pending.add(game_id)
            raise
        self._on_change()
        if game is not None:
            self._recent[game_id] = None
            while len(self._recent) > _MAX_RECENT:
                self._recent.popitem(last=False)

    async def _find_last_days(self) -> None:
        """Find the last days of stale steps, one step at a time, without keeping the writer busy."""
        changed: set[StaleStep] = set()
        while stale := set(await asyncio.to_thread(self._store.stale_steps, _BATCH_SIZE)) - changed:
            for step in stale:
                last = await asyncio.to_thread(self._store.find_last_day, step)
                if not await asyncio.wrap_future(self._store.store_last_day(step, last)):
                    changed.add(step)  # a game with it was counted meanwhile: it stays stale until the next call
            self._on_change()

    def _load(self, game_id: str) -> CountedGame | None:
        """Return what a game adds: nothing if it is unreadable; None if it has not ended or is deleted. Blocks."""
        try:
            loaded = self._games.load(game_id)
        except UnreadableGameError:
            revision = self._games.revision(game_id)
            return None if revision is None else CountedGame(game_id, revision, None, None, 0, np.zeros(0, STEP))
        return None if loaded is None or loaded[0].outcome is None else counted_game(*loaded, self._level_ratings)


def counted_game(game: StoredGame, moves: list[StoredMove], level_ratings: Mapping[int, int]) -> CountedGame:
    """Return what a finished game adds to the openings. A game with illegal moves has no steps."""
    assert game.outcome is not None
    steps = openings.opening_moves([(game.start, " ".join(move.text for move in moves[:MAX_PLIES]))], MAX_PLIES)
    packed = np.zeros(len(steps.keys), STEP)
    packed["position"], packed["move"] = steps.keys, steps.moves
    ratings = [rating for seat in game.seats.values() if (rating := _rating(seat, level_ratings)) is not None]
    return CountedGame(
        game.id,
        game.revision,
        game.outcome.winner,
        round(sum(ratings) / len(ratings)) if ratings else None,
        game.updated.date().toordinal() - EPOCH_ORDINAL,
        packed,
    )


def _rating(seat: StoredSeat, level_ratings: Mapping[int, int]) -> int | None:
    if seat.kind == "engine":
        return None if seat.level is None else level_ratings.get(seat.level)
    return None if seat.player is None else seat.player.rating
