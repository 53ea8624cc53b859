"""Loss on time: decided before any action in a game takes effect."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.clock import Now
from punct.server.db.errors import ConflictError, StoreError
from punct.server.games.game import PlayedGame
from punct.server.games.rights import holds_seat
from punct.server.games.store import GameStore
from punct.server.games.time_control import MAX_COMPENSATION_PER_MOVE, MAX_STORE_DELAY, is_out_of_time, restart_clock

Action = Callable[[PlayedGame, datetime], PlayedGame]
"""Returns what a player's action makes of a game at a time: its next revision, or the game itself. May raise."""


class TimeUpError(Exception):
    """The time of the player to move was up before the action, theirs or the opponent's."""


class GameClock(Protocol):
    """Tells when a request arrived, and how long it was on its way."""

    async def arrival(self) -> datetime:
        """Return the time at which the current request arrived."""

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return the round-trip time to a player of a game."""


class HomeClock:
    """The clock of a server at home: requests arrive without lag."""

    def __init__(self, now: Now) -> None:
        self._now = now

    async def arrival(self) -> datetime:
        """Return the time."""
        return self._now()

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return no lag."""
        return timedelta()


def check_flag(game: PlayedGame, now: datetime, actor: Actor, clock: GameClock) -> None:
    """Raise TimeUpError if the flag has fallen. An opponent's move may still be on its way, the actor's own is not."""
    is_own_turn = holds_seat(game.stored, game.turn, actor)
    check_move(game, now, clock.lag(game.id, game.turn) if is_own_turn else MAX_COMPENSATION_PER_MOVE)


def check_move(game: PlayedGame, now: datetime, lag: timedelta) -> None:
    """Raise TimeUpError if the flag had fallen before a move that arrived with some network lag."""
    if is_out_of_time(game.stored, now, lag):
        raise TimeUpError


async def restart_clock_after_slow_store(store: GameStore, game: PlayedGame, now: Now) -> PlayedGame:
    """Restart the clock of a game if its last change took too long to store, and return the game.

    A turn begins when the change before it is about to be stored. If storing took long, as on a busy disk, the clock is
    restarted, and stored, before the change is published. If the store fails now, the change stands.
    """
    clock = game.stored.clock
    if clock is None or clock.running_since is None or now() - clock.running_since <= MAX_STORE_DELAY:
        return game
    stored = replace(game.stored, revision=game.revision + 1, clock=restart_clock(clock, now()))
    try:
        await asyncio.wrap_future(store.change(stored))
    except (ConflictError, StoreError):
        return game
    return game.with_stored(stored)


class TimedAction:
    """An action, or instead of it the loss on time of the player to move.

    Which of them is decided for each revision on which the action is tried.
    """

    def __init__(self, action: Action, now: datetime) -> None:
        self._action, self._now = action, now
        self.is_in_time = True

    def __call__(self, game: PlayedGame) -> PlayedGame:
        """Return the game after the action, or after the loss on time."""
        try:
            after, self.is_in_time = self._action(game, self._now), True
        except TimeUpError:
            after, self.is_in_time = game.end(Outcome(game.turn.other, Ending.TIME), self._now), False
        return after
