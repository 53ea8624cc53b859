"""Challenges: games that want a second player, found in the lobby or by a link that nobody can guess."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from punct import kernel
from punct.piece import Colour
from punct.server.play.actor import Actor
from punct.server.play.clock import Now, TimeControl, utc_now
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games
from punct.server.play.keys import made_before
from punct.server.play.refusals import (
    ForgottenError,
    NotPossibleError,
    NotYourSeatError,
    TakenChallengeError,
    UnknownChallengeError,
)
from punct.server.store import (
    AbsentError,
    ChallengeStore,
    ConflictError,
    NewStoredGame,
    NoRoomError,
    RepeatedError,
    RequestKey,
    SeatedPlayer,
    StoredChallenge,
    StoredSeat,
)

LISTED_LIVE: Final = timedelta(hours=1)
"""So long a live game waits in the lobby: whoever offered it should still be there."""
WAITS: Final = timedelta(days=14)
"""So long any other waits."""
MOST_OPEN: Final = 20
"""How many challenges of one player may wait."""
_MOST_LISTED: Final = 100

Listener = Callable[[StoredChallenge], None]
"""Called with a challenge that was made, withdrawn or accepted."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The game somebody wants."""

    rules: str = "standard"
    position: str | None = None
    colour: Colour | None = None
    time: TimeControl | None = None
    rated: bool = False
    listed: bool = False


class Challenges:
    """All challenges of this server."""

    def __init__(self, store: ChallengeStore, games: Games, now: Now = utc_now) -> None:
        """Take over a store; what is accepted becomes one of these games."""
        self._store, self._games, self._now = store, games, now
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Have a function called after every change."""
        self._listeners.append(listener)

    async def get(self, challenge_id: str) -> StoredChallenge:
        """Return a challenge: one that waits, or that has become a game."""
        found = await asyncio.to_thread(self._store.get, challenge_id)
        if found is None or (found.game_id is None and found.expires <= self._now()):
            raise UnknownChallengeError
        return found

    async def listed(self) -> list[StoredChallenge]:
        """Return what anybody may accept, the newest first."""
        return await asyncio.to_thread(self._store.listed, self._now(), _MOST_LISTED)

    async def create(self, wanted: Wanted, actor: Actor, request: RequestKey | None = None) -> StoredChallenge:
        """Offer a game; asked again with the same key, return the one that was offered."""
        if actor.player is None:
            raise NotPossibleError("At home everybody sits at one screen: there is nobody to invite.")
        rules, start = wanted.rules, None
        if wanted.position is not None:
            position = kernel.Position(wanted.position)
            if position.outcome() is not None:
                raise NotPossibleError("In this position the game is over.")
            rules, start = position.rules.value, str(position)
        if wanted.rated and (wanted.time is None or start is not None):
            raise NotPossibleError("A rated game has a time, and begins from the empty board.")
        now = self._now()
        is_live = wanted.time is not None and wanted.time.speed == "live"
        challenge = StoredChallenge(
            secrets.token_urlsafe(16),
            SeatedPlayer(actor.player),
            rules,
            start,
            wanted.colour,
            None if wanted.time is None else str(wanted.time),
            wanted.rated,
            wanted.listed,
            now,
            now + (LISTED_LIVE if is_live and wanted.listed else WAITS),
        )
        made = challenge.id
        try:
            await asyncio.wrap_future(self._store.create(challenge, request, MOST_OPEN))
        except RepeatedError as repeated:
            made = made_before(repeated.made, request, "challenge")
        except AbsentError:
            raise ForgottenError from None
        except NoRoomError:
            words = f"{MOST_OPEN} games of yours wait for somebody; withdraw one first."
            raise NotPossibleError(words) from None
        challenge = await self.get(made)
        self._tell(challenge)
        return challenge

    async def withdraw(self, challenge_id: str, actor: Actor, request: RequestKey | None = None) -> None:
        """Take a challenge back."""
        if await self._games.keys.was_asked(request, challenge_id, "gone"):
            return
        challenge = await self.get(challenge_id)
        if challenge.challenger.id != actor.player:
            raise NotYourSeatError
        try:
            withdrawn = challenge.game_id is None and await asyncio.wrap_future(
                self._store.withdraw(challenge_id, challenge.challenger.id, self._now(), request)
            )
        except RepeatedError as repeated:
            made_before(repeated.made, request, "gone")
            return
        if not withdrawn:
            raise TakenChallengeError(game=(await self.get(challenge_id)).game_id)
        self._tell(challenge)

    async def accept(self, challenge_id: str, actor: Actor, request: RequestKey | None = None) -> PlayedGame:
        """Sit down opposite the challenger. Of several who would, the first one does."""
        challenge = await self.get(challenge_id)
        if actor.player is None:
            raise NotYourSeatError
        if challenge.challenger.id == actor.player:
            raise NotPossibleError("This is your own challenge: somebody else must accept it.")
        return await self._games.finish(self._accept(challenge, actor.player, request))

    async def _accept(self, challenge: StoredChallenge, by: str, request: RequestKey | None) -> PlayedGame:
        now, new = self._now(), self._begin(challenge, by)
        try:
            stored = await asyncio.wrap_future(self._store.accept(challenge.id, by, new, now, request))
        except RepeatedError as repeated:
            return await self._games.get(made_before(repeated.made, request, "game"))
        except AbsentError:
            await self.get(challenge.id)  # gone with the challenger; else it is who accepts that is
            raise ForgottenError from None
        except ConflictError:
            return await self._accepted_before(challenge.id, by)
        game = await self._games.begun(stored.id)
        self._tell(replace(challenge, game_id=stored.id))
        return game

    async def _accepted_before(self, challenge_id: str, player: str) -> PlayedGame:
        """Return the game again to whoever sits in it: their answer got lost. Others come too late."""
        challenge = await self.get(challenge_id)
        if challenge.game_id is not None:
            game = await self._games.get(challenge.game_id)
            if any(seat.player is not None and seat.player.id == player for seat in game.seats.values()):
                return game
        raise TakenChallengeError

    def _begin(self, challenge: StoredChallenge, player: str) -> NewStoredGame:
        colour = challenge.colour
        if colour is None:
            colour = secrets.choice(list(Colour))
        players = {colour: challenge.challenger, colour.other: SeatedPlayer(player)}
        time = None if challenge.time is None else TimeControl.parse(challenge.time)
        return NewStoredGame(
            challenge.start or f"{challenge.rules} w",
            {seat: StoredSeat("person", player=players[seat]) for seat in Colour},
            owner=challenge.challenger.id,
            listed=challenge.listed,
            rated=challenge.rated,
            time=challenge.time,
            clock=None if time is None else time.begin(self._now()),
        )

    def _tell(self, challenge: StoredChallenge) -> None:
        for listener in self._listeners:
            listener(challenge)
