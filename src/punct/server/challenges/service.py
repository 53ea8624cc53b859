"""Challenges: offers of a game, found in the lobby or by a link that cannot be guessed."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from punct import kernel
from punct.piece import Colour
from punct.server.auth.actor import Actor
from punct.server.challenges.errors import TakenChallengeError, UnknownChallengeError
from punct.server.challenges.events import ChallengeChanged
from punct.server.challenges.store import ChallengeStore, StoredChallenge
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.events import EventBus
from punct.server.games.errors import NotPossibleError, NotYourSeatError, PlayerRemovedError
from punct.server.games.game import PlayedGame
from punct.server.games.idempotency import previous_result
from punct.server.games.model import NewStoredGame, SeatedPlayer, StoredSeat
from punct.server.games.service import Games
from punct.server.games.time_control import TimeControl

LIVE_LISTING_LIFETIME: Final = timedelta(hours=1)
"""How long a live game is offered in the lobby: its challenger should still be there."""
CHALLENGE_LIFETIME: Final = timedelta(days=14)
"""How long any other challenge can be accepted."""
MAX_OPEN_CHALLENGES: Final = 20
"""How many open challenges one player may have."""
_MAX_LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """The terms of the game that a challenger offers."""

    rules: str = "standard"
    position: str | None = None
    colour: Colour | None = None
    time: TimeControl | None = None
    rated: bool = False
    listed: bool = False


class Challenges:
    """All challenges of this server."""

    def __init__(self, store: ChallengeStore, games: Games, bus: EventBus | None = None, now: Now = utc_now) -> None:
        """Use a store; an accepted challenge becomes one of these games."""
        self._store, self._games, self._bus, self._now = store, games, bus or EventBus(), now

    async def get(self, challenge_id: str) -> StoredChallenge:
        """Return a challenge that is open or was accepted; UnknownChallengeError for any other."""
        challenge = await asyncio.to_thread(self._store.get, challenge_id)
        if challenge is None or (challenge.game_id is None and challenge.expires <= self._now()):
            raise UnknownChallengeError
        return challenge

    async def listed(self) -> list[StoredChallenge]:
        """Return the open challenges of the lobby, newest first."""
        return await asyncio.to_thread(self._store.listed, self._now(), _MAX_LISTED)

    async def create(self, terms: ChallengeTerms, actor: Actor, key: IdempotencyKey | None = None) -> StoredChallenge:
        """Create a challenge; for a repeated idempotency key, return the one that was created with it."""
        if actor.player_id is None:
            raise NotPossibleError("At home everybody sits at one screen: there is nobody to invite.")
        rules, start = terms.rules, None
        if terms.position is not None:
            position = kernel.Position(terms.position)
            if position.outcome() is not None:
                raise NotPossibleError("In this position the game is over.")
            rules, start = position.rules.value, str(position)
        if terms.rated and (terms.time is None or start is not None):
            raise NotPossibleError("A rated game has a time, and begins from the empty board.")
        now = self._now()
        is_live = terms.time is not None and terms.time.speed == "live"
        challenge = StoredChallenge(
            secrets.token_urlsafe(16),
            SeatedPlayer(actor.player_id),
            rules,
            start,
            terms.colour,
            None if terms.time is None else str(terms.time),
            terms.rated,
            terms.listed,
            now,
            now + (LIVE_LISTING_LIFETIME if is_live and terms.listed else CHALLENGE_LIFETIME),
        )
        challenge_id = challenge.id
        try:
            await asyncio.wrap_future(self._store.create(challenge, key, MAX_OPEN_CHALLENGES))
        except DuplicateRequestError as error:
            challenge_id = previous_result(error.result, key, "challenge")
        except MissingPlayerError:
            raise PlayerRemovedError from None
        except QuotaExceededError:
            message = f"{MAX_OPEN_CHALLENGES} games of yours wait for somebody; withdraw one first."
            raise NotPossibleError(message) from None
        challenge = await self.get(challenge_id)
        self._bus.publish(ChallengeChanged(challenge))
        return challenge

    async def withdraw(self, challenge_id: str, actor: Actor, key: IdempotencyKey | None = None) -> None:
        """Withdraw a challenge of one's own that nobody has accepted."""
        if await self._games.idempotency.is_repeat(key, challenge_id, "gone"):
            return
        challenge = await self.get(challenge_id)
        if challenge.challenger.id != actor.player_id:
            raise NotYourSeatError
        try:
            is_withdrawn = challenge.game_id is None and await asyncio.wrap_future(
                self._store.withdraw(challenge_id, challenge.challenger.id, self._now(), key)
            )
        except DuplicateRequestError as error:
            previous_result(error.result, key, "gone")
            return
        if not is_withdrawn:
            raise TakenChallengeError(game=(await self.get(challenge_id)).game_id)
        self._bus.publish(ChallengeChanged(challenge))

    async def accept(self, challenge_id: str, actor: Actor, key: IdempotencyKey | None = None) -> PlayedGame:
        """Accept a challenge, and begin its game. Of several players who try, the first one succeeds."""
        challenge = await self.get(challenge_id)
        if actor.player_id is None:
            raise NotYourSeatError
        if challenge.challenger.id == actor.player_id:
            raise NotPossibleError("This is your own challenge: somebody else must accept it.")
        return await self._games.run_to_completion(self._accept(challenge, actor.player_id, key))

    async def _accept(self, challenge: StoredChallenge, player: str, key: IdempotencyKey | None) -> PlayedGame:
        now, new = self._now(), self._new_game(challenge, player)
        try:
            stored = await asyncio.wrap_future(self._store.accept(challenge.id, player, new, now, key))
        except DuplicateRequestError as error:
            return await self._games.get(previous_result(error.result, key, "game"))
        except MissingPlayerError:
            await self.get(challenge.id)  # raises if the challenger was deleted; else it is this player who was
            raise PlayerRemovedError from None
        except ConflictError:
            return await self._accepted_before(challenge.id, player)
        game = await self._games.publish_new(stored.id)
        self._bus.publish(ChallengeChanged(replace(challenge, game_id=stored.id)))
        return game

    async def _accepted_before(self, challenge_id: str, player: str) -> PlayedGame:
        """Return the game again to a player who has a seat in it: their response got lost. Others are too late."""
        challenge = await self.get(challenge_id)
        if challenge.game_id is not None:
            game = await self._games.get(challenge.game_id)
            if any(seat.player is not None and seat.player.id == player for seat in game.seats.values()):
                return game
        raise TakenChallengeError

    def _new_game(self, challenge: StoredChallenge, player: str) -> NewStoredGame:
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
            clock=None if time is None else time.new_clock(self._now()),
        )
