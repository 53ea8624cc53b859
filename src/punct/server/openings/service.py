"""The opening explorer: which moves were played in a position, on this server, in archives and in the book."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from punct import kernel
from punct.kernel import openings
from punct.move import Move
from punct.server.openings.book import Book, shipped_book
from punct.server.openings.model import EPOCH_ORDINAL
from punct.server.openings.store import OpeningStore, Source
from punct.server.sized_cache import SizedCache

SourceName = Literal["server", "archives", "book"]
SOURCES: Final[tuple[SourceName, ...]] = ("server", "archives", "book")
_SOURCE_NAMES: Final[Mapping[int, SourceName]] = {Source.SERVER: "server", Source.ARCHIVES: "archives"}
MAX_MOVES: Final = 100
"""How many moves of a position are returned: in the first ones thousands may have been tried."""
CACHE_SECONDS: Final = 10.0
"""How long a position's counts are used without reading the store again."""
MAX_CACHE_BYTES: Final = 32 * 1024 * 1024
"""For the counts of positions: the first ones have thousands of moves."""
_MOVE_BYTES: Final = 200


@dataclass(slots=True)
class MoveCount:
    """A move that was played in a position, and how those games ended."""

    move: int
    """Packed, as it is played in the canonical image of the position, whose key the store uses."""
    white: int = 0
    """How many of the games White won; likewise the next two."""
    draws: int = 0
    black: int = 0
    rated: int = 0
    """How many of the games have a rating."""
    rating: int = 0
    """The sum of these ratings."""
    last: int = 0
    """The last day on which it was played, in days since 1970; 0 if unknown."""

    @property
    def games(self) -> int:
        """In how many games it was played."""
        return self.white + self.draws + self.black

    @property
    def mean_rating(self) -> int | None:
        """The mean rating of its players; None if unknown."""
        return round(self.rating / self.rated) if self.rated else None

    @property
    def day(self) -> date | None:
        """The day on which it was last played; None if unknown."""
        return date.fromordinal(self.last + EPOCH_ORDINAL) if self.last else None

    def add(self, other: MoveCount) -> None:
        """Add the games of another source."""
        self.white += other.white
        self.draws += other.draws
        self.black += other.black
        self.rated += other.rated
        self.rating += other.rating
        self.last = max(self.last, other.last)


@dataclass(frozen=True, slots=True)
class OpeningCounts:
    """All moves that were played in a position."""

    position: str
    """The canonical image of the position."""
    symmetry: int
    """The symmetry that maps the position to it."""
    white: int
    draws: int
    black: int
    sources: Mapping[SourceName, int]
    """How many games each source has, also those that were not selected."""
    moves: tuple[tuple[Move, MoveCount], ...]
    """As they are played in the position itself, most played first."""


@dataclass(slots=True)
class _CacheEntry:
    """The counts of a position, by source."""

    since: float
    """When they were read, by the monotonic clock."""
    sources: dict[SourceName, int] = field(default_factory=dict)
    """How many games each source has."""
    moves: dict[SourceName, list[MoveCount]] = field(default_factory=dict)

    def estimate_bytes(self) -> int:
        return 1000 + _MOVE_BYTES * sum(map(len, self.moves.values()))


class Explorer:
    """Returns the counts of positions, from the store and from a book."""

    def __init__(self, store: OpeningStore, book: Callable[[], Book] = shipped_book) -> None:
        """Use a store and a book, which is read when it is first needed."""
        self._store, self._book = store, book
        self._cache: SizedCache[int, _CacheEntry] = SizedCache(MAX_CACHE_BYTES, _CacheEntry.estimate_bytes)
        self._lock = threading.Lock()

    def explore(self, text: str, sources: Collection[SourceName] = SOURCES) -> OpeningCounts:
        """Return which moves were played in a position; raises InvalidPositionError. Blocks."""
        position = kernel.Position(text)
        canonical, symmetry = position.canonical()
        canonical_key = openings.canonical_key(position)
        entry = self._entry(canonical_key.key)
        totals: dict[int, MoveCount] = {}
        for source in sources:
            for count in entry.moves[source]:
                totals.setdefault(count.move, MoveCount(count.move)).add(count)
        counts = sorted(totals.values(), key=lambda count: (-count.games, count.move))
        moves = [(canonical_key.move_in(position, count.move), count) for count in counts[:MAX_MOVES]]
        return OpeningCounts(
            str(canonical),
            symmetry.number,
            sum(count.white for count in counts),
            sum(count.draws for count in counts),
            sum(count.black for count in counts),
            entry.sources,
            tuple((move, count) for move, count in moves if move is not None),
        )

    def _entry(self, key: int) -> _CacheEntry:
        """Return the counts of a position, by its key: from the cache, or from the store and the book."""
        now = time.monotonic()
        entry = self._cache.get(key)
        if entry is not None and now - entry.since < CACHE_SECONDS:
            return entry
        entry = _CacheEntry(now, moves={source: [] for source in SOURCES})
        for source, move, *values in self._store.move_counts(key):
            entry.moves[_SOURCE_NAMES[source]].append(MoveCount(move, *values))
        entry.moves["book"] = [MoveCount(*row) for row in self._book().move_counts(key)]
        entry.sources = {source: sum(count.games for count in entry.moves[source]) for source in SOURCES}
        with self._lock:
            self._cache.put(key, entry)
        return entry

    def clear_cache(self) -> None:
        """Drop all cached counts: positions are read from the store again."""
        with self._lock:
            self._cache.clear()
