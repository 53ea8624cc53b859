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
from punct.server.auth.names import clean_words
from punct.server.challenges.errors import (
    HasBlockedError,
    NoChallengesError,
    TakenChallengeError,
    UnknownChallengeError,
)
from punct.server.challenges.events import ChallengeChanged
from punct.server.challenges.model import StoredChallenge
from punct.server.challenges.store import AlreadyPlayingError, BlockedPairError, ChallengeStore, OpenLimits
from punct.server.clock import Now, utc_now
from punct.server.db.errors import ConflictError, MissingPlayerError, QuotaExceededError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.errors import RequestError
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
MAX_OPEN_TO_ONE: Final = 3
"""How many open challenges one player may have to another."""
MAX_RECEIVED: Final = 50
"""How many open challenges to one player there may be."""
_OPEN_LIMITS: Final = OpenLimits(MAX_OPEN_CHALLENGES, MAX_OPEN_TO_ONE, MAX_RECEIVED)
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
    to: str | None = None
    """The id of the only player who may accept it."""
    replaces: str | None = None
    """The challenge from that player which it answers with other terms."""
    places: int | None = None
    """It opens again when it is accepted, for so many games at once."""


class Challenges:
    """All challenges of this server."""

    def __init__(self, store: ChallengeStore, games: Games, bus: EventBus | None = None, now: Now = utc_now) -> None:
        """Use a store; an accepted challenge becomes one of these games."""
        self._store, self._games, self._bus, self._now = store, games, bus or EventBus(), now

    async def get(self, challenge_id: str, player_id: str | None = None) -> StoredChallenge:
        """Return a challenge that is open, or was accepted or declined; UnknownChallengeError for any other.

        A challenge to somebody is unknown to everybody else: ``player_id`` says who wants to see it.
        """
        challenge = await asyncio.to_thread(self._store.get, challenge_id)
        if (
            challenge is None
            or (challenge.game_id is None and challenge.expires <= self._now())
            or not challenge.is_visible_to(player_id)
        ):
            raise UnknownChallengeError
        return challenge

    async def of_player(self, player_id: str) -> tuple[list[StoredChallenge], list[StoredChallenge]]:
        """Return the open challenges to a player, and the player's own ones: open, or declined; newest first."""
        return await asyncio.to_thread(self._store.of_player, player_id, self._now(), _MAX_LISTED)

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
        if terms.to is not None and (terms.listed or terms.places is not None):
            raise NotPossibleError("A challenge to one player is not for others.")
        if terms.to == actor.player_id:
            raise NotPossibleError("This is you: challenge somebody else.")
        if terms.replaces is not None and terms.to is None:
            raise NotPossibleError("Only a challenge to you can be answered with other terms, to its challenger.")
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
            to=None if terms.to is None else SeatedPlayer(terms.to),
            places=terms.places,
            replaces=terms.replaces,
        )
        challenge_id = challenge.id
        try:
            await asyncio.wrap_future(self._store.create(challenge, key, _OPEN_LIMITS))
        except DuplicateRequestError as error:
            challenge_id = previous_result(error.result, key, "challenge")
        except BlockedPairError as error:
            raise blocked_error(error, actor.player_id) from None
        except MissingPlayerError as error:
            raise (NoChallengesError() if error.args[0] == terms.to else PlayerRemovedError()) from None
        except QuotaExceededError as error:
            message = f"{MAX_OPEN_CHALLENGES} games of yours wait for somebody; withdraw one first."
            if error.args[0] == terms.to:
                message = "This player has not answered your other challenges yet."
            raise NotPossibleError(message) from None
        except ConflictError:
            raise UnknownChallengeError from None
        challenge = await self.get(challenge_id, actor.player_id)
        self._bus.publish(ChallengeChanged(challenge))
        return challenge

    async def decline(
        self, challenge_id: str, words: str | None, actor: Actor, key: IdempotencyKey | None = None
    ) -> StoredChallenge:
        """Decline a challenge to oneself, perhaps with a few words."""
        challenge = await self.get(challenge_id, actor.player_id)
        if challenge.to is None or challenge.to.id != actor.player_id:
            raise NotYourSeatError
        try:
            is_declined = await asyncio.wrap_future(
                self._store.decline(challenge, clean_words(words or "") or None, self._now(), key)
            )
        except DuplicateRequestError as error:
            previous_result(error.result, key, "declined")
            return await self.get(challenge_id, actor.player_id)
        challenge = await self.get(challenge_id, actor.player_id)
        if not is_declined and challenge.declined is None:
            raise TakenChallengeError(game=challenge.game_id)
        self._bus.publish(ChallengeChanged(challenge))
        return challenge

    async def withdraw(self, challenge_id: str, actor: Actor, key: IdempotencyKey | None = None) -> None:
        """Withdraw a challenge of one's own that nobody has accepted."""
        if await self._games.idempotency.is_repeat(key, challenge_id, "gone"):
            return
        challenge = await self.get(challenge_id, actor.player_id)
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
            raise TakenChallengeError(game=(await self.get(challenge_id, actor.player_id)).game_id)
        self._bus.publish(ChallengeChanged(challenge))

    async def accept(self, challenge_id: str, actor: Actor, key: IdempotencyKey | None = None) -> PlayedGame:
        """Accept a challenge, and begin its game. Of several players who try, the first one succeeds."""
        challenge = await self.get(challenge_id, actor.player_id)
        if actor.player_id is None:
            raise NotYourSeatError
        if challenge.challenger.id == actor.player_id:
            raise NotPossibleError("This is your own challenge: somebody else must accept it.")
        return await self._games.run_to_completion(self._accept(challenge, actor.player_id, key))

    async def _accept(self, challenge: StoredChallenge, player: str, key: IdempotencyKey | None) -> PlayedGame:
        now, new = self._now(), self._new_game(challenge, player)
        try:
            stored = await asyncio.wrap_future(self._store.accept(challenge, player, new, now, key))
        except DuplicateRequestError as error:
            return await self._games.get(previous_result(error.result, key, "game"))
        except BlockedPairError as error:
            raise blocked_error(error, player) from None
        except AlreadyPlayingError as error:
            return await self._games.get(error.game_id)
        except QuotaExceededError:
            raise TakenChallengeError from None
        except MissingPlayerError:
            await self.get(challenge.id, player)  # raises if the challenger was deleted; else it is this player who was
            raise PlayerRemovedError from None
        except ConflictError:
            return await self._accepted_before(challenge.id, player)
        game = await self._games.publish_new(stored.id)
        self._bus.publish(ChallengeChanged(replace(challenge, game_id=stored.id)))
        return game

    async def _accepted_before(self, challenge_id: str, player: str) -> PlayedGame:
        """Return the game again to a player who has a seat in it: their response got lost. Others are too late."""
        challenge = await self.get(challenge_id, player)
        if challenge.declined is not None:
            raise UnknownChallengeError
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


def blocked_error(error: BlockedPairError, player_id: str) -> RequestError:
    """Return what a player is told whom a block keeps from another."""
    return HasBlockedError() if error.player_id == player_id else NoChallengesError()
