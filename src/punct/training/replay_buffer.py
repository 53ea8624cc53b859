"""The replay buffer: samples of all rounds as files (shards), and the window of the latest games to train on.

A shard's name says which games it holds. So the folder alone tells which games are missing after an interruption, and
no index could contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from punct.training.errors import TrainingError
from punct.training.samples import SampleMetadata, read_samples, write_samples
from punct.training.selfplay import SelfPlayGame

if TYPE_CHECKING:
    import pyarrow as pa

_FILE: Final = re.compile(r"games-(\d{9})-(\d{9})\.parquet")


class Shard(NamedTuple):
    """A file of samples: those of the games from the first up to, and without, the end."""

    first: int
    end: int

    @property
    def name(self) -> str:
        """The file's name."""
        return f"games-{self.first:09}-{self.end - 1:09}.parquet"

    @property
    def games(self) -> int:
        """How many games it holds."""
        return self.end - self.first


class ReplayBuffer:
    """The shards of a folder."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which need not exist yet."""
        self.folder = folder

    def shards(self) -> list[Shard]:
        """Return the shards in the order of their games; TrainingError for a file of another kind."""
        shards = []
        for path in self.folder.glob("[!.]*") if self.folder.is_dir() else ():
            name = _FILE.fullmatch(path.name)
            if name is None or int(name[1]) > int(name[2]):
                raise TrainingError(f"{path} is not a file of samples; remove it")
            shards.append(Shard(int(name[1]), int(name[2]) + 1))
        shards.sort()
        for before, after in pairwise(shards):
            if after.first < before.end:
                raise TrainingError(f"{self.folder}: {before.name} and {after.name} hold the same games")
        return shards

    def missing(self, first: int, end: int, size: int) -> list[Shard]:
        """Return shards, of at most this size, for those of these games that are still to be played."""
        missing = []
        at = first
        for existing in [*self.shards(), Shard(end, end)]:
            if existing.end <= first:
                continue
            stop = min(existing.first, end)
            missing += [Shard(start, min(start + size, stop)) for start in range(at, stop, size)]
            at = max(at, existing.end)
        return missing

    def add(self, shard: Shard, games: list[SelfPlayGame], metadata: SampleMetadata) -> None:
        """Write the samples of all games of a shard."""
        samples = [sample for game in sorted(games) for sample in game.samples]
        write_samples(self.folder / shard.name, samples, metadata)

    def window(self, games: int, end: int) -> list[Shard]:
        """Return the latest shards before a game that hold that many ``games`` together, the oldest first."""
        shards = [shard for shard in self.shards() if shard.first < end]
        total = 0

        def is_needed(shard: Shard) -> bool:
            nonlocal total
            total += shard.games
            return total - shard.games < games

        return list(takewhile(is_needed, reversed(shards)))[::-1]

    def tables(self, shards: list[Shard]) -> Iterator[pa.Table]:
        """Yield the samples of these shards; TrainingError names a damaged file."""
        for shard in shards:
            yield read_samples(self.folder / shard.name)
