"""Whose time is up: settled before anything else happens in a game, whoever would do it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.play.actor import Actor
from punct.server.play.clock import MAX_STORE_DELAY, MOST_COMPENSATED, Now, is_out_of_time, started
from punct.server.play.game import PlayedGame
from punct.server.play.rights import holds
from punct.server.store import ConflictError, GameStore, StoreError

Act = Callable[[PlayedGame, datetime], PlayedGame]
"""What a player's act makes of a game at a moment: its next revision, or the game itself. May refuse."""


class TimeUpError(Exception):
    """The time of whoever is to move was up before what they, or the other player, would do."""


class Flags:
    """Decides what came in time, by when it arrived and how long the network takes."""

    def __init__(self, now: Now) -> None:
        """Take what happens to arrive at once, until somebody else tells."""

        async def arrival() -> datetime:
            return now()

        self.arrival: Callable[[], Awaitable[datetime]] = arrival
        """Tells when what is being asked has arrived."""
        self.lag: Callable[[str, Colour], timedelta] = lambda game_id, colour: timedelta()
        """Tells how long the network takes to a game's player and back."""

    def check(self, game: PlayedGame, now: datetime, actor: Actor) -> None:
        """Raise TimeUpError if the flag has fallen: another's move may still be on its way, one's own is not."""
        mine = holds(game.stored, game.turn, actor)
        self.check_move(game, now, self.lag(game.id, game.turn) if mine else MOST_COMPENSATED)

    def check_move(self, game: PlayedGame, now: datetime, lag: timedelta) -> None:
        """Raise TimeUpError if the flag has fallen before a move was made that the network held up for so long."""
        if is_out_of_time(game.stored, now, lag):
            raise TimeUpError


async def begun_when_stored(store: GameStore, game: PlayedGame, now: Now) -> PlayedGame:
    """Return a game once more whose clock began when its last change was stored, and which took too long for that.

    Every clock begins when its change is about to be stored. If that itself took long, as on a disk that is busy, the
    clock is put on: durably, and before anybody is told of the change. Should the store fail now, the change stands.
    """
    clock = game.stored.clock
    if clock is None or clock.ticking is None or now() - clock.ticking <= MAX_STORE_DELAY:
        return game
    stored = replace(game.stored, revision=game.revision + 1, clock=started(clock, now()))
    try:
        await asyncio.wrap_future(store.change(stored))
    except (ConflictError, StoreError):
        return game
    return game.with_stored(stored)


class Settling:
    """An act, or in its place the loss of whoever's time was up. Which of them is decided for the revision it is of."""

    def __init__(self, act: Act, now: datetime) -> None:
        self._act, self._now = act, now
        self.in_time = True

    def __call__(self, game: PlayedGame) -> PlayedGame:
        """Return what becomes of the game."""
        try:
            after, self.in_time = self._act(game, self._now), True
        except TimeUpError:
            after, self.in_time = game.end(Outcome(game.turn.other, Ending.TIME), self._now), False
        return after
