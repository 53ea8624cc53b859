"""The engine for asyncio programs: the same calls, awaited; cancelling the task ends the search."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import NoReturn, TypeVar

from punct.contract import Start
from punct.engine.core import Engine, ProgressCallback
from punct.engine.limits import Limits
from punct.engine.variations import PlayResult, Variation
from punct.errors import WrongTypeError
from punct.game import Game

_Result = TypeVar("_Result")


class AsyncEngine:
    """An engine that never blocks the event loop.

    ``await asyncio.wait_for(engine.play(position), 0.2)`` works: the search is stopped when the task is cancelled, and
    the engine is free again before the cancellation continues. Calls wait for each other.
    """

    def __init__(
        self,
        level: int | None = None,
        *,
        limits: Limits | None = None,
        seed: int = 0,
        threads: int = 1,
        hash_mb: int = 256,
    ) -> None:
        """Set up an engine; raises EngineError for a level or option out of range."""
        self._engine = Engine(level, limits=limits, seed=seed, threads=threads, hash_mb=hash_mb)
        self._lock = asyncio.Lock()

    def __repr__(self) -> str:
        return repr(self._engine).replace("<Engine", "<AsyncEngine", 1)

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError("an AsyncEngine cannot be pickled or copied: create one in each process")

    async def play(
        self, position: Start | Game, limits: Limits | None = None, *, watch: ProgressCallback | None = None
    ) -> PlayResult:
        """Return a move for the side to move; raises GameOverError if the game is over."""
        return await self._run(lambda cancel: self._engine.play(position, limits, watch=watch, cancel=cancel))

    async def analyse(
        self,
        position: Start | Game,
        limits: Limits | None = None,
        variations: int = 3,
        *,
        watch: ProgressCallback | None = None,
    ) -> list[Variation]:
        """Return the best moves, best first; raises GameOverError if the game is over."""
        return await self._run(
            lambda cancel: self._engine.analyse(position, limits, variations, watch=watch, cancel=cancel)
        )

    def stop(self) -> None:
        """End the running search, if any: it returns the best move so far."""
        self._engine.stop()

    async def _run(self, search: Callable[[threading.Event], _Result]) -> _Result:
        async with self._lock:
            cancel = threading.Event()
            work = asyncio.get_running_loop().run_in_executor(None, search, cancel)
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                cancel.set()
                self._engine.stop()
                await asyncio.gather(work, return_exceptions=True)
                raise
