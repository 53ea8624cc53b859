"""Deadlines: ends games whose time is up, that never started, or that a player has abandoned."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from punct.outcome import Ending, Outcome
from punct.server.errors import BrokenGameError, RequestError
from punct.server.games.errors import NotPossibleError
from punct.server.games.events import RemovalReason
from punct.server.games.game import PlayedGame
from punct.server.games.model import FIRST_MOVES
from punct.server.games.service import Games
from punct.server.games.store import GameStore
from punct.server.games.time_control import MAX_COMPENSATION_PER_MOVE, is_first_move_overdue, is_out_of_time

FIRST_MOVE_TIMEOUT: Final = timedelta(minutes=15)
"""How long a live game waits for each side's first move."""
ABANDONMENT_TIMEOUT: Final = timedelta(days=7)
"""A player who lets a rated game against the computer wait this long has resigned: else it would never count."""


class Deadlines:
    """Finds such games, and ends each of them unless a move was played meanwhile."""

    def __init__(self, store: GameStore, games: Games) -> None:
        """Find games in a store, and end them as any other change of a game is made."""
        self._store, self._games = store, games

    async def end_overdue(self, now: datetime) -> None:
        """End every game whose deadline has passed, at a time when everybody could play.

        A game in which not both have played is aborted: the player who offered it may not know yet that it has begun.
        """

        def end_on_time(game: PlayedGame) -> PlayedGame:
            return game.end(Outcome(game.turn.other, Ending.TIME), now) if is_out_of_time(game.stored, now) else game

        def check_never_started(game: PlayedGame) -> None:
            if not is_first_move_overdue(game.stored, now):
                raise NotPossibleError("The game has begun.")

        async def end(game_id: str) -> None:
            if (await self._games.get(game_id)).ply < FIRST_MOVES:
                await self._games.remove(game_id, check_never_started, RemovalReason.ABORTED)
            else:
                await self._games.change(game_id, end_on_time)

        await self._end_all(lambda: self._store.overdue(now - MAX_COMPENSATION_PER_MOVE), end)

    async def abort_unstarted(self, now: datetime) -> None:
        """Abort every live game that has waited too long for a first move: no clock runs that would end it."""
        since = now - FIRST_MOVE_TIMEOUT

        def check(game: PlayedGame) -> None:
            if game.outcome is not None or game.ply >= FIRST_MOVES or game.stored.updated > since:
                raise NotPossibleError("The game has begun.")

        await self._end_all(
            lambda: self._store.unstarted(since),
            lambda game_id: self._games.remove(game_id, check, RemovalReason.ABORTED),
        )

    async def end_abandoned(self, now: datetime) -> None:
        """End every rated game against the computer that its player has abandoned."""
        since = now - ABANDONMENT_TIMEOUT

        def is_abandoned(game: PlayedGame) -> bool:
            return game.outcome is None and game.seat_to_move.kind == "person" and game.stored.updated <= since

        def resign(game: PlayedGame) -> PlayedGame:
            return game.end(Outcome(game.turn.other, Ending.RESIGNATION), now) if is_abandoned(game) else game

        await self._end_all(lambda: self._store.abandoned(since), lambda game_id: self._games.change(game_id, resign))

    async def _end_all(self, find: Callable[[], list[str]], end: Callable[[str], Awaitable[object]]) -> None:
        for game_id in await self._games.readers.read(find):
            with contextlib.suppress(RequestError, BrokenGameError):  # it was ended, played on or deleted meanwhile
                await end(game_id)
