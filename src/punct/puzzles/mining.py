"""One game searched for puzzles, and many of them at a time: by processes on this machine, or by a Ray cluster.

Both do the same work with the same function, and so find the same. What comes back comes in any order.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

from punct import cluster
from punct.puzzles.finding import puzzles_in
from punct.puzzles.games import PlayedGame, own_games
from punct.puzzles.puzzle import Puzzle, PuzzleError
from punct.puzzles.rating import rate

_WAITING: Final = 2
"""So many jobs for each process are handed out: none of them ever waits for its next."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Job(NamedTuple):
    """A game to be searched: one that was imported, or else those of the engine's own with this number."""

    number: int
    seed: int
    game: PlayedGame | None = None


class Mined(NamedTuple):
    """What came of a job: the puzzles, and how many games were searched."""

    number: int
    puzzles: list[Puzzle]
    games: int = 1


def mine(job: Job) -> Mined:
    """Search a game or a dozen, and say how hard what was found is: the same wherever it is done."""
    games = list(own_games(job.seed, job.number)) if job.game is None else [job.game]
    found = [puzzle for game in games for puzzle in puzzles_in(game)]
    return Mined(job.number, [replace(puzzle, rating=rate(puzzle)) for puzzle in found], len(games))


def by_processes(work: Callable[[Task], Result], tasks: Iterator[Task], processes: int) -> Generator[Result]:
    """Yield what comes of each task, in any order, from so many processes; leaving it ends them."""
    context = multiprocessing.get_context("spawn")  # the engine has threads, and forking those is asking for trouble
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _begin)
    waiting: set[Future[Result]] = set()
    try:
        while True:
            waiting.update(pool.submit(work, task) for task in itertools.islice(tasks, _room(processes, waiting)))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise PuzzleError("one of the processes was ended from outside; begin again to go on") from None
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def by_ray(work: Callable[[Task], Result], tasks: Iterator[Task], address: str) -> Generator[Result]:
    """Yield what comes of each task, in any order, from all cores of the Ray cluster at an address."""
    with cluster.joined(address, "ray") as ray:
        yield from cluster.spread(ray, work, tasks)


def spread(
    work: Callable[[Task], Result], tasks: Iterator[Task], processes: int, address: str | None
) -> closing[Generator[Result]]:
    """Return the results of all tasks: from a cluster if an address is given, else from processes here."""
    return closing(by_processes(work, tasks, processes) if address is None else by_ray(work, tasks, address))


def _room(processes: int, waiting: Any) -> int:
    return max(0, _WAITING * processes - len(waiting))


def _begin() -> None:
    """Leave Ctrl-C to the process that asked for the work, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
