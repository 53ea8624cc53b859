"""The computer in its seats: thinks when it is its turn, stops when nobody needs it any more."""

from __future__ import annotations

import asyncio
import logging
import zlib
from datetime import UTC, datetime
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from punct.errors import PunctError
from punct.server.api import schemas
from punct.server.api.errors import BusyError, EngineFailedError, RefusalError, store_failure
from punct.server.api.live import Hub
from punct.server.play.games import Games
from punct.server.play.table import IDLE
from punct.server.workers.pool import Pool, WorkError
from punct.server.workers.think import Progress, Think

_log = logging.getLogger(__name__)
ATTEMPTS: Final = 2
"""How often a thought is begun before the game is told that the engine failed."""
HINT_LEVEL: Final = 8
MOST_WAITING: Final = 16
"""With so many thoughts waiting for a worker, hints are refused. Seats wait however long it takes."""


class Opponents:
    """All engines that have a seat. Told of every change, it begins and ends their thinking."""

    def __init__(self, games: Games, hub: Hub, pool: Pool) -> None:
        self._games, self._hub, self._pool = games, hub, pool
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._revisions: dict[str, int] = {}
        self._states: dict[str, schemas.Thinking] = {}
        self._between: set[str] = set()
        self._playing: set[asyncio.Task[None]] = set()  # past thinking: these turns are being stored
        self._closed = False
        hub.when_left(self._left)

    def told(self, answer: schemas.Game) -> schemas.Game:
        """Return a game with what its engine is doing."""
        thinking = self._states.get(answer.id, IDLE)
        return answer if thinking is IDLE else answer.model_copy(update={"thinking": thinking})

    def attend(self, game_id: str, answer: schemas.Game | None) -> None:
        """Begin to think if an engine is to move in this game; stop what is no longer needed."""
        if answer is not None and game_id in self._tasks and self._revisions.get(game_id) == answer.revision:
            return
        self.stop(game_id)
        if answer is None or answer.outcome is not None or self._closed:
            return
        if "engine" in (answer.seats.w.type, answer.seats.b.type):
            self._pool.warm()
        seat = answer.seats.w if answer.turn == "w" else answer.seats.b
        two_engines = answer.seats.w.type == answer.seats.b.type == "engine"
        if seat.type != "engine" or (two_engines and not self._hub.is_watched(game_id)):
            return
        if two_engines:
            self._between.add(game_id)
        self._set(answer, "queued")
        self._revisions[game_id] = answer.revision
        self._tasks[game_id] = asyncio.create_task(self._think(answer), name=f"think {game_id}")

    def stop(self, game_id: str) -> None:
        """End the thinking about a game, if any."""
        self._states.pop(game_id, None)
        self._revisions.pop(game_id, None)
        self._between.discard(game_id)
        task = self._tasks.pop(game_id, None)
        if task is not None:
            task.cancel()

    async def resume(self) -> None:
        """After a start: think about every game in which an engine is to move."""
        for game_id in await self._games.waiting_for_engine():
            try:
                self.attend(game_id, await self._games.get(game_id))
            except (RefusalError, PunctError):  # deleted meanwhile, or a game that no longer replays
                _log.exception("game %s cannot be taken up again", game_id)

    async def close(self) -> None:
        """End all thinking; a turn that is being played is played to its end, and nothing begins after it."""
        self._closed = True
        tasks = [*self._tasks.values(), *self._playing]
        for game_id in list(self._tasks):
            self.stop(game_id)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def hint(self, answer: schemas.Game) -> schemas.Hint:
        """Return a turn the strongest level would play."""
        if self._pool.waiting >= MOST_WAITING:
            raise BusyError("The computer has too much to think about at the moment; try again in a while.")
        try:
            thought = await self._pool.run(_job(answer, HINT_LEVEL))
        except WorkError as error:
            raise EngineFailedError(str(error)) from None
        return schemas.Hint(
            ply=answer.ply,
            turn=thought.turn,
            chance=thought.chance,
            line=list(thought.line),
            depth=thought.depth,
            nodes=thought.nodes,
        )

    async def _think(self, answer: schemas.Game) -> None:
        seat = answer.seats.w if answer.turn == "w" else answer.seats.b
        assert seat.level is not None
        for attempt in range(ATTEMPTS):
            try:
                thought = await self._pool.run(
                    _job(answer, seat.level),
                    lambda: self._begun(answer),
                    lambda progress: self._publish_progress(answer, progress),
                )
            except (WorkError, PunctError) as error:
                if attempt + 1 == ATTEMPTS:
                    self._fail(answer, str(error))
            else:
                break
        else:
            return
        # From here on nobody may stop this task: playing the turn tells everybody, this one too, that it is done.
        task = self._tasks.pop(answer.id, None)
        if task is not None:
            self._playing.add(task)
            task.add_done_callback(self._playing.discard)
        try:
            await self._games.play(answer.id, thought.turn, answer.ply, engine=True)
        except RefusalError:
            pass  # the game went on, or ended, without this turn
        except PunctError as error:
            self._fail(answer, f"{thought.turn} could not be played: {error}")
        except SQLAlchemyError as error:
            self._fail(answer, f"{thought.turn} could not be played: {store_failure(error)}")

    def _fail(self, answer: schemas.Game, message: str) -> None:
        """Say that no turn will come; whoever looks at the game next gives it another chance."""
        _log.error("the engine failed in game %s: %s", answer.id, message)
        self._tasks.pop(answer.id, None)
        self._set(answer, "failed", message)
        self._hub.publish(answer.id, schemas.LiveGame(game=self.told(answer)))

    def _begun(self, answer: schemas.Game) -> None:
        self._set(answer, "thinking")
        self._hub.publish(answer.id, schemas.LiveGame(game=self.told(answer)))

    def _publish_progress(self, answer: schemas.Game, progress: Progress) -> None:
        self._hub.publish(
            answer.id,
            schemas.LiveThinking(
                ply=answer.ply,
                colour=answer.turn,
                depth=progress.depth,
                nodes=progress.nodes,
                chance=progress.chance,
                line=list(progress.line),
                progress=progress.done,
            ),
        )

    def _set(self, answer: schemas.Game, state: str, message: str | None = None) -> None:
        seat = answer.seats.w if answer.turn == "w" else answer.seats.b
        self._states[answer.id] = schemas.Thinking.model_validate(
            {
                "state": state,
                "colour": answer.turn,
                "level": seat.level,
                "since": datetime.now(UTC),
                "message": message,
            }
        )

    def _left(self, game_id: str) -> None:
        """Two engines that nobody watches any more may rest."""
        if game_id in self._between:
            self.stop(game_id)


def _job(answer: schemas.Game, level: int) -> Think:
    """Return what is to be thought about; every game has its own seed, so that no two run alike."""
    return Think(answer.start, tuple(turn.text for turn in answer.turns), level, zlib.crc32(answer.id.encode()))
