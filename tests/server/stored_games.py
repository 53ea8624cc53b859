"""Many finished games between account holders, put into a store without a server."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.server.two_player_games import EIGHT_MOVES

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.accounts.store import AccountStore
from punct.server.auth.store import AuthStore
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredClock, StoredMove, StoredSeat
from punct.server.games.store import GameStore
from punct.server.ratings.service import rate_game
from punct.server.ratings.store import RatingStore

JOINED = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Players:
    """Account holders in a store, and games between them that have ended and counted."""

    def __init__(self, store: GameStore, *names: str) -> None:
        self.store, self.accounts = store, AccountStore(store.database)
        self.ids = dict(zip(names, map(self._create, names), strict=True))

    def _create(self, name: str) -> str:
        auth, end = AuthStore(self.store.database), JOINED + timedelta(days=2000)
        player = auth.create_guest(f"session of {name}", JOINED, end).result().player
        self.accounts.create_account(player.id, name, "hash").result()
        self.accounts.rename(player.id, name.title()).result()
        return player.id

    def play(
        self,
        count: int,
        white: str,
        black: str,
        first_end: datetime,
        *,
        apart: timedelta = timedelta(minutes=1),
        pace: Callable[[int], timedelta] = lambda ply: HOUR,
        ending: Ending = Ending.RESIGNATION,
        **options: Any,
    ) -> list[str]:
        """Store games that White won one after another, and count them; return their ids. A move takes a ``pace``."""
        seats = {
            Colour.WHITE: StoredSeat(player=SeatedPlayer(self.ids[white])),
            Colour.BLACK: StoredSeat(player=SeatedPlayer(self.ids[black])),
        }
        new = NewStoredGame("standard w", seats, rated=True, listed=True, time="3d", clock=StoredClock(0, 0))
        new = replace(new, **options)
        games = self.store.create([new] * count, first_end - timedelta(days=1)).result()
        pending: list[Future[Any]] = []
        outcome = Outcome(Colour.WHITE, ending)
        for number, game in enumerate(games):
            end = first_end + number * apart
            times = [end - sum(map(pace, range(ply, len(EIGHT_MOVES))), timedelta()) for ply in range(len(EIGHT_MOVES))]
            moves = [
                StoredMove(text, times[ply], None, round(pace(ply).total_seconds()) if ply > 1 else None)
                for ply, text in enumerate(EIGHT_MOVES)
            ]
            ended = game.next_revision(end, len(moves), outcome, clock=StoredClock(0, 0))
            pending.append(self.store.add_moves(ended, *moves))
        for each in pending:
            each.result()
        if new.rated:
            ratings = RatingStore(self.store.database)
            for counting in [ratings.count(game.id, _rate_all) for game in games]:
                counting.result()
        return [game.id for game in games]

    def delete(self, name: str) -> None:
        """Delete an account."""
        self.accounts.delete_player(self.ids[name], JOINED, rate_game).result()


def _rate_all(game: Any, lookup: Any) -> Any:
    """Rate every game, however many the same two players have played."""
    return rate_game(game, _NoPairs(lookup))  # type: ignore[arg-type]


class _NoPairs:
    """Reads ratings, and counts no games of a pair."""

    def __init__(self, lookup: Any) -> None:
        self.rating = lookup.rating

    def games_of_pair(self, *_: object) -> int:
        return 0
