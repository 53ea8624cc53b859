"""The job that searches for an engine's move."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from punct.game import Game
from punct.server.workers.process import ReportProgress, WorkerLimits

if TYPE_CHECKING:
    from punct.engine import Engine, SearchResult


HASH_MB: Final = 16
"""The transposition table of one worker: the nodes of a second need no more."""
LIMITS: Final = WorkerLimits(seconds=30.0)
"""No level searches for longer than about a second: a job that takes so much longer hangs."""
_REPORT_SECONDS: Final = 0.1
"""Between two reports of progress."""


@dataclass(frozen=True, slots=True)
class ThinkProgress:
    """The progress of a search."""

    depth: int
    nodes: int
    chance: float
    pv: tuple[str, ...]
    """The principal variation."""
    done: float
    """The share of its time or nodes that is used, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ThinkResult:
    """The move that a search found."""

    move: str
    chance: float
    pv: tuple[str, ...]
    """The principal variation, the move first."""
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class ThinkJob:
    """Searches the current position of a game; earlier positions matter, as the third repetition is a draw."""

    start: str
    turns: tuple[str, ...]
    level: int
    seed: int = 0

    def run(self, report: ReportProgress, cancel: threading.Event) -> ThinkResult:
        """Return a move, reporting progress during the search."""
        engine = _engine(self.level)
        engine.seed = self.seed
        limits = engine.level.limits
        last_report = 0.0

        def watch(result: SearchResult) -> None:
            nonlocal last_report
            if result.seconds - last_report >= _REPORT_SECONDS:
                last_report = result.seconds
                shares = (
                    result.seconds / limits.movetime if limits.movetime else 0.0,
                    result.nodes / limits.nodes if limits.nodes else 0.0,
                )
                pv = tuple(map(str, result.best.pv))
                report(ThinkProgress(result.depth, result.nodes, result.best.score, pv, min(1.0, max(shares))))

        game = Game(self.start)
        for move in self.turns:
            game.push(move)
        result = engine.play(game, watch=watch, cancel=cancel)
        return ThinkResult(str(result.move), result.score, tuple(map(str, result.pv)), result.depth, result.nodes)


@lru_cache(maxsize=1)
def _engine(level: int) -> Engine:
    from punct.engine import Engine  # only in a worker: the server needs this module only for its messages

    return Engine(level, hash_mb=HASH_MB)
