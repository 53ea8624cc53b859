"""All games: every change is judged by the rules, stored, and only then told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from punct.errors import PunctError
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.play import offers
from punct.server.play.actor import HOME, Actor
from punct.server.play.clock import FIRST_MOVES, Now, started, utc_now
from punct.server.play.flags import Act, Flags, Settling, begun_when_stored
from punct.server.play.game import PlayedGame
from punct.server.play.keys import Keys, check_made, made_before
from punct.server.play.readers import Readers
from punct.server.play.refusals import (
    BrokenGameError,
    ForgottenError,
    GameOverError,
    NoMoreGamesError,
    NotPossibleError,
    NotYourSeatError,
    NotYourTurnError,
    StoppingError,
    UnknownGameError,
    WrongPlyError,
)
from punct.server.play.rights import check_alone, check_delete, check_turn, rights_of, seat_of
from punct.server.refusal import RefusalError
from punct.server.sized_cache import SizedCache
from punct.server.store import (
    AbsentError,
    ConflictError,
    GameStore,
    NewStoredGame,
    NoRoomError,
    OfferKind,
    RepeatedError,
    RequestKey,
    Room,
    StoredClock,
    StoredGame,
    StoreError,
    Tally,
    UnreadableGameError,
)

MAX_MEMORY_BYTES: Final = 160 * 1024 * 1024
"""For games that are kept set up, some 30 kB each; bringing one back takes a fraction of a millisecond."""

_REFUSED: Final = {NoRoomError: NoMoreGamesError, AbsentError: ForgottenError}
Result = TypeVar("Result")


class Gone(StrEnum):
    """Why there is no game any more."""

    DELETED = "deleted"
    ABORTED = "aborted"


Listener = Callable[[str, PlayedGame | Gone], None]
"""Called after a change with a game's id and the game, or why it is gone."""
Wish = Callable[[PlayedGame], PlayedGame]
"""What a wish makes of a game: its next revision, or the game itself if there is nothing to do. May refuse."""
_Store = Callable[[PlayedGame], Coroutine[Any, Any, PlayedGame] | None]
"""Another way to store a game's next revision than the usual one, if it needs one."""


