"""The service of games: lists, creates and imports games, and makes the changes that players request."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from datetime import datetime, timedelta
from typing import Any

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.auth.actor import HOME_ACTOR, Actor
from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError, QuotaExceededError, StoreError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.db.outbox import Notice
from punct.server.events import EventBus
from punct.server.games import offers
from punct.server.games.errors import (
    GameOverError,
    GameQuotaError,
    NotPossibleError,
    NotYourSeatError,
    NotYourTurnError,
    PlayerRemovedError,
    UnknownGameError,
)
from punct.server.games.events import RemovalReason
from punct.server.games.game import PlayedGame
from punct.server.games.idempotency import previous_result
from punct.server.games.model import FIRST_MOVES, NewStoredGame, OfferKind, StoredGame, Tally
from punct.server.games.notices import notices_of_change, notices_of_start
from punct.server.games.pauses import end_agreed_pause
from punct.server.games.repository import GameRepository, StoreRevision
from punct.server.games.rights import check_delete, check_sole_player, check_turn, require_two_player_seat, rights_of
from punct.server.games.store import GameStore, Quota
from punct.server.games.time_control import GameClock, HomeClock, TimeUpError, check_time, check_time_of
from punct.server.relations.errors import BlockedPairError

Action = Callable[[PlayedGame, datetime], PlayedGame]
"""Returns what a player's action makes of a game at a time: its next revision, or the game itself. May raise."""


