"""What runs in a worker process: an engine that thinks when told and stops when told.

Loaded in the worker, so it imports nothing of the server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from punct.game import Game

if TYPE_CHECKING:
    from punct.engine import Engine
    from punct.engine.lines import Found

HASH_MB: Final = 16
"""Memory for one worker's search: a second's worth of nodes needs no more."""
_TELL_EVERY: Final = 0.1
"""Seconds of thinking between two reports."""


@dataclass(frozen=True, slots=True)
class Job:
    """A game to think about; its earlier positions matter, as the third time is a draw."""

    start: str
    turns: tuple[str, ...]
    level: int
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the engine has come."""

    depth: int
    nodes: int
    chance: float
    line: tuple[str, ...]
    done: float
    """How much of its time or nodes is used, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of it."""

    turn: str
    chance: float
    line: tuple[str, ...]
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class Broken:
    """The engine refused or broke down."""

    message: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends the thinking under way, if any."""


def work(pipe: Connection) -> None:
    """Think about one job after another until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends its workers
    jobs: SimpleQueue[tuple[Job, threading.Event]] = SimpleQueue()
    import punct.engine  # noqa: F401  # while nobody waits for it yet

    threading.Thread(target=_listen, args=(pipe, jobs), daemon=True).start()
    while True:
        job, cancel = jobs.get()
        # Whatever goes wrong in one thought, the next may be fine: the server decides what to do about it.
        try:
            answer: Thought | Broken = think(job, pipe, cancel)
        except Exception as error:
            answer = Broken(f"{type(error).__name__}: {error}")
        with contextlib.suppress(OSError):
            pipe.send(answer)


def think(job: Job, pipe: Connection, cancel: threading.Event) -> Thought:
    """Find a turn, reporting progress on the way."""
    engine = _engine(job.level)
    engine.seed = job.seed
    limits = engine.level.limits
    told = 0.0

    def watch(found: Found) -> None:
        nonlocal told
        if found["seconds"] - told >= _TELL_EVERY and found["lines"]:
            told = found["seconds"]
            shares = (
                found["seconds"] / limits.movetime if limits.movetime else 0.0,
                found["nodes"] / limits.nodes if limits.nodes else 0.0,
            )
            line = tuple(found["lines"][0]["pv"])
            pipe.send(Progress(found["depth"], found["nodes"], found["score"], line, min(1.0, max(shares))))

    game = Game(job.start)
    for turn in job.turns:
        game.push(turn)
    played = engine.play(game, watch=watch, cancel=cancel)
    return Thought(str(played.move), played.score, tuple(map(str, played.pv)), played.depth, played.nodes)


@lru_cache(maxsize=1)
def _engine(level: int) -> Engine:
    from punct.engine import Engine  # only in a worker: the server itself knows this module for its messages alone

    return Engine(level, hash_mb=HASH_MB)


def _listen(pipe: Connection, jobs: SimpleQueue[tuple[Job, threading.Event]]) -> None:
    """Pass on jobs; stop the current one when told, and the whole process when the server is gone."""
    cancel = threading.Event()
    while True:
        try:
            message = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if isinstance(message, Stop):
            cancel.set()
        else:
            cancel = threading.Event()
            jobs.put((message, cancel))
