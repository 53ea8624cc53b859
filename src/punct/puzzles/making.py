"""Make a collection: search games until there are enough puzzles of every sort; it can be resumed at any time.

Which puzzles are chosen depends on the games' numbers alone, not on the order of the results: the same options give the
same collection, on any number of cores, interrupted or not.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from punct.paths import PathLike, read_path
from punct.puzzles.finding import kind_of
from punct.puzzles.games import imported_games
from punct.puzzles.journal import Journal
from punct.puzzles.mining import Job, JobResult, mine, run_jobs
from punct.puzzles.puzzle import Puzzle, PuzzleError, Theme

SHARES: Final = {
    "win-1": 0.12,
    "win-1 of another sort": 0.15,
    "count": 0.12,
    "win-2": 0.40,
    "win-3": 0.30,
    "win-4": 0.20,
    "defence": 0.29,
    "centre": 0.12,
}
"""The largest share of each sort in a collection. Plain wins at once are found everywhere, and soon bore."""
_UNCOMMON: Final = {Theme.BRIDGE, Theme.UNCOVER, Theme.ROTATE}


def sort_of(puzzle: Puzzle) -> str:
    """Return which share a puzzle counts towards."""
    kind = kind_of(puzzle)
    if Theme.COUNT in puzzle.themes:
        return "count"
    return f"{kind} of another sort" if kind == "win-1" and _UNCOMMON & set(puzzle.themes) else kind


class Selection:
    """Selects from the puzzles found, in the order of the games; no two are images of each other."""

    def __init__(self, count: int) -> None:
        """Start an empty selection of this size."""
        self.count = count
        self.puzzles: dict[str, Puzzle] = {}
        self._sorts: Counter[str] = Counter()
        self._next = 0
        self._waiting: dict[int, list[Puzzle]] = {}

    @property
    def is_full(self) -> bool:
        """Whether it is complete."""
        return len(self.puzzles) >= self.count

    def add(self, result: JobResult) -> None:
        """Add the result of a job; it counts once all jobs before it are there."""
        self._waiting[result.number] = result.puzzles
        while self._next in self._waiting:
            for puzzle in self._waiting.pop(self._next):
                self._consider(puzzle)
            self._next += 1

    def finish(self) -> None:
        """Also count results that come after a missing one: there will be no more."""
        for number in sorted(self._waiting):
            for puzzle in self._waiting[number]:
                self._consider(puzzle)

    def _consider(self, puzzle: Puzzle) -> None:
        sort = sort_of(puzzle)
        if not self.is_full and puzzle.id not in self.puzzles and self._sorts[sort] < self._max_of(sort):
            self._sorts[sort] += 1
            self.puzzles[puzzle.id] = puzzle

    def _max_of(self, sort: str) -> int:
        return math.ceil(SHARES[sort] * self.count)


class CollectionMaker:
    """Makes a collection, with a journal beside its file."""

    def __init__(
        self,
        file: PathLike,
        count: int,
        seed: int = 0,
        games: Sequence[PathLike] = (),
        *,
        own: bool = True,
    ) -> None:
        """Start, or resume from the journal; raises PuzzleError if that is of another search."""
        if not games and not own:
            raise PuzzleError("there is nothing to search: name files of games, or search games of the engine's own")
        file = read_path(file, "file of puzzles")
        self._games, self._own, self._seed = tuple(map(read_path, games)), own, seed
        identity = {"seed": seed, "games": [_digest(path) for path in self._games], "own games": own}
        self.journal = Journal(file.with_name(f"{file.name}.journal"), identity)
        self.selection = Selection(count)
        for result in self.journal.results:
            self.selection.add(result)

    @property
    def games_searched(self) -> int:
        """How many games have been searched so far."""
        return sum(result.games for result in self.journal.results)

    def run(
        self,
        processes: int,
        *,
        address: str | None = None,
        seconds: float | None = None,
        on_progress: Callable[[], None],
    ) -> list[Puzzle]:
        """Search until there are enough puzzles, no more games, or ``seconds`` have passed; return the puzzles.

        ``on_progress`` is called after each job.
        """
        end = math.inf if seconds is None else time.monotonic() + seconds
        if not self.selection.is_full:
            with run_jobs(mine, self._jobs(), processes, address) as results:
                for result in results:
                    self.journal.append(result)
                    self.selection.add(result)
                    on_progress()
                    if self.selection.is_full or time.monotonic() > end:
                        break
        return self.puzzles()

    def puzzles(self) -> list[Puzzle]:
        """Return the puzzles selected so far."""
        self.selection.finish()
        return list(self.selection.puzzles.values())

    def _jobs(self) -> Iterator[Job]:
        """Yield the jobs that are not done yet."""
        done = {result.number for result in self.journal.results}
        for job in self._all_jobs():
            if job.number not in done:
                yield job

    def _all_jobs(self) -> Iterator[Job]:
        first = 0
        for first, game in enumerate(imported_games(self._games), 1):
            yield Job(first - 1, self._seed, game)
        if self._own:
            yield from (Job(number, self._seed) for number in itertools.count(first))


def _digest(path: Path) -> str:
    try:
        return blake2b(path.read_bytes(), digest_size=8).hexdigest()
    except OSError as error:
        raise PuzzleError(f"{path} cannot be read: {error.strerror}") from None
