"""Making a collection: games are searched until there are enough puzzles of every sort, and it can always go on.

Which puzzles are taken depends on the games' numbers alone, not on which was searched first: the same options give the
same collection, on however many cores, interrupted or not.
"""

from __future__ import annotations

import itertools
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final

from punct.puzzles.finding import kind_of
from punct.puzzles.games import imported_games
from punct.puzzles.journal import Journal
from punct.puzzles.mining import Job, Mined, mine, spread
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
"""How much of a collection puzzles of one sort may be. Plain wins at once are found everywhere, and soon bore."""
_UNCOMMON: Final = {Theme.BRIDGE, Theme.UNCOVER, Theme.ROTATE}


def sort_of(puzzle: Puzzle) -> str:
    """Return which share a puzzle counts towards."""
    kind = kind_of(puzzle)
    if Theme.COUNT in puzzle.themes:
        return "count"
    return f"{kind} of another sort" if kind == "win-1" and _UNCOMMON & set(puzzle.themes) else kind


class Choice:
    """What is taken of all that is found, in the order of the games; no two puzzles are images of each other."""

    def __init__(self, count: int) -> None:
        """Begin to choose so many."""
        self.count = count
        self.puzzles: dict[str, Puzzle] = {}
        self._sorts: Counter[str] = Counter()
        self._next = 0
        self._early: dict[int, list[Puzzle]] = {}

    @property
    def is_full(self) -> bool:
        """Whether there are as many as were wanted."""
        return len(self.puzzles) >= self.count

    def add(self, mined: Mined) -> None:
        """Take in what a game has given; it counts once all games before it are there."""
        self._early[mined.number] = mined.puzzles
        while self._next in self._early:
            for puzzle in self._early.pop(self._next):
                self._consider(puzzle)
            self._next += 1

    def finish(self) -> None:
        """Take in also what comes after a game that is missing: there will be no more."""
        for number in sorted(self._early):
            for puzzle in self._early[number]:
                self._consider(puzzle)

    def _consider(self, puzzle: Puzzle) -> None:
        sort = sort_of(puzzle)
        if not self.is_full and puzzle.id not in self.puzzles and self._sorts[sort] < self._most(sort):
            self._sorts[sort] += 1
            self.puzzles[puzzle.id] = puzzle

    def _most(self, sort: str) -> int:
        return math.ceil(SHARES[sort] * self.count)


class Making:
    """A collection being made, with its journal beside the file that it will be."""

    def __init__(
        self,
        file: str | os.PathLike[str],
        count: int,
        seed: int = 0,
        games: Sequence[str | os.PathLike[str]] = (),
        *,
        own: bool = True,
    ) -> None:
        """Begin, or go on with what the journal knows; raises PuzzleError if that is of another making."""
        if not games and not own:
            raise PuzzleError("there is nothing to search: name files of games, or have the engine's own searched")
        file = Path(file)
        self._games, self._own, self._seed = tuple(map(Path, games)), own, seed
        identity = {"seed": seed, "games": [_digest(path) for path in self._games], "own games": own}
        self.journal = Journal(file.with_name(f"{file.name}.journal"), identity)
        self.choice = Choice(count)
        for mined in self.journal.mined:
            self.choice.add(mined)

    @property
    def searched(self) -> int:
        """How many games were searched so far."""
        return sum(mined.games for mined in self.journal.mined)

    def run(
        self, processes: int, *, address: str | None = None, seconds: float | None = None, told: Callable[[], None]
    ) -> list[Puzzle]:
        """Search until there are enough puzzles, no more games, or so many seconds have passed; return what there is.

        ``told`` is called after each job.
        """
        end = math.inf if seconds is None else time.monotonic() + seconds
        if not self.choice.is_full:
            with spread(mine, self._jobs(), processes, address) as results:
                for mined in results:
                    self.journal.append(mined)
                    self.choice.add(mined)
                    told()
                    if self.choice.is_full or time.monotonic() > end:
                        break
        return self.chosen()

    def chosen(self) -> list[Puzzle]:
        """Return what has been chosen so far."""
        self.choice.finish()
        return list(self.choice.puzzles.values())

    def _jobs(self) -> Iterator[Job]:
        """Yield what has not been searched yet."""
        done = {mined.number for mined in self.journal.mined}
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
