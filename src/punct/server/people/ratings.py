"""Ratings: which games count, in which pool, and what they do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from punct.server.people.glicko import PROVISIONAL, Rating, after_games, aged
from punct.server.store import (
    Believed,
    EndedGame,
    Fared,
    Ranked,
    RatedGame,
    RatingStore,
    StoredRating,
    StoreError,
    Uncounted,
)

_log = logging.getLogger(__name__)
LEVELS: Final = {1: 600, 2: 850, 3: 1200, 4: 1470, 5: 1700, 6: 1870, 7: 2070, 8: 2460}
"""What the computer's levels are worth: as far apart as their matches against each other have shown."""
_LEVEL_DEVIATION: Final = 60.0
MIN_MOVES_EACH: Final = 4
"""A game in which one side has played fewer moves counts for nobody: hardly anything was decided on the board, and
accounts made for the purpose could lose any number of such games to one another in seconds."""
MAX_GAMES_OF_PAIR: Final = 5
"""So many games of the same two count within a day, in each pool: an evening's match of friends does, and whoever has a
second account lose to the first one gains little by it. Further ones tell next to nothing about how they fare against
all the others."""
PAIR_WINDOW: Final = timedelta(days=1)
MOST_RANKED: Final = 100


class Ratings:
    """All ratings of this server."""

    def __init__(self, store: RatingStore) -> None:
        """Take over a store."""
        self._store = store
        self._counting: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[str], None]] = []
        self._leaving_out: list[Callable[[str], None]] = []

    def when_changed(self, listener: Callable[[str], None]) -> None:
        """Have a function called with the id of a player whose rating a game has changed."""
        self._listeners.append(listener)

    def when_left_out(self, listener: Callable[[str], None]) -> None:
        """Have a function called with the id of a rated game that does not count, once that is decided."""
        self._leaving_out.append(listener)

    async def of(self, player_id: str) -> list[StoredRating]:
        """Return a player's ratings, by pool, as certain as they still are."""
        now = datetime.now(UTC)
        found = await asyncio.to_thread(self._store.of, player_id)
        return [rating._replace(deviation=_rating(rating, now).deviation) for rating in found]

    async def history(self, player_id: str, pool: str) -> list[RatedGame]:
        """Return what a player's games did to their rating in a pool, the last one last."""
        return await asyncio.to_thread(self._store.history, player_id, pool)

    async def best(self, pool: str) -> list[Ranked]:
        """Return a pool's players, the strongest first, as certain as their ratings still are.

        Those whose rating is provisional come after all others.
        """
        now = datetime.now(UTC)
        found = await asyncio.to_thread(self._store.best, pool, PROVISIONAL, MOST_RANKED)
        aged_now = [
            ranked._replace(rating=ranked.rating._replace(deviation=_rating(ranked.rating, now).deviation))
            for ranked in found
        ]
        return sorted(aged_now, key=lambda ranked: provisional(ranked.rating))  # else in the order they had

    async def fared(self, player_id: str) -> Fared:
        """Return how a player's games with others came out."""
        return await asyncio.to_thread(self._store.fared, player_id)

    def ended(self, game_id: str) -> None:
        """Count a game that has just ended, without having anybody wait for it."""
        self._begin(self._count_all([game_id]))

    async def count(self, game_id: str) -> list[str]:
        """Count a game, unless it was or does not count; return whose ratings it changed."""
        counted = await asyncio.wrap_future(self._store.count(game_id, judge))
        if counted.left_out:
            for listener in self._leaving_out:
                listener(game_id)
        return counted.players

    def catch_up(self) -> None:
        """Count what was not counted because the server ended too soon."""

        async def count() -> None:
            await self._count_all(await asyncio.to_thread(self._store.uncounted))

        self._begin(count())

    async def close(self) -> None:
        """Finish counting."""
        while self._counting:
            await asyncio.wait(self._counting)

    async def _count_all(self, game_ids: Iterable[str]) -> None:
        for game_id in game_ids:
            try:
                for player_id in await self.count(game_id):
                    for listener in self._listeners:
                        listener(player_id)
            except StoreError:
                _log.exception("game %s could not be counted; it will be when the server starts again", game_id)

    def _begin(self, counting: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(counting)
        self._counting.add(task)
        task.add_done_callback(self._counting.discard)


def pool_of(game: EndedGame) -> str | None:
    """Return in which pool a game counts: by its rules and speed; None if it does not.

    Games between account holders count if they are timed; those of one against the computer, apart from them.
    """
    persons = [seat for seat in game.seats.values() if seat.level is None]
    if not all(seat.has_account for seat in persons):
        return None
    match len(persons):
        case 1:
            return f"{game.rules}-level"
        case 2 if game.time is not None and persons[0].player_id != persons[1].player_id:
            return f"{game.rules}-{'days' if game.time.endswith('d') else 'live'}"
    return None


def _rating(stored: StoredRating, now: datetime) -> Rating:
    return aged(Rating(stored.rating, stored.deviation, stored.volatility), now - stored.updated)


def provisional(rating: StoredRating) -> bool:
    """Tell whether a rating is too uncertain to be ranked."""
    return rating.deviation > PROVISIONAL


def judge(game: EndedGame, believed: Believed) -> dict[str, tuple[float, StoredRating]] | Uncounted:
    """Return players' ratings before a game and after it, by their ids; or why it does not count.

    It is decided once. A guest's game does not count either if the guest makes an account later.
    """
    persons = [seat for seat in game.seats.values() if seat.level is None]
    if not all(seat.has_account for seat in persons):
        return "guest"
    pool = pool_of(game)
    if pool is None:
        return {}
    if game.ply < 2 * MIN_MOVES_EACH:  # it began with White's first move: so many are each side's
        return "short"
    match [seat.player_id for seat in persons if seat.player_id is not None]:
        case [one, other] if believed.games_of(one, other, pool, game.ended - PAIR_WINDOW) >= MAX_GAMES_OF_PAIR:
            return "pair"
    before: dict[str | None, StoredRating | None] = {}
    ratings = {}
    for colour, seat in game.seats.items():
        if seat.level is not None:
            ratings[colour] = Rating(LEVELS[seat.level], _LEVEL_DEVIATION)
            continue
        assert seat.player_id is not None
        found = before[seat.player_id] = believed.rating(seat.player_id, pool)
        ratings[colour] = Rating() if found is None else _rating(found, game.ended)
    after = {}
    for colour, seat in game.seats.items():
        if seat.player_id is None or seat.level is not None:
            continue
        points = 0.5 if game.winner is None else float(game.winner is colour)
        new = after_games(ratings[colour], [(ratings[colour.other], points)])
        found = before[seat.player_id]
        stored = StoredRating(pool, *new, games=1 + (found.games if found else 0), updated=game.ended)
        after[seat.player_id] = ratings[colour].rating, stored
    return after
