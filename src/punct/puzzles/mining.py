"""Jobs that search games for puzzles, run by processes on this machine or by a Ray cluster.

Both call the same function, and so find the same puzzles. Results come back in any order.
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
from typing import Final, NamedTuple, TypeVar

from punct import ray_jobs
from punct.puzzles.finding import puzzles_in
from punct.puzzles.games import PlayedGame, self_play_games
from punct.puzzles.puzzle import Puzzle, PuzzleError
from punct.puzzles.rating import rate

_JOBS_PER_PROCESS: Final = 2
"""Jobs queued for each process, so that none waits for its next one."""

Task = TypeVar("Task")
Result = TypeVar("Result")


class Job(NamedTuple):
    """A game to search: an imported one, or else the self-play games with this number."""

    number: int
    seed: int
    game: PlayedGame | None = None


class JobResult(NamedTuple):
    """The puzzles of a job, and how many games were searched."""

    number: int
    puzzles: list[Puzzle]
    games: int = 1


def mine(job: Job) -> JobResult:
    """Search a game or a dozen, and rate the puzzles; the same job gives the same result on every machine."""
    games = list(self_play_games(job.seed, job.number)) if job.game is None else [job.game]
    puzzles = [puzzle for game in games for puzzle in puzzles_in(game)]
    return JobResult(job.number, [replace(puzzle, rating=rate(puzzle)) for puzzle in puzzles], len(games))


def by_processes(work: Callable[[Task], Result], tasks: Iterator[Task], processes: int) -> Generator[Result]:
    """Yield the result of each task, in any order, from a number of ``processes``; closing the generator ends them."""
    context = multiprocessing.get_context("spawn")  # the engine has threads, which must not be forked
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, context, _initialise)
    pending: set[Future[Result]] = set()
    try:
        while True:
            free = max(0, _JOBS_PER_PROCESS * processes - len(pending))
            pending.update(pool.submit(work, task) for task in itertools.islice(tasks, free))
            if not pending:
                return
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise PuzzleError("one of the processes was killed; run again to continue") from None
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def by_ray(work: Callable[[Task], Result], tasks: Iterator[Task], address: str) -> Generator[Result]:
    """Yield the result of each task, in any order, from all cores of the Ray cluster at an address."""
    with ray_jobs.connect(address, "ray") as ray:
        yield from ray_jobs.run_jobs(ray, work, tasks)


def run_jobs(
    work: Callable[[Task], Result], tasks: Iterator[Task], processes: int, address: str | None
) -> closing[Generator[Result]]:
    """Return the results of all tasks: from a cluster if an address is given, else from processes here."""
    return closing(by_processes(work, tasks, processes) if address is None else by_ray(work, tasks, address))


def _initialise() -> None:
    """Leave Ctrl-C to the parent process, and end when it ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def exit_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()
