"""The computer in its seats: thinks when it is its turn, stops when nobody needs it any more."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from punct.errors import PunctError
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.broker import Broker, LocalBroker
from punct.server.opponents.refusals import BusyError, EngineFailedError
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games
from punct.server.play.refusals import BrokenGameError, GameOverError, NotPossibleError, UnknownGameError
from punct.server.refusal import RefusalError
from punct.server.store import StoreError
from punct.server.workers.pool import WorkError, Workforce, run_soon
from punct.server.workers.think import Progress, Think, Thought

_log = logging.getLogger(__name__)
ATTEMPTS: Final = 2
"""How often a thought is begun before the game is told that the engine failed."""
HINT_LEVEL: Final = 8
CLAIM_SECONDS: Final = 30.0
"""A process that thinks about a move and vanishes keeps the others from it for so long."""
MOST_BEFORE_HINT: Final = 16
"""With so many thoughts waiting for a worker, hints are refused. Seats wait however long it takes."""


Fault = Literal["engine_failed", "store_failed"]
"""Why no move comes: the engine broke down, or the move could not be stored."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the engine in a game is doing."""

    state: Literal["idle", "queued", "thinking", "failed"] = "idle"
    colour: Colour | None = None
    level: int | None = None
    since: datetime | None = None
    message: str | None = None
    """What went wrong, if it failed."""
    code: Fault | None = None
    """The same for programs, which may say it in other words."""


IDLE: Final = Thinking()

Listener = Callable[[PlayedGame, Thinking, Progress | None], None]
"""Called with a game whenever its engine does something else, or has come further."""


