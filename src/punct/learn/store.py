"""The replay store: samples of all rounds as files, and the window of games that is learned from.

Which games a file holds is its name. So what is there already is known by looking, and nothing else is written down
that could contradict it: whoever is stopped and begins again plays what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from punct.learn.errors import LearnError
from punct.learn.samples import About, read_samples, write_samples
from punct.learn.selfplay import OwnGame

if TYPE_CHECKING:
    import pyarrow as pa

_FILE: Final = re.compile(r"games-(\d{9})-(\d{9})\.parquet")


class Batch(NamedTuple):
    """Games whose samples are kept together: from the first up to, and without, the end."""

    first: int
    end: int

    @property
    def name(self) -> str:
        """Its file's name."""
        return f"games-{self.first:09}-{self.end - 1:09}.parquet"

    @property
    def games(self) -> int:
        """How many games it holds."""
        return self.end - self.first


class Store:
    """The samples of a folder."""

    def __init__(self, folder: Path) -> None:
        """Look at what is there."""
        self.folder = folder

    def batches(self) -> list[Batch]:
        """Return what is there, in the order of the games; LearnError for a file of another kind."""
        found = []
        for path in self.folder.glob("[!.]*") if self.folder.is_dir() else ():
            name = _FILE.fullmatch(path.name)
            if name is None or int(name[1]) > int(name[2]):
                raise LearnError(f"{path} is not a file of samples; take it away")
            found.append(Batch(int(name[1]), int(name[2]) + 1))
        found.sort()
        for before, after in pairwise(found):
            if after.first < before.end:
                raise LearnError(f"{self.folder}: {before.name} and {after.name} hold the same games")
        return found

    def missing(self, first: int, end: int, size: int) -> list[Batch]:
        """Return the batches, of at most this size, that are still to be played of these games."""
        found = []
        at = first
        for there in [*self.batches(), Batch(end, end)]:
            if there.end <= first:
                continue
            stop = min(there.first, end)
            found += [Batch(start, min(start + size, stop)) for start in range(at, stop, size)]
            at = max(at, there.end)
        return found

    def add(self, batch: Batch, games: list[OwnGame], about: About) -> None:
        """Keep the samples of all games of a batch."""
        samples = [sample for game in sorted(games) for sample in game.samples]
        write_samples(self.folder / batch.name, samples, about)

    def window(self, games: int, end: int) -> list[Batch]:
        """Return the latest batches before a game that hold so many games together, the oldest first."""
        there = [batch for batch in self.batches() if batch.first < end]
        total = 0

        def is_wanted(batch: Batch) -> bool:
            nonlocal total
            total += batch.games
            return total - batch.games < games

        return list(takewhile(is_wanted, reversed(there)))[::-1]

    def tables(self, batches: list[Batch]) -> Iterator[pa.Table]:
        """Yield the samples of these batches; LearnError names a file that is damaged."""
        for batch in batches:
            yield read_samples(self.folder / batch.name)
