"""Engines in seats: start a search when an engine is to move, stop it when nobody needs it, and play its move."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal

from punct.errors import PunctError
from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.broker.broker import Broker, LocalBroker
from punct.server.db.errors import StoreError
from punct.server.engines.errors import EngineFailedError
from punct.server.errors import BrokenGameError, BusyError, RequestError
from punct.server.events import EventBus
from punct.server.games.engine_status import IDLE, EngineStatus, Fault, Thinking
from punct.server.games.errors import GameOverError, NotPossibleError, UnknownGameError
from punct.server.games.events import EngineProgress, GameChanged, GameRemoved
from punct.server.games.game import PlayedGame
from punct.server.games.service import Games
from punct.server.live.events import GameUnwatched
from punct.server.workers.pool import JobError, WorkerPool, run_with_queue_timeout
from punct.server.workers.think import ThinkJob, ThinkProgress, ThinkResult

_log = logging.getLogger(__name__)
MAX_ATTEMPTS: Final = 2
"""How often a search is started before the engine counts as failed."""
HINT_LEVEL: Final = 8
RESUME_SECONDS: Final = 15.0
"""With several processes: between two checks for games in which an engine is to move and none thinks."""
LEASE_SECONDS: Final = 30.0
"""If a process dies while it searches, another one may take over after this time."""
MAX_QUEUE_FOR_HINTS: Final = 16
"""With this many searches waiting for a worker, hints are refused. Engines in seats wait however long it takes."""


class Engines(EngineStatus):
    """All engines that have a seat. Every change of a game starts or stops their searches."""

    def __init__(
        self,
        games: Games,
        pool: WorkerPool,
        is_watched: Callable[[str], bool],
        broker: Broker | None = None,
        bus: EventBus | None = None,
    ) -> None:
        """Play in these games; two engines play each other only while the game is watched.

        Of several processes one searches for a move: the one that gets the lease.
        """
        self._games, self._pool, self._is_watched = games, pool, is_watched
        self._broker, self._bus = broker or LocalBroker(), bus or EventBus()
        self._bus.subscribe(GameChanged, lambda event: self.schedule(event.game.id, event.game))
        self._bus.subscribe(GameRemoved, lambda event: self.schedule(event.game_id, None))
        self._bus.subscribe(GameUnwatched, lambda event: self._stop_unwatched(event.game_id))
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._states: dict[str, tuple[int, Thinking]] = {}
        """The revision that an engine thinks about, and how far it is, by game."""
        self._between_engines: set[str] = set()
        self._finishing: set[asyncio.Task[None]] = set()
        """Tasks that have their move, and are storing it."""
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many searches wait for a worker."""
        return self._pool.waiting

    def thinking(self, game: PlayedGame) -> Thinking:
        """Return what the engine is doing about this revision of a game; idle about any other."""
        revision, thinking = self._states.get(game.id, (0, IDLE))
        return thinking if revision == game.revision else IDLE

    async def refresh(self, game: PlayedGame) -> None:
        """Ask whether another process thinks about a game, if this one does not, though an engine is to move."""
        if (
            not self._broker.is_shared
            or game.id in self._tasks
            or game.outcome is not None
            or game.seat_to_move.kind != "engine"
        ):
            return
        before = self._states.get(game.id)
        is_claimed = await self._broker.is_leased_elsewhere(_lease_name(game))
        if game.id in self._tasks or self._states.get(game.id) is not before:
            return  # this process has started or stopped a search meanwhile
        if is_claimed:
            self._states[game.id] = (game.revision, _remote_thinking(game))
        elif before is not None and before[1] == _remote_thinking(game):
            del self._states[game.id]

    def schedule(self, game_id: str, game: PlayedGame | None) -> None:
        """Start a search if an engine is to move in this game; stop one that is no longer needed."""
        if game is not None and game_id in self._tasks and self._states[game_id][0] >= game.revision:
            return
        self.stop(game_id)
        if game is None or game.outcome is not None or self._closed:
            return
        engines = len(Colour) - len(game.persons())
        if engines:
            self._pool.warm()
        if game.seat_to_move.kind != "engine" or (engines == 2 and not self._is_watched(game_id)):
            return
        if engines == 2:
            self._between_engines.add(game_id)
        if game.is_full:
            self._tasks[game_id] = asyncio.create_task(self._end_full_game(game), name=f"end {game_id}")
            self._states[game_id] = (game.revision, IDLE)
            return
        self._set_state(game, "queued")
        self._tasks[game_id] = asyncio.create_task(self._move(game), name=f"think {game_id}")

    def stop(self, game_id: str) -> None:
        """Stop the search in a game, if there is one."""
        self._states.pop(game_id, None)
        self._between_engines.discard(game_id)
        task = self._tasks.pop(game_id, None)
        if task is not None:
            task.cancel()

    def _stop_unwatched(self, game_id: str) -> None:
        """Stop two engines whose game is no longer watched."""
        if game_id in self._between_engines:
            self.stop(game_id)

    async def run(self) -> None:
        """Resume games in which an engine is to move: at the start, and later those that another process left."""
        await self.resume()
        while self._broker.is_shared:
            await asyncio.sleep(RESUME_SECONDS)
            if await self._broker.acquire_lease("resume", RESUME_SECONDS * 0.9):
                await self.resume()

    async def resume(self) -> None:
        """Start a search in every game in which an engine is to move."""
        try:
            game_ids = await self._games.waiting_for_engine()
        except StoreError:
            _log.exception("cannot read in which games an engine is to move")
            return
        for game_id in game_ids:
            try:
                self.schedule(game_id, await self._games.get(game_id))
            except UnknownGameError:
                continue  # deleted meanwhile
            except (RequestError, BrokenGameError, StoreError):
                _log.exception("cannot resume game %s", game_id)

    async def close(self) -> None:
        """Stop all searches, and wait until moves that are being stored are stored; nothing starts after that."""
        self._closed = True
        tasks = [*self._tasks.values(), *self._finishing]
        for game_id in list(self._tasks):
            self.stop(game_id)
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close()

    async def hint(self, game: PlayedGame) -> ThinkResult:
        """Return a move the strongest level would play, for a person whose turn it is."""
        if game.outcome is not None:
            raise GameOverError("The game is over; there is nothing to play.")
        if game.seat_to_move.kind == "engine":
            raise NotPossibleError("The computer is to move; it needs no hint.")
        if self._pool.waiting >= MAX_QUEUE_FOR_HINTS:
            raise BusyError("The computer has too much to think about at the moment; try again in a while.")
        try:
            return await run_with_queue_timeout(self._pool, _job(game, HINT_LEVEL))
        except JobError as error:
            raise EngineFailedError(str(error)) from None

    async def _move(self, game: PlayedGame) -> None:
        """Search for a move and play it, unless another process has the lease."""
        lease = _lease_name(game)
        if not await self._broker.acquire_lease(lease, LEASE_SECONDS):
            self._tasks.pop(game.id, None)
            self._states[game.id] = (game.revision, _remote_thinking(game))
            return
        renewal = asyncio.create_task(self._renew(lease)) if self._broker.is_shared else None
        try:
            result = await self._search(game)
        except asyncio.CancelledError:
            await self._broker.release_lease(lease)
            raise
        finally:
            if renewal is not None:
                renewal.cancel()
        if result is None:
            await self._broker.release_lease(lease)
        else:
            await self._play(game, result)

    async def _renew(self, lease: str) -> None:
        """Renew a lease until cancelled."""
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            await self._broker.acquire_lease(lease, LEASE_SECONDS)

    async def _search(self, game: PlayedGame) -> ThinkResult | None:
        """Search for a move; None if that fails, which is published."""
        level = game.seat_to_move.level
        assert level is not None
        for attempt in range(MAX_ATTEMPTS):
            try:
                return await self._pool.run(
                    _job(game, level),
                    lambda: self._set_state(game, "thinking"),
                    lambda progress: self._publish(game, progress),
                )
            except (JobError, PunctError) as error:
                if attempt + 1 == MAX_ATTEMPTS:
                    self._fail(game, str(error), "engine_failed")
        return None

    async def _end_full_game(self, game: PlayedGame) -> None:
        """End a game that can go no further as a draw: the engine cannot move, and nobody else could end it."""

        def end(current: PlayedGame) -> PlayedGame:
            can_end = current.outcome is None and current.is_full
            return current.end(Outcome(None, Ending.AGREEMENT)) if can_end else current

        self._detach(game)
        try:
            await self._games.change(game.id, end)
        except RequestError:
            pass  # the game was deleted, or the server is stopping
        except (StoreError, BrokenGameError) as error:
            self._fail(game, str(error), "store_failed")

    def _detach(self, game: PlayedGame) -> None:
        """Make this game's task uncancellable: its own change publishes an event that would cancel it halfway."""
        task = self._tasks.pop(game.id, None)
        if task is not None:
            self._finishing.add(task)
            task.add_done_callback(self._finishing.discard)

    async def _play(self, game: PlayedGame, result: ThinkResult) -> None:
        self._detach(game)
        try:
            await self._games.play(game.id, result.move, game.ply, engine=True)
        except RequestError as error:
            with contextlib.suppress(RequestError, StoreError, BrokenGameError):
                # Mostly the game went on, or ended, without this move. If it did not, nobody may wait for it for ever.
                current = await self._games.get(game.id)
                if current.revision == game.revision and current.outcome is None:
                    self._fail(game, f"{result.move} could not be played. {error}", "engine_failed")
        except (PunctError, StoreError, BrokenGameError) as error:
            _log.error("%s could not be played in game %s", result.move, game.id, exc_info=error)
            message = f"{result.move} could not be played."
            if isinstance(error, StoreError):
                self._fail(game, f"{message} {error}", "store_failed")
            else:
                self._fail(game, message, "engine_failed")

    def _fail(self, game: PlayedGame, message: str, code: Fault) -> None:
        """Publish that no move will come; the next subscriber to the game starts another search."""
        _log.error("the engine failed in game %s: %s", game.id, message)
        self._tasks.pop(game.id, None)
        self._set_state(game, "failed", message, code)

    def _set_state(
        self,
        game: PlayedGame,
        state: Literal["queued", "thinking", "failed"],
        message: str | None = None,
        code: Fault | None = None,
    ) -> None:
        if self._states.get(game.id, (0, IDLE))[0] > game.revision:
            return  # the game has gone on meanwhile
        thinking = Thinking(state, game.turn, game.seat_to_move.level, datetime.now(UTC), message, code)
        self._states[game.id] = (game.revision, thinking)
        if state != "queued":  # that is sent with the change of the game that caused it
            self._publish(game, None)

    def _publish(self, game: PlayedGame, progress: ThinkProgress | None) -> None:
        self._bus.publish(EngineProgress(game, self.thinking(game), progress))


def _lease_name(game: PlayedGame) -> str:
    """Return the name of the lease on the search for a game's next move."""
    return f"think:{game.id}:{game.revision}"


def _remote_thinking(game: PlayedGame) -> Thinking:
    """Return what is known of a search in another process."""
    return Thinking("thinking", game.turn, game.seat_to_move.level)


def _job(game: PlayedGame, level: int) -> ThinkJob:
    """Return the search for a game's next move; every game has its own seed, so that no two run alike."""
    return ThinkJob(game.stored.start, tuple(move.text for move in game.moves), level, zlib.crc32(game.id.encode()))
