"""What time ends, whoever is there: games whose time is up, that nobody began, or that somebody left."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from punct.outcome import Ending, Outcome
from punct.server.play.clock import FIRST_MOVES, MOST_COMPENSATED, is_never_begun, is_out_of_time
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games, Gone
from punct.server.play.refusals import BrokenGameError, NotPossibleError
from punct.server.refusal import RefusalError
from punct.server.store import GameStore

UNBEGUN: Final = timedelta(minutes=15)
"""So long a live game waits for each side's first move."""
GIVEN_UP: Final = timedelta(days=7)
"""A rated game against the computer is given up by whoever lets it wait for so long: else it would never count."""


class Deadlines:
    """Looks for such games, and ends each of them unless it was played on meanwhile."""

    def __init__(self, store: GameStore, games: Games) -> None:
        """Find them in a store; end them where everything else is played, too."""
        self._store, self._games = store, games

    async def end_overdue(self, now: datetime) -> None:
        """End every game whose deadline had passed at a moment when everybody could play.

        One in which not both have played is called off: whoever offered it may not know yet that it has begun.
        """

        def lose(game: PlayedGame) -> PlayedGame:
            return game.end(Outcome(game.turn.other, Ending.TIME), now) if is_out_of_time(game.stored, now) else game

        def check_never_begun(game: PlayedGame) -> None:
            if not is_never_begun(game.stored, now):
                raise NotPossibleError("The game has begun.")

        async def end(game_id: str) -> None:
            if (await self._games.get(game_id)).ply < FIRST_MOVES:
                await self._games.forget(game_id, check_never_begun, Gone.ABORTED)
            else:
                await self._games.change(game_id, lose)

        await self._each(lambda: self._store.overdue(now - MOST_COMPENSATED), end)

    async def abort_unbegun(self, now: datetime) -> None:
        """Call off every live game in which somebody has not played for too long: no clock runs that would end it."""
        since = now - UNBEGUN

        def check(game: PlayedGame) -> None:
            if game.outcome is not None or game.ply >= FIRST_MOVES or game.stored.updated > since:
                raise NotPossibleError("The game has begun.")

        await self._each(
            lambda: self._store.unbegun(since), lambda game_id: self._games.forget(game_id, check, Gone.ABORTED)
        )

    async def end_left_alone(self, now: datetime) -> None:
        """End every rated game against the computer that its player has left."""
        since = now - GIVEN_UP

        def is_left(game: PlayedGame) -> bool:
            return game.outcome is None and game.to_move.kind == "person" and game.stored.updated <= since

        def give_up(game: PlayedGame) -> PlayedGame:
            return game.end(Outcome(game.turn.other, Ending.RESIGNATION), now) if is_left(game) else game

        await self._each(lambda: self._store.left_alone(since), lambda game_id: self._games.change(game_id, give_up))

    async def _each(self, find: Callable[[], list[str]], end: Callable[[str], Awaitable[object]]) -> None:
        for game_id in await self._games.readers.read(find):
            with contextlib.suppress(RefusalError, BrokenGameError):  # ended, played on, or gone, meanwhile
                await end(game_id)