class Games:
    """All games of this server. One change of a game at a time; looking at one waits for nobody."""

    def __init__(self, store: GameStore, now: Now = utc_now) -> None:
        """Take over a store; must be called on the event loop."""
        self._store, self._now = store, now
        self._games: SizedCache[str, PlayedGame] = SizedCache(MAX_MEMORY_BYTES, PlayedGame.estimate_bytes)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._onlookers: list[Listener] = []
        self._endings: list[Callable[[PlayedGame], None]] = []
        self.readers = Readers()
        self.keys = Keys(store, self.readers)
        self._changes: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._tallying = asyncio.Lock()
        self._tallied: tuple[datetime, list[Tally]] | None = None
        self.flags = Flags(now)

    def listen(self, listener: Listener) -> None:
        """Have a function called after every change that is made here."""
        self._listeners.append(listener)

    def when_ended(self, listener: Callable[[PlayedGame], None]) -> None:
        """Have a function called with every game that a change here has ended, once for each end."""
        self._endings.append(listener)

    def look_on(self, listener: Listener) -> None:
        """Have a function called with what others have changed too, once that is known here."""
        self._listeners.append(listener)
        self._onlookers.append(listener)

    async def close(self) -> None:
        """Take no more changes, and wait for those being made."""
        self._closed = True
        while self._changes:
            await asyncio.wait(self._changes)
        self.readers.close()

    # ------------------------------------------------------------------ looking

    async def is_reachable(self) -> bool:
        """Tell whether games can be read and stored; raises StoreError if the store does not answer."""
        return not self._closed and await self.readers.read(self._store.is_reachable)

    async def page(
        self, offset: int, limit: int, actor: Actor = HOME, *, running: bool = False
    ) -> tuple[list[StoredGame], int]:
        """Return some of somebody's games, those that wait for them first, and how many there are."""
        if actor.everything:
            return await self.readers.read(lambda: self._store.page(offset, limit, running=running))
        player = actor.player
        if player is None:
            return [], 0
        return await self.readers.read(lambda: self._store.page_of(player, offset, limit, running=running))

    async def listed(self, limit: int) -> list[StoredGame]:
        """Return games that anybody may watch, the last changed first."""
        return await self.readers.read(lambda: self._store.listed(limit))

    async def get(self, game_id: str) -> PlayedGame:
        """Return a game as it now is, whoever changed it last."""
        known = self._games.get(game_id)
        return self._keep(await self.readers.read(lambda: self._current(game_id, known)))

    async def of_player(
        self, player_id: str, offset: int, limit: int, *, all_of_them: bool
    ) -> tuple[list[StoredGame], int]:
        """Return some of a player's games, the last changed first, and how many: of all, or of those not private."""
        return await self.readers.read(lambda: self._store.of_player(player_id, offset, limit, all_of_them=all_of_them))

    async def tallies(self, age: timedelta = timedelta(), *, told: bool = True) -> list[Tally]:
        """Return how persons fared against each level, by rules: as it was so long ago, at most.

        With ``told``, also in games that came with a record which says so.
        All games are gone through for it, beside the threads that others' games are read on.
        """
        async with self._tallying:
            if self._tallied is None or self._now() - self._tallied[0] >= age:
                self._tallied = self._now(), await asyncio.to_thread(self._store.tallies, told=told)
            return self._tallied[1]

    async def waiting_for_engine(self) -> list[str]:
        """Return the ids of unfinished games in which an engine is to move, the last changed first."""
        return [game.id for game in await self.readers.read(self._store.waiting_for_engine)]

    # ------------------------------------------------------------------ beginning

    async def create(
        self, new: NewStoredGame, request: RequestKey | None = None, room: Room | None = None
    ) -> PlayedGame:
        """Begin a game, if there is room for it; asked again with the same key, return the one that was begun."""

        async def create() -> PlayedGame:
            try:
                (stored,) = await asyncio.wrap_future(self._store.create([new], self._now(), request, room=room))
            except RepeatedError as repeated:
                return await self.get(made_before(repeated.made, request, "game"))
            except (NoRoomError, AbsentError) as error:
                raise _REFUSED[type(error)]() from None
            if any(seat.player is not None for seat in stored.seats.values()):
                return await self.begun(stored.id)
            return self._told(await self.readers.read(lambda: PlayedGame.replayed(stored, new.came_with())))

        return await self.finish(create())

    async def begun(self, game_id: str) -> PlayedGame:
        """Take up a game that was just stored: read, for the store knows its players' names; and tell it."""
        return self._told(await self.readers.read(lambda: self._current(game_id, None)))

    async def take_in(
        self, games: Iterable[NewStoredGame], request: RequestKey | None = None, room: Room | None = None
    ) -> list[StoredGame]:
        """Store games that come with a record, all or none. There may be hundreds: a thread goes through them."""

        async def take_in() -> list[StoredGame]:
            try:
                return await asyncio.wrap_future(
                    await self.readers.read(lambda: self._store.create(games, self._now(), request, "games", room))
                )
            except RepeatedError as repeated:
                return await self._taken_in(made_before(repeated.made, request, "games").split())
            except (NoRoomError, AbsentError) as error:
                raise _REFUSED[type(error)]() from None

        return await self.finish(take_in())

    async def taken_in(self, request: RequestKey | None) -> list[StoredGame] | None:
        """Return the games that were taken in with a key, as far as there still are any; None if it is a new one."""
        made = await self.keys.made(request, "games")
        return None if made is None else await self._taken_in(made.split())

    async def _taken_in(self, game_ids: list[str]) -> list[StoredGame]:
        return await self.readers.read(lambda: self._store.some(game_ids))

    async def refresh(self, game_ids: Iterable[str], is_news: Callable[[PlayedGame], bool] | None = None) -> None:
        """Look at games anew that were changed past this, and tell what has become of them, as far as it is news.

        Raises StoreError if some of them could not be looked at, after all others were.
        """
        failed: StoreError | None = None
        for game_id in game_ids:
            try:
                game = await self._anew(game_id)
            except UnknownGameError:
                self._games.pop(game_id)
                self._tell_onlookers(game_id, Gone.DELETED)
            except BrokenGameError:
                continue  # whoever asks for it is told
            except StoreError as error:
                failed = error
            else:
                if is_news is None or is_news(game):
                    self._tell_onlookers(game_id, game)
        if failed is not None:
            raise failed

    async def reseat(self, player_id: str, is_watched: Callable[[str], bool]) -> None:
        """Take in that a player goes by another name now, or is rated otherwise, and tell those who watch their games.

        Games that nobody watches are only dropped from memory: a player may have thousands, and each has to be read.
        """
        theirs = {
            game.id: game.seats
            for game in self._games.values()
            if any(seat.player is not None and seat.player.id == player_id for seat in game.seats.values())
        }
        watched = {game_id: seats for game_id, seats in theirs.items() if is_watched(game_id)}
        for game_id in theirs.keys() - watched.keys():
            self._games.pop(game_id)
        await self.refresh(watched, lambda game: game.seats != watched[game.id])

    async def _anew(self, game_id: str) -> PlayedGame:
        """Read a game; kept even if it is no other revision, for its players may have other names."""
        game = await self.readers.read(lambda: self._current(game_id, None))
        known = self._games.get(game_id)
        if known is None or known.revision <= game.revision:
            self._games.put(game_id, game)
        return game

    # ------------------------------------------------------------------ playing

    async def play(
        self,
        game_id: str,
        text: str,
        ply: int,
        actor: Actor = HOME,
        *,
        engine: bool = False,
        request: RequestKey | None = None,
    ) -> PlayedGame:
        """Play a move. What was already played at this ply is not played again."""

        def play(game: PlayedGame, now: datetime) -> PlayedGame:
            if not engine and not actor.everything:
                check_turn(game.stored, game.turn_at(ply), actor)
            if game.was_played(text, ply):
                return game
            game.check_ply(ply)
            game.check_open()
            if (game.to_move.kind == "engine") is not engine:
                raise NotYourTurnError("The computer is to move.")
            lag = timedelta() if engine else self.flags.lag(game_id, game.turn)
            self.flags.check_move(game, now, lag)
            return game.push(text, now, lag)

        return await self._act(game_id, play, request)

    async def undo(
        self, game_id: str, ply: int | None, actor: Actor = HOME, request: RequestKey | None = None
    ) -> PlayedGame:
        """Take back: a declared end, one move at one screen, or the way back to the person's turn."""
        return await self._step(PlayedGame.undo, game_id, ply, actor, request)

    async def redo(
        self, game_id: str, ply: int | None, actor: Actor = HOME, request: RequestKey | None = None
    ) -> PlayedGame:
        """Play again what was taken back: one move at one screen, or all up to the person's next turn."""
        return await self._step(PlayedGame.redo, game_id, ply, actor, request)

    async def _step(
        self,
        step: Callable[[PlayedGame, datetime], PlayedGame],
        game_id: str,
        ply: int | None,
        actor: Actor,
        request: RequestKey | None,
    ) -> PlayedGame:
        """Go back or forth in a game of one's own, from the ply where one believes it to be."""

        def go(game: PlayedGame) -> PlayedGame:
            check_alone(game.stored, actor)
            if ply is not None:
                game.check_ply(ply)
            return step(game, self._now())

        return await self.change(game_id, go, request)

    async def resign(
        self, game_id: str, colour: Colour | None, actor: Actor = HOME, request: RequestKey | None = None
    ) -> PlayedGame:
        """End a game: a person gives up, the one whose turn it is or the only one if no colour is given."""

        def resign(game: PlayedGame, now: datetime) -> PlayedGame:
            theirs = rights_of(game.stored, actor).seats
            if not actor.everything and (not theirs or (colour is not None and colour not in theirs)):
                raise NotYourSeatError
            game.check_open()
            loser = colour
            if loser is None:
                loser = game.turn if game.turn in theirs else game.turn.other
            if loser not in theirs:
                raise NotPossibleError("Only a person can resign.")
            self.flags.check(game, now, actor)
            return game.end(Outcome(loser.other, Ending.RESIGNATION), now)

        return await self._act(game_id, resign, request)

    async def agree_draw(self, game_id: str, actor: Actor = HOME, request: RequestKey | None = None) -> PlayedGame:
        """End a game: two persons at one screen agree on a draw."""

        def agree(game: PlayedGame) -> PlayedGame:
            check_alone(game.stored, actor)
            game.check_open()
            if not game.may_draw:
                raise NotPossibleError("The computer does not agree on draws.")
            return game.end(Outcome(None, Ending.AGREEMENT), self._now())

        return await self.change(game_id, agree, request)

    async def delete(self, game_id: str, actor: Actor = HOME, request: RequestKey | None = None) -> None:
        """Forget a game. Whose everything is may forget even what cannot be read."""
        check = None if actor.everything or actor.admin else lambda game: check_delete(game.stored, actor)
        await self.forget(game_id, check, Gone.DELETED, request)

    async def abort(self, game_id: str, actor: Actor, request: RequestKey | None = None) -> None:
        """Forget a game that has hardly begun: either player may, before both have played."""

        def check(game: PlayedGame) -> None:
            seat_of(game.stored, actor)
            game.check_open()
            if game.ply >= FIRST_MOVES:
                raise NotPossibleError("Both players have played: the game has begun. You may resign.")

        await self.forget(game_id, check, Gone.ABORTED, request)

    # ------------------------------------------------------------------ between two players

    async def offer(self, game_id: str, kind: OfferKind, actor: Actor, request: RequestKey | None = None) -> PlayedGame:
        """Offer the other player something. What both have offered is agreed on."""
        return await self._propose(game_id, kind, actor, request, accept=False)

    async def accept(
        self, game_id: str, kind: OfferKind, actor: Actor, request: RequestKey | None = None
    ) -> PlayedGame:
        """Accept what the other player has offered. A rematch is begun, and the game from then on names it."""
        return await self._propose(game_id, kind, actor, request, accept=True)

    async def decline(self, game_id: str, actor: Actor, request: RequestKey | None = None) -> PlayedGame:
        """Take an offer off the table: one's own, or the other player's."""

        def decline(game: PlayedGame, now: datetime) -> PlayedGame:
            seat_of(game.stored, actor)
            self.flags.check(game, now, actor)
            return offers.withdrawn(game, now)

        return await self._act(game_id, decline, request)

    async def _propose(
        self, game_id: str, kind: OfferKind, actor: Actor, request: RequestKey | None, *, accept: bool
    ) -> PlayedGame:
        def propose(game: PlayedGame, now: datetime) -> PlayedGame:
            by = seat_of(game.stored, actor)
            self.flags.check(game, now, actor)
            if accept:
                offers.check_offer(game, kind, by)
            if game.stored.offer != (kind, by.other):
                return offers.offered(game, kind, by, now)
            return offers.withdrawn(game, now) if kind == "rematch" else offers.agreed(game, kind, now)

        async def begin(after: PlayedGame) -> PlayedGame:
            new = offers.rematch(after, self._now())
            try:
                after = after.with_stored(await asyncio.wrap_future(self._store.rematch(after.stored, new, request)))
            except AbsentError:
                raise NotPossibleError("The other player is not here any more, or was shut out.") from None
            assert after.stored.next_id is not None
            await self.begun(after.stored.next_id)
            return after

        def store(after: PlayedGame) -> Coroutine[Any, Any, PlayedGame] | None:
            return begin(after) if kind == "rematch" and after.stored.offer is None else None

        return await self._act(game_id, propose, request, store)

    async def greet(self, game_id: str, actor: Actor) -> Colour:
        """Return who greets: one of two players."""
        return seat_of((await self.get(game_id)).stored, actor)

    # ------------------------------------------------------------------ time

    async def _act(self, game_id: str, act: Act, request: RequestKey | None, store: _Store | None = None) -> PlayedGame:
        """Do what a player does when it arrives; if somebody's time was up before, they have lost instead."""
        settling = Settling(act, await self.flags.arrival())
        game = await self.change(game_id, settling, request, store)
        if not settling.in_time:
            raise GameOverError("The time was up before this arrived.")
        return game

    async def tell_again(self, games: Iterable[str]) -> None:
        """Tell what the store alone has changed, of games that were looked at here: before the onlooker notices."""
        await self.refresh([game_id for game_id in games if game_id in self._games])

    # ------------------------------------------------------------------ within

    async def change(
        self, game_id: str, wish: Wish, request: RequestKey | None = None, store: _Store | None = None
    ) -> PlayedGame:
        """Do what a wish makes of a game: store it, then tell it. What was asked before is not done again."""

        async def change() -> PlayedGame:
            async with self._lock(game_id):
                try:
                    before, after = await self._agreed(game_id, wish, request, store)
                except RepeatedError as repeated:
                    check_made(repeated.made, request, game_id, "change", "turn")
                except (RefusalError, PunctError):
                    # What was done cannot be done again: only now it matters whether it was.
                    if not await self.keys.was_asked(request, game_id, "change", "turn"):
                        raise
                else:
                    if after is not before:
                        self._told(after)
                    if before.outcome is None and after.outcome is not None:
                        for listener in self._endings:
                            listener(after)
                    return after
                return await self.get(game_id)

        return await self.finish(change())

    async def _agreed(
        self, game_id: str, wish: Wish, request: RequestKey | None, store: _Store | None
    ) -> tuple[PlayedGame, PlayedGame]:
        """Return a game before and after a wish, stored. What is in memory may be out of date, if others write too."""
        known = self._games.get(game_id)
        if known is not None:
            try:
                after = wish(known)
                if after is not known:
                    return known, await self._stored(known, after, request, store)
                # Nothing is to be done, or so it seems to who has not heard of the last change.
                if await self.readers.read(lambda: self._current(game_id, known)) is known:
                    return known, known
            except RepeatedError:
                raise
            except ConflictError:
                pass
            except (RefusalError, PunctError):
                current = await self.readers.read(lambda: self._current(game_id, known))
                if current is known:
                    raise
                self._keep(current)
        game = await self.readers.read(lambda: self._current(game_id, None))
        self._keep(game)
        try:
            return game, await self._stored(game, wish(game), request, store)
        except RepeatedError:
            raise
        except ConflictError:
            raise WrongPlyError("The game was changed elsewhere in the meantime; look at it again.") from None

    async def _stored(
        self, before: PlayedGame, after: PlayedGame, request: RequestKey | None, store: _Store | None
    ) -> PlayedGame:
        """Return a game's next revision once it is on the disk."""
        if after is before:
            return after
        storing = None if store is None else store(after)
        if storing is not None:
            return await storing

        def start(clock: StoredClock) -> StoredClock:
            return started(clock, self._now())

        if after.ply > before.ply:
            moves = (move.stored for move in after.moves[before.ply :])
            future = self._store.add_move(after.stored, *moves, request=request, start=start)
        elif after.ply < before.ply or (before.outcome is not None and after.outcome is None):
            future = self._store.take_back(after.stored, request, start)
        else:
            await asyncio.wrap_future(self._store.change(after.stored, request))
            return after
        after = after.with_stored(await asyncio.wrap_future(future))
        return await begun_when_stored(self._store, after, self._now)

    async def forget(
        self,
        game_id: str,
        check: Callable[[PlayedGame], None] | None,
        reason: Gone,
        request: RequestKey | None = None,
    ) -> None:
        """Forget a game if a check lets it be, and nobody changes it meanwhile; without one, whatever is stored."""

        async def forget() -> None:
            async with self._lock(game_id):
                if await self.keys.was_asked(request, game_id, "gone"):
                    return
                revision = None
                if check is not None:
                    game = await self.get(game_id)
                    check(game)
                    revision = game.revision
                self._games.pop(game_id)
                try:
                    gone = await asyncio.wrap_future(self._store.delete(game_id, revision, self._now(), request))
                except RepeatedError as repeated:
                    check_made(repeated.made, request, game_id, "gone")
                    return
                if not gone:
                    if revision is None:
                        raise UnknownGameError
                    raise WrongPlyError("The game was changed elsewhere in the meantime; look at it again.")
            self._tell(game_id, reason)
            # The game whose rematch it was may have another one.
            await self.refresh([game.id for game in self._games.values() if game.stored.next_id == game_id])

        await self.finish(forget())

    def _current(self, game_id: str, known: PlayedGame | None) -> PlayedGame:
        """Return a game as it is stored: the known one if nobody has changed it since. Blocks."""
        if known is not None and self._store.revision(game_id) == known.revision:
            return known
        try:
            found = self._store.load(game_id)
        except UnreadableGameError as error:
            raise BrokenGameError from error
        if found is None:
            raise UnknownGameError
        return PlayedGame.replayed(*found)

    def _keep(self, game: PlayedGame) -> PlayedGame:
        """Keep a game in memory, unless a newer revision is there already; return what was given."""
        known = self._games.get(game.id)
        if known is None or known.revision < game.revision:
            self._games.put(game.id, game)
        else:
            self._games.use(game.id)
        return game

    def _lock(self, game_id: str) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    async def finish(self, change: Coroutine[Any, Any, Result]) -> Result:
        """Make a change to its end, even if nobody waits for it any more: half a change is none anybody can explain."""
        if self._closed:
            change.close()
            raise StoppingError
        task = asyncio.ensure_future(change)
        self._changes.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._changes.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it has it; if nobody did, nobody needs to hear of it

    def _told(self, game: PlayedGame) -> PlayedGame:
        self._tell(game.id, self._keep(game))
        return game

    def _tell(self, game_id: str, game: PlayedGame | Gone) -> None:
        for listener in self._listeners:
            listener(game_id, game)

    def _tell_onlookers(self, game_id: str, game: PlayedGame | Gone) -> None:
        for listener in self._onlookers:
            listener(game_id, game)
