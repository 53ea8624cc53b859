"""Ratings: which games count, in which pool, and how they change the ratings of their players."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from punct.glicko import PROVISIONAL_DEVIATION, Rating, after_games, after_inactivity
from punct.server.auth.events import PlayerChanged
from punct.server.db.errors import StoreError
from punct.server.events import EventBus
from punct.server.games.events import GameEnded, RatingSkipped
from punct.server.games.model import UncountedReason
from punct.server.ratings.store import EndedGame, GameCounts, Ranked, RatedGame, RatingLookup, RatingStore, StoredRating
from punct.server.tasks import BackgroundTasks

_log = logging.getLogger(__name__)
LEVEL_RATINGS: Final = {1: 600, 2: 850, 3: 1200, 4: 1470, 5: 1700, 6: 1870, 7: 2070, 8: 2460}
"""The ratings of the engine's levels: as far apart as matches between them have shown."""
_LEVEL_DEVIATION: Final = 60.0
MIN_MOVES_EACH: Final = 4
"""A game in which one side has played fewer moves does not count: hardly anything was decided on the board, and
accounts made for the purpose could lose any number of such games to one another in seconds."""
MAX_GAMES_OF_PAIR: Final = 5
"""How many games of the same two players count within a day, in each pool. An evening's match of friends counts, and a
player who lets a second account lose to the first gains little. Further games say next to nothing about their strength
against all others."""
PAIR_WINDOW: Final = timedelta(days=1)
MAX_RANKED: Final = 100


class Ratings:
    """All ratings of this server."""

    def __init__(self, store: RatingStore, bus: EventBus | None = None) -> None:
        """Use a store, and count every rated game that ends."""
        self._store, self._bus = store, bus or EventBus()
        self._tasks = BackgroundTasks("counting a game for ratings")
        self._bus.subscribe(GameEnded, self._count_ended)

    async def of_player(self, player_id: str) -> list[StoredRating]:
        """Return a player's ratings, by pool, with the deviations of today."""
        now = datetime.now(UTC)
        ratings = await asyncio.to_thread(self._store.of_player, player_id)
        return [_aged(rating, now) for rating in ratings]

    async def history(self, player_id: str, pool: str) -> list[RatedGame]:
        """Return how each game changed a player's rating in a pool, oldest first."""
        return await asyncio.to_thread(self._store.history, player_id, pool)

    async def leaderboard(self, pool: str) -> list[Ranked]:
        """Return a pool's players, strongest first, with the deviations of today.

        Those whose rating is provisional come after all others.
        """
        now = datetime.now(UTC)
        stored = await asyncio.to_thread(self._store.leaderboard, pool, PROVISIONAL_DEVIATION, MAX_RANKED)
        players = [player._replace(rating=_aged(player.rating, now)) for player in stored]
        return sorted(players, key=lambda player: is_provisional(player.rating))  # stable: else in the same order

    async def game_counts(self, player_id: str) -> GameCounts:
        """Return how many games a player is playing, has won, drawn and lost against other people."""
        return await asyncio.to_thread(self._store.game_counts, player_id)

    def _count_ended(self, event: GameEnded) -> None:
        """Count a game in the background, if it is rated: a change in this process has ended it."""
        if event.game.stored.rated:
            self._tasks.start(self._count_all([event.game.id]))

    async def count(self, game_id: str) -> list[str]:
        """Count a game, unless it was counted or does not count; return the players whose ratings it changed."""
        result = await asyncio.wrap_future(self._store.count(game_id, rate_game))
        if result.is_skipped:
            self._bus.publish(RatingSkipped(game_id))
        return result.players

    async def start(self) -> None:
        """Count games in the background that ended and were not counted, because the server stopped too soon."""

        async def count() -> None:
            await self._count_all(await asyncio.to_thread(self._store.uncounted_games))

        self._tasks.start(count())

    async def close(self) -> None:
        """Wait until all games are counted."""
        await self._tasks.finish()

    async def _count_all(self, game_ids: Iterable[str]) -> None:
        for game_id in game_ids:
            try:
                for player_id in await self.count(game_id):
                    self._bus.publish(PlayerChanged(player_id))
            except StoreError:
                _log.exception("game %s could not be counted; it will be when the server starts again", game_id)


def rating_pool(game: EndedGame) -> str | None:
    """Return the pool in which a game counts, by its rules and speed; None if it does not count.

    Games between account holders count if they are timed. Games of one against the computer have a pool of their own.
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


def _current(stored: StoredRating, now: datetime) -> Rating:
    """Return a stored rating with the deviation it has grown to by now."""
    return after_inactivity(Rating(stored.rating, stored.deviation, stored.volatility), now - stored.updated)


def _aged(stored: StoredRating, now: datetime) -> StoredRating:
    return stored._replace(deviation=_current(stored, now).deviation)


def is_provisional(rating: StoredRating) -> bool:
    """Return whether a rating is too uncertain to be ranked."""
    return rating.deviation > PROVISIONAL_DEVIATION


def rate_game(game: EndedGame, lookup: RatingLookup) -> dict[str, tuple[float, StoredRating]] | UncountedReason:
    """Return the rating before a game and the new rating, by player; or why the game does not count.

    It is decided once: a guest's game does not count even if the guest creates an account later.
    """
    persons = [seat for seat in game.seats.values() if seat.level is None]
    if not all(seat.has_account for seat in persons):
        return "guest"
    pool = rating_pool(game)
    if pool is None:
        return {}
    if game.ply < 2 * MIN_MOVES_EACH:  # White began: so each side has played half of them
        return "short"
    match [seat.player_id for seat in persons if seat.player_id is not None]:
        case [one, other] if lookup.games_of_pair(one, other, pool, game.ended - PAIR_WINDOW) >= MAX_GAMES_OF_PAIR:
            return "pair"
    before: dict[str | None, StoredRating | None] = {}
    ratings = {}
    for colour, seat in game.seats.items():
        if seat.level is not None:
            ratings[colour] = Rating(LEVEL_RATINGS[seat.level], _LEVEL_DEVIATION)
            continue
        assert seat.player_id is not None
        stored = before[seat.player_id] = lookup.rating(seat.player_id, pool)
        ratings[colour] = Rating() if stored is None else _current(stored, game.ended)
    after = {}
    for colour, seat in game.seats.items():
        if seat.player_id is None or seat.level is not None:
            continue
        score = 0.5 if game.winner is None else float(game.winner is colour)
        rating = after_games(ratings[colour], [(ratings[colour.other], score)])
        stored = before[seat.player_id]
        new = StoredRating(pool, *rating, games=1 + (stored.games if stored else 0), updated=game.ended)
        after[seat.player_id] = ratings[colour].rating, new
    return after
