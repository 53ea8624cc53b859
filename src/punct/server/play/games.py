"""All games: every change is judged by the rules, stored, and only then told."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

from punct.errors import PunctError
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.play.game import PlayedGame
from punct.server.play.refusals import (
    BrokenGameError,
    NotPossibleError,
    NotYourTurnError,
    StoppingError,
    UnknownGameError,
    WrongPlyError,
)
from punct.server.refusal import RefusalError
from punct.server.store import ConflictError, GameStore, NewStoredGame, StoredGame, Tally, UnreadableGameError

IN_MEMORY: Final = 2000
"""How many games are kept set up, at some 30 kB each; bringing one back takes a fraction of a millisecond."""
_READERS: Final = 4

Result = TypeVar("Result")
Listener = Callable[[str, PlayedGame | None], None]
"""Called after a change with a game's id and the game, None if it was deleted."""
_Next = Callable[[PlayedGame], PlayedGame]
"""What a wish makes of a game: its next revision, or the game itself if there is nothing to do. May refuse."""


class Games:
    """All games of this server. One change of a game at a time; looking at one waits for nobody."""

    def __init__(self, store: GameStore) -> None:
        """Take over a store; must be called on the event loop."""
        self._store = store
        self._games: OrderedDict[str, PlayedGame] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="punct-reader")
        self._changes: set[asyncio.Task[Any]] = set()
        self._closed = False

    def listen(self, listener: Listener) -> None:
        """Have a function called after every change."""
        self._listeners.append(listener)

    async def close(self) -> None:
        """Take no more changes, and wait for those being made."""
        self._closed = True
        while self._changes:
            await asyncio.wait(self._changes)
        self._readers.shutdown(wait=False)

    # ------------------------------------------------------------------ looking

    async def page(self, offset: int, limit: int) -> tuple[list[StoredGame], int]:
        """Return some games, the last changed first, and how many there are."""
        return await self._read(lambda: self._store.page(offset, limit))

    async def get(self, game_id: str) -> PlayedGame:
        """Return a game as it now is, whoever changed it last."""
        known = self._games.get(game_id)
        return self._keep(await self._read(lambda: self._current(game_id, known)))

    async def tallies(self) -> list[Tally]:
        """Return how persons fared against each level, by rules."""
        return await self._read(self._store.tallies)

    async def waiting_for_engine(self) -> list[str]:
        """Return the ids of unfinished games in which an engine is to move, the last changed first."""
        games = await self._read(self._store.open_with_engine)
        return [game.id for game in games if game.seats[game.turn].kind == "engine"]

    # ------------------------------------------------------------------ beginning

    async def create(self, new: NewStoredGame) -> PlayedGame:
        """Begin a game."""

        async def create() -> PlayedGame:
            (stored,) = await asyncio.wrap_future(self._store.create([new]))
            game = await self._read(lambda: PlayedGame.replayed(stored, new.came_with()))
            return self._told(game)

        return await self._finish(create())

    async def take_in(self, games: Iterable[NewStoredGame]) -> list[StoredGame]:
        """Store games that come with a record, all or none. There may be hundreds: a thread goes through them."""

        async def take_in() -> list[StoredGame]:
            return await asyncio.wrap_future(await self._read(lambda: self._store.create(games)))

        return await self._finish(take_in())

    # ------------------------------------------------------------------ playing

    async def play(self, game_id: str, text: str, ply: int, *, engine: bool = False) -> PlayedGame:
        """Play a move. A move that was already played at this ply is not played again."""

        def play(game: PlayedGame) -> PlayedGame:
            if game.was_played(text, ply):
                return game
            game.check_ply(ply)
            game.check_open()
            if (game.to_move.kind == "engine") is not engine:
                raise NotYourTurnError("The computer is to move.")
            return game.push(text)

        return await self._change(game_id, play)

    async def undo(self, game_id: str, ply: int | None) -> PlayedGame:
        """Take back: a declared end, one move at one screen, or the way back to the person's turn."""

        def undo(game: PlayedGame) -> PlayedGame:
            if ply is not None:
                game.check_ply(ply)
            return game.undo()

        return await self._change(game_id, undo)

    async def redo(self, game_id: str, ply: int | None) -> PlayedGame:
        """Play again what was taken back: one move at one screen, or all up to the person's next turn."""

        def redo(game: PlayedGame) -> PlayedGame:
            if ply is not None:
                game.check_ply(ply)
            return game.redo()

        return await self._change(game_id, redo)

    async def resign(self, game_id: str, colour: Colour | None) -> PlayedGame:
        """End a game: a person gives up, the one whose turn it is or the only one if no colour is given."""

        def resign(game: PlayedGame) -> PlayedGame:
            game.check_open()
            persons = game.persons()
            loser = colour
            if loser is None:
                loser = game.turn if game.turn in persons else game.turn.other
            if loser not in persons:
                raise NotPossibleError("Only a person can resign.")
            return game.end(Outcome(loser.other, Ending.RESIGNATION))

        return await self._change(game_id, resign)

    async def agree_draw(self, game_id: str) -> PlayedGame:
        """End a game: two persons at one screen agree on a draw."""

        def agree(game: PlayedGame) -> PlayedGame:
            game.check_open()
            if not game.may_draw:
                raise NotPossibleError("The computer does not agree on draws.")
            return game.end(Outcome(None, Ending.AGREEMENT))

        return await self._change(game_id, agree)

    async def delete(self, game_id: str) -> None:
        """Forget a game."""

        async def delete() -> None:
            async with self._lock(game_id):
                self._games.pop(game_id, None)
                if not await asyncio.wrap_future(self._store.delete(game_id)):
                    raise UnknownGameError
            self._tell(game_id, None)

        await self._finish(delete())

    # ------------------------------------------------------------------ within

    async def _change(self, game_id: str, wish: _Next) -> PlayedGame:
        """Do what a wish makes of a game: store it, then tell it."""

        async def change() -> PlayedGame:
            async with self._lock(game_id):
                before, after = await self._agreed(game_id, wish)
                return before if after is before else self._told(after)

        return await self._finish(change())

    async def _agreed(self, game_id: str, wish: _Next) -> tuple[PlayedGame, PlayedGame]:
        """Return a game before and after a wish, stored. What is in memory may be out of date, if others write too."""
        known = self._games.get(game_id)
        if known is not None:
            try:
                return known, await self._stored(known, wish(known))
            except ConflictError:
                pass
            except (RefusalError, PunctError):
                current = await self._read(lambda: self._current(game_id, known))
                if current is known:
                    raise
                self._keep(current)
        game = await self._read(lambda: self._current(game_id, None))
        self._keep(game)
        try:
            return game, await self._stored(game, wish(game))
        except ConflictError:
            raise WrongPlyError("The game was changed elsewhere in the meantime; look at it again.") from None

    async def _stored(self, before: PlayedGame, after: PlayedGame) -> PlayedGame:
        """Return a game's next revision once it is on the disk."""
        if after is before:
            return after
        if after.ply > before.ply:
            future = self._store.add_move(after.stored, *(move.stored for move in after.moves[before.ply :]))
        elif after.outcome is not None and after.outcome != before.outcome:
            future = self._store.end(after.stored)
        else:
            future = self._store.take_back(after.stored)
        await asyncio.wrap_future(future)
        return after

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
            self._games[game.id] = game
        self._games.move_to_end(game.id)
        while len(self._games) > IN_MEMORY:
            self._games.popitem(last=False)
        return game

    def _lock(self, game_id: str) -> asyncio.Lock:
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    async def _read(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def _finish(self, change: Coroutine[Any, Any, Result]) -> Result:
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

    def _tell(self, game_id: str, game: PlayedGame | None) -> None:
        for listener in self._listeners:
            listener(game_id, game)
