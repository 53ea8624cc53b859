"""Thinking about a game, in a worker."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from punct.game import Game
from punct.server.workers.process import Bounds, Tell

if TYPE_CHECKING:
    from punct.engine import Engine, Found

HASH_MB: Final = 16
"""Memory for one worker's search: a second's worth of nodes needs no more."""
BOUNDS: Final = Bounds(seconds=30.0)
"""No level thinks for longer than about a second: whoever needs so much more hangs."""
_TELL_EVERY: Final = 0.1
"""Seconds of thinking between two reports."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the engine has come."""

    depth: int
    nodes: int
    chance: float
    pv: tuple[str, ...]
    """How it expects play to go on."""
    done: float
    """How much of its time or nodes is used, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of it."""

    move: str
    chance: float
    pv: tuple[str, ...]
    """How it expects play to go on, the move first."""
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Think:
    """A game to think about; its earlier positions matter, as the third time is a draw."""

    start: str
    turns: tuple[str, ...]
    level: int
    seed: int = 0

    def run(self, tell: Tell, cancel: threading.Event) -> Thought:
        """Find a move, telling progress on the way."""
        engine = _engine(self.level)
        engine.seed = self.seed
        limits = engine.level.limits
        told = 0.0

        def watch(found: Found) -> None:
            nonlocal told
            if found.seconds - told >= _TELL_EVERY:
                told = found.seconds
                shares = (
                    found.seconds / limits.movetime if limits.movetime else 0.0,
                    found.nodes / limits.nodes if limits.nodes else 0.0,
                )
                pv = tuple(map(str, found.best.pv))
                tell(Progress(found.depth, found.nodes, found.best.score, pv, min(1.0, max(shares))))

        game = Game(self.start)
        for turn in self.turns:
            game.push(turn)
        played = engine.play(game, watch=watch, cancel=cancel)
        return Thought(str(played.move), played.score, tuple(map(str, played.pv)), played.depth, played.nodes)


@lru_cache(maxsize=1)
def _engine(level: int) -> Engine:
    from punct.engine import Engine  # only in a worker: the server itself knows this module for its messages alone

    return Engine(level, hash_mb=HASH_MB)