class Opponents:
    """All engines that have a seat. Told of every change, it begins and ends their thinking."""

    def __init__(
        self, games: Games, pool: Workforce, is_watched: Callable[[str], bool], broker: Broker | None = None
    ) -> None:
        """Play in these games; two engines play each other only while somebody watches.

        Of several processes one thinks about a move: the one that claims it first.
        """
        self._games, self._pool, self._is_watched = games, pool, is_watched
        self._broker = broker or LocalBroker()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._states: dict[str, tuple[int, Thinking]] = {}
        self._between: set[str] = set()
        self._playing: set[asyncio.Task[None]] = set()  # past thinking: these moves are being stored
        self._closed = False
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Have a function called when an engine begins to think, comes further, or fails."""
        self._listeners.append(listener)

    @property
    def waiting(self) -> int:
        """How many thoughts wait for an engine."""
        return self._pool.waiting

    def thinking(self, game: PlayedGame) -> Thinking:
        """Return what the engine is doing about this revision of a game; about others it does nothing any more."""
        revision, thinking = self._states.get(game.id, (0, IDLE))
        return thinking if revision == game.revision else IDLE

    async def look(self, game: PlayedGame) -> None:
        """Find out whether another process thinks about a game, if this one does not, though an engine is to move."""
        if (
            not self._broker.is_shared
            or game.id in self._tasks
            or game.outcome is not None
            or game.to_move.kind != "engine"
        ):
            return
        known = self._states.get(game.id)
        is_claimed = await self._broker.is_claimed(_claim(game))
        if game.id in self._tasks or self._states.get(game.id) is not known:
            return  # something has happened here meanwhile
        if is_claimed:
            self._states[game.id] = (game.revision, _elsewhere(game))
        elif known is not None and known[1] == _elsewhere(game):
            del self._states[game.id]

    def attend(self, game_id: str, game: PlayedGame | None) -> None:
        """Begin to think if an engine is to move in this game; stop what is no longer needed."""
        if game is not None and game_id in self._tasks and self._states[game_id][0] >= game.revision:
            return
        self.stop(game_id)
        if game is None or game.outcome is not None or self._closed:
            return
        engines = len(Colour) - len(game.persons())
        if engines:
            self._pool.warm()
        if game.to_move.kind != "engine" or (engines == 2 and not self._is_watched(game_id)):
            return
        if engines == 2:
            self._between.add(game_id)
        if game.is_full:
            self._tasks[game_id] = asyncio.create_task(self._agree(game), name=f"agree {game_id}")
            self._states[game_id] = (game.revision, IDLE)
            return
        self._set(game, "queued")
        self._tasks[game_id] = asyncio.create_task(self._think(game), name=f"think {game_id}")

    def stop(self, game_id: str) -> None:
        """End the thinking about a game, if any."""
        self._states.pop(game_id, None)
        self._between.discard(game_id)
        task = self._tasks.pop(game_id, None)
        if task is not None:
            task.cancel()

    def left(self, game_id: str) -> None:
        """Nobody watches a game any more: two engines may rest."""
        if game_id in self._between:
            self.stop(game_id)

    async def resume(self) -> None:
        """After a start: think about every game in which an engine is to move."""
        try:
            waiting = await self._games.waiting_for_engine()
        except StoreError:
            _log.exception("the games the computer is to move in cannot be taken up again")
            return
        for game_id in waiting:
            try:
                self.attend(game_id, await self._games.get(game_id))
            except UnknownGameError:
                continue  # deleted meanwhile
            except (RefusalError, BrokenGameError, StoreError):
                _log.exception("game %s cannot be taken up again", game_id)

    async def close(self) -> None:
        """End all thinking; a move that is being played is played to its end, and nothing begins after it."""
        self._closed = True
        tasks = [*self._tasks.values(), *self._playing]
        for game_id in list(self._tasks):
            self.stop(game_id)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def hint(self, game: PlayedGame) -> Thought:
        """Return a move the strongest level would play, for a person whose turn it is."""
        if game.outcome is not None:
            raise GameOverError("The game is over; there is nothing to play.")
        if game.to_move.kind == "engine":
            raise NotPossibleError("The computer is to move; it needs no hint.")
        if self._pool.waiting >= MOST_BEFORE_HINT:
            raise BusyError("The computer has too much to think about at the moment; try again in a while.")
        try:
            return await run_soon(self._pool, _job(game, HINT_LEVEL))
        except WorkError as error:
            raise EngineFailedError(str(error)) from None

    async def _think(self, game: PlayedGame) -> None:
        name = _claim(game)
        if not await self._broker.claim(name, CLAIM_SECONDS):
            self._tasks.pop(game.id, None)
            self._states[game.id] = (game.revision, _elsewhere(game))
            return
        claiming = asyncio.create_task(self._keep_claim(name)) if self._broker.is_shared else None
        try:
            thought = await self._thought(game)
        except asyncio.CancelledError:
            await self._broker.release(name)
            raise
        finally:
            if claiming is not None:
                claiming.cancel()
        if thought is None:
            await self._broker.release(name)
        else:
            await self._play(game, thought)

    async def _keep_claim(self, name: str) -> None:
        while True:
            await asyncio.sleep(CLAIM_SECONDS / 3)
            await self._broker.claim(name, CLAIM_SECONDS)

    async def _thought(self, game: PlayedGame) -> Thought | None:
        """Think; None if that fails, which the game has then been told."""
        level = game.to_move.level
        assert level is not None
        for attempt in range(ATTEMPTS):
            try:
                return await self._pool.run(
                    _job(game, level),
                    lambda: self._set(game, "thinking"),
                    lambda progress: self._tell(game, progress),
                )
            except (WorkError, PunctError) as error:
                if attempt + 1 == ATTEMPTS:
                    self._fail(game, str(error), "engine_failed")
        return None

    async def _agree(self, game: PlayedGame) -> None:
        """End a game that can go no further as a draw: the computer cannot move, and nobody else could end it."""

        def end(current: PlayedGame) -> PlayedGame:
            may = current.outcome is None and current.is_full
            return current.end(Outcome(None, Ending.AGREEMENT)) if may else current

        self._hold(game)
        try:
            await self._games.change(game.id, end)
        except RefusalError:
            pass  # gone, or the server ends
        except (StoreError, BrokenGameError) as error:
            self._fail(game, str(error), "store_failed")

    def _hold(self, game: PlayedGame) -> None:
        """Let nobody stop this task from here on: what it changes tells everybody, this one too, that it is done."""
        task = self._tasks.pop(game.id, None)
        if task is not None:
            self._playing.add(task)
            task.add_done_callback(self._playing.discard)

    async def _play(self, game: PlayedGame, thought: Thought) -> None:
        self._hold(game)
        try:
            await self._games.play(game.id, thought.move, game.ply, engine=True)
        except RefusalError as error:
            with contextlib.suppress(RefusalError, StoreError, BrokenGameError):
                # Mostly the game went on, or ended, without this move. If it did not, nobody may wait for it for ever.
                current = await self._games.get(game.id)
                if current.revision == game.revision and current.outcome is None:
                    self._fail(game, f"{thought.move} could not be played. {error}", "engine_failed")
        except (PunctError, StoreError, BrokenGameError) as error:
            _log.error("%s could not be played in game %s", thought.move, game.id, exc_info=error)
            words = f"{thought.move} could not be played."
            if isinstance(error, StoreError):
                self._fail(game, f"{words} {error}", "store_failed")
            else:
                self._fail(game, words, "engine_failed")

    def _fail(self, game: PlayedGame, message: str, code: Fault) -> None:
        """Say that no move will come; whoever looks at the game next gives it another chance."""
        _log.error("the engine failed in game %s: %s", game.id, message)
        self._tasks.pop(game.id, None)
        self._set(game, "failed", message, code)

    def _set(
        self,
        game: PlayedGame,
        state: Literal["queued", "thinking", "failed"],
        message: str | None = None,
        code: Fault | None = None,
    ) -> None:
        if self._states.get(game.id, (0, IDLE))[0] > game.revision:
            return  # the game has gone on meanwhile
        thinking = Thinking(state, game.turn, game.to_move.level, datetime.now(UTC), message, code)
        self._states[game.id] = (game.revision, thinking)
        if state != "queued":  # that goes with the change that brought it about
            self._tell(game, None)

    def _tell(self, game: PlayedGame, progress: Progress | None) -> None:
        for listener in self._listeners:
            listener(game, self.thinking(game), progress)


def _claim(game: PlayedGame) -> str:
    """Return what a process claims that thinks about a game."""
    return f"think:{game.id}:{game.revision}"


def _elsewhere(game: PlayedGame) -> Thinking:
    """Return what is known of the thinking of another process."""
    return Thinking("thinking", game.turn, game.to_move.level)


def _job(game: PlayedGame, level: int) -> Think:
    """Return what is to be thought about; every game has its own seed, so that no two run alike."""
    return Think(game.stored.start, tuple(move.text for move in game.moves), level, zlib.crc32(game.id.encode()))