class Games(GameRepository):
    """All games of this server, and what players do in them. Every method checks the actor's rights."""

    def __init__(
        self, store: GameStore, bus: EventBus | None = None, clock: GameClock | None = None, now: Now = utc_now
    ) -> None:
        """Use a store, and publish every change on the bus; must be called on the event loop."""
        super().__init__(store, bus or EventBus(), now)
        self._clock = clock or HomeClock(now)
        self._tally_lock = asyncio.Lock()
        self._cached_tallies: tuple[datetime, list[Tally]] | None = None

    # ------------------------------------------------------------------ listing

    async def list_for(
        self, offset: int, limit: int, actor: Actor = HOME_ACTOR, *, running: bool = False
    ) -> tuple[list[StoredGame], int]:
        """Return a page of an actor's games, those that wait for the actor first, and the total; at home of all."""
        if actor.is_unrestricted:
            return await self.readers.read(lambda: self._store.list_all(offset, limit, running=running))
        player_id = actor.player_id
        if player_id is None:
            return [], 0
        return await self.readers.read(lambda: self._store.list_own(player_id, offset, limit, running=running))

    async def list_public(self, limit: int) -> list[StoredGame]:
        """Return unfinished games that anybody may watch, the last changed first."""
        return await self.readers.read(lambda: self._store.list_public(limit))

    async def list_by_player(
        self, player_id: str, offset: int, limit: int, *, include_private: bool
    ) -> tuple[list[StoredGame], int]:
        """Return a page of the games that a player plays, the last changed first, and the total."""
        return await self.readers.read(
            lambda: self._store.list_by_player(player_id, offset, limit, include_private=include_private)
        )

    async def tallies(self, max_age: timedelta = timedelta(), *, include_imported: bool = True) -> list[Tally]:
        """Return how persons scored against each level, by rules; cached for some time.

        With ``include_imported``, also in imported games whose record names the level as a player. All games are
        scanned, in a thread of its own, so that reading other games does not wait.
        """
        async with self._tally_lock:
            if self._cached_tallies is None or self._now() - self._cached_tallies[0] >= max_age:
                now = self._now()
                tallies = await asyncio.to_thread(self._store.tallies, include_imported=include_imported)
                self._cached_tallies = now, tallies
            return self._cached_tallies[1]

    async def waiting_for_engine(self) -> list[str]:
        """Return the ids of unfinished games in which an engine is to move, the last changed first."""
        return [game.id for game in await self.readers.read(self._store.waiting_for_engine)]

    # ------------------------------------------------------------------ creating

    async def create(
        self, new: NewStoredGame, key: IdempotencyKey | None = None, quota: Quota | None = None
    ) -> PlayedGame:
        """Create a game within a quota; for a repeated request, return the game that was created first."""

        async def work() -> PlayedGame:
            try:
                (stored,) = await _stored(self._store.create([new], self._now(), key, quota=quota))
            except DuplicateRequestError as repeated:
                return await self.get(previous_result(repeated.result, key, "game"))
            if any(seat.player is not None for seat in stored.seats.values()):
                return await self.publish_new(stored.id)
            return self._publish(await self.readers.read(lambda: PlayedGame.replay(stored, new.imported_moves())))

        return await self.run_to_completion(work())

    async def import_games(
        self, games: Iterable[NewStoredGame], key: IdempotencyKey | None = None, quota: Quota | None = None
    ) -> list[StoredGame]:
        """Store games from a record, all or none. There may be hundreds: their rows are made in a thread."""

        async def work() -> list[StoredGame]:
            try:
                return await _stored(
                    await self.readers.read(lambda: self._store.create(games, self._now(), key, "games", quota))
                )
            except DuplicateRequestError as repeated:
                return await self._list_by_ids(previous_result(repeated.result, key, "games").split())

        return await self.run_to_completion(work())

    async def find_imported(self, key: IdempotencyKey | None) -> list[StoredGame] | None:
        """Return the games that a repeated request imported, as far as they still exist; None if it is new."""
        result = await self.idempotency.find_result(key, "games")
        return None if result is None else await self._list_by_ids(result.split())

    async def _list_by_ids(self, game_ids: list[str]) -> list[StoredGame]:
        return await self.readers.read(lambda: self._store.list_by_ids(game_ids))

    # ------------------------------------------------------------------ playing

    async def play(
        self,
        game_id: str,
        text: str,
        ply: int,
        actor: Actor = HOME_ACTOR,
        *,
        engine: bool = False,
        key: IdempotencyKey | None = None,
    ) -> PlayedGame:
        """Play a move, for the actor or for the engine to move. A move already played at this ply is not repeated."""

        def play(game: PlayedGame, now: datetime) -> PlayedGame:
            if not engine and not actor.is_unrestricted:  # at home, whether an engine is to move is checked below
                check_turn(game.stored, game.turn_at(ply), actor)
            if game.was_played(text, ply):
                return game
            game.check_ply(ply)
            game.check_open()
            if (game.seat_to_move.kind == "engine") is not engine:
                raise NotYourTurnError("The computer is to move.")
            lag = timedelta() if engine else self._clock.lag(game_id, game.turn)
            check_time(game.stored, now, lag)
            return game.push(text, now, lag)

        return await self._act(game_id, play, key)

    async def undo(
        self, game_id: str, ply: int | None, actor: Actor = HOME_ACTOR, key: IdempotencyKey | None = None
    ) -> PlayedGame:
        """Take back a declared ending, one move at one screen, or all moves back to the person's turn."""
        return await self._step(PlayedGame.undo, game_id, ply, actor, key)

    async def redo(
        self, game_id: str, ply: int | None, actor: Actor = HOME_ACTOR, key: IdempotencyKey | None = None
    ) -> PlayedGame:
        """Redo what was taken back: one move at one screen, or all up to the person's next turn."""
        return await self._step(PlayedGame.redo, game_id, ply, actor, key)

    async def _step(
        self,
        step: Callable[[PlayedGame, datetime], PlayedGame],
        game_id: str,
        ply: int | None,
        actor: Actor,
        key: IdempotencyKey | None,
    ) -> PlayedGame:
        """Undo or redo in a game with a sole player, if it is at the client's ply. No clock runs in such a game."""

        def change(game: PlayedGame) -> PlayedGame:
            check_sole_player(game.stored, actor)
            if ply is not None:
                game.check_ply(ply)
            return step(game, self._now())

        return await self.change(game_id, change, key)

    async def resign(
        self, game_id: str, colour: Colour | None, actor: Actor = HOME_ACTOR, key: IdempotencyKey | None = None
    ) -> PlayedGame:
        """Resign for a person: of the given colour, else the one to move if the actor's, else the other."""

        def resign(game: PlayedGame, now: datetime) -> PlayedGame:
            seats = rights_of(game.stored, actor).seats
            if not actor.is_unrestricted and (not seats or (colour is not None and colour not in seats)):
                raise NotYourSeatError
            game.check_open()
            loser = colour
            if loser is None:
                loser = game.turn if game.turn in seats else game.turn.other
            if loser not in seats:
                raise NotPossibleError("Only a person can resign.")
            check_time_of(game.stored, actor, now, self._clock)
            return game.end(Outcome(loser.other, Ending.RESIGNATION), now)

        return await self._act(game_id, resign, key)

    async def agree_draw(
        self, game_id: str, actor: Actor = HOME_ACTOR, key: IdempotencyKey | None = None
    ) -> PlayedGame:
        """End a game in a draw that two persons at one screen agree on. No clock runs in such a game."""

        def agree(game: PlayedGame) -> PlayedGame:
            check_sole_player(game.stored, actor)
            game.check_open()
            if not game.can_draw:
                raise NotPossibleError("The computer does not agree on draws.")
            return game.end(Outcome(None, Ending.AGREEMENT), self._now())

        return await self.change(game_id, agree, key)

    async def delete(self, game_id: str, actor: Actor = HOME_ACTOR, key: IdempotencyKey | None = None) -> None:
        """Delete a game. At home, and for an administrator, it may be damaged."""
        is_unchecked = actor.is_unrestricted or actor.is_admin
        check = None if is_unchecked else lambda game: check_delete(game.stored, actor)
        await self.remove(game_id, check, RemovalReason.DELETED, key)

    async def abort(self, game_id: str, actor: Actor, key: IdempotencyKey | None = None) -> None:
        """Remove a game before both players have moved. Either of them may."""

        def check(game: PlayedGame) -> None:
            require_two_player_seat(game.stored, actor)
            game.check_open()
            if game.ply >= FIRST_MOVES:
                raise NotPossibleError("Both players have played: the game has begun. You may resign.")

        await self.remove(game_id, check, RemovalReason.ABORTED, key)

    # ------------------------------------------------------------------ offers between two players

    async def offer(self, game_id: str, kind: OfferKind, actor: Actor, key: IdempotencyKey | None = None) -> PlayedGame:
        """Make an offer to the other player. If both have offered the same, it is agreed."""
        return await self._propose(game_id, kind, actor, key, accept=False)

    async def accept(
        self, game_id: str, kind: OfferKind, actor: Actor, key: IdempotencyKey | None = None
    ) -> PlayedGame:
        """Accept the other player's offer. An accepted rematch is created, and the game refers to it."""
        return await self._propose(game_id, kind, actor, key, accept=True)

    async def decline(self, game_id: str, actor: Actor, key: IdempotencyKey | None = None) -> PlayedGame:
        """Decline the other player's offer, or withdraw one's own."""

        def decline(game: PlayedGame, now: datetime) -> PlayedGame:
            require_two_player_seat(game.stored, actor)
            check_time_of(game.stored, actor, now, self._clock)
            return offers.withdraw_offer(game, now)

        return await self._act(game_id, decline, key)

    async def resume(self, game_id: str, actor: Actor, key: IdempotencyKey | None = None) -> PlayedGame:
        """End a pause that both agreed to. Either of them may; the clock runs again from now, unless for a vacation."""

        def resume(game: PlayedGame, now: datetime) -> PlayedGame:
            require_two_player_seat(game.stored, actor)
            game.check_open()
            return game.with_stored(end_agreed_pause(game.stored, now))

        return await self._act(game_id, resume, key)

    async def _propose(
        self, game_id: str, kind: OfferKind, actor: Actor, key: IdempotencyKey | None, *, accept: bool
    ) -> PlayedGame:
        """Make an offer, or accept the same offer of the other player; with ``accept``, only accept it."""

        def propose(game: PlayedGame, now: datetime) -> PlayedGame:
            by = require_two_player_seat(game.stored, actor)
            check_time_of(game.stored, actor, now, self._clock)
            if accept:
                offers.check_offer(game, kind, by)
            if game.stored.offer == (kind, by.other):
                return offers.accept_offer(game, now)
            return offers.make_offer(game, kind, by, now)

        async def store_rematch(after: PlayedGame) -> PlayedGame:
            new = offers.new_rematch(after, self._now())

            def notices_of(rematch: StoredGame) -> Iterable[Notice]:
                return notices_of_start(rematch, self._now(), by=actor.player_id)

            try:
                stored = await asyncio.wrap_future(self._store.rematch(after.stored, new, key, notices_of))
                after = after.with_stored(stored)
            except MissingPlayerError:
                raise NotPossibleError("The other player is not here any more, or was shut out.") from None
            except BlockedPairError as error:
                raise error.for_player(actor.player_id) from None
            assert after.stored.next_id is not None
            with contextlib.suppress(StoreError, UnknownGameError):  # it is stored, even if it cannot be read now
                await self.publish_new(after.stored.next_id)
            return after

        async def store_offer(before: PlayedGame, after: PlayedGame) -> PlayedGame:
            def notices_of(stored: StoredGame) -> Iterable[Notice]:
                return notices_of_change(before.stored, stored, self._now())

            try:
                await asyncio.wrap_future(self._store.offer_rematch(after.stored, key, notices_of))
            except BlockedPairError as error:
                raise error.for_player(actor.player_id) from None
            return after

        def store(before: PlayedGame, after: PlayedGame) -> Coroutine[Any, Any, PlayedGame] | None:
            # Loss on time removes an offer too, but never that of a rematch: only a game that is over has one.
            offer, offered = before.stored.offer, after.stored.offer
            if offered is not None and offered.kind == "rematch":
                return store_offer(before, after)
            return store_rematch(after) if offer is not None and offer.kind == "rematch" and offered is None else None

        return await self._act(game_id, propose, key, store)

    async def _act(
        self, game_id: str, action: Action, key: IdempotencyKey | None, store: StoreRevision | None = None
    ) -> PlayedGame:
        """Change a game by a player's action, as of its arrival; a player whose time was up before loses instead."""
        now = await self._clock.arrival()
        is_in_time = True

        def act_or_lose(game: PlayedGame) -> PlayedGame:
            # Decided anew for each revision on which the action is tried.
            nonlocal is_in_time
            try:
                after, is_in_time = action(game, now), True
            except TimeUpError:
                after, is_in_time = game.end(Outcome(game.turn.other, Ending.TIME), now), False
            return after

        game = await self.change(game_id, act_or_lose, key, store)
        if not is_in_time:
            raise GameOverError("The time was up before this arrived.")
        return game


async def _stored(future: Future[list[StoredGame]]) -> list[StoredGame]:
    """Wait until new games are stored."""
    try:
        return await asyncio.wrap_future(future)
    except QuotaExceededError:
        raise GameQuotaError from None
    except MissingPlayerError:
        raise PlayerRemovedError from None
