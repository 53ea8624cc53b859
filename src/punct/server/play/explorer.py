"""The opening explorer: what was played in a position, here, in archives and in the book; it counts what ends here."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

import numpy as np

from punct import kernel
from punct.kernel import openings
from punct.move import Move
from punct.server.play.book import Book, shipped
from punct.server.play.clock import Now, utc_now
from punct.server.play.game import PlayedGame
from punct.server.play.games import Gone
from punct.server.play.openings import DAYS_FROM_1_TO_1970, PLIES
from punct.server.sized_cache import SizedCache
from punct.server.store import (
    Explored,
    ExploredStore,
    GameStore,
    Source,
    StoredGame,
    StoredMove,
    StoredSeat,
    StoreError,
    TakenError,
    UnreadableGameError,
)
from punct.server.store.explored import STEP, StaleStep

_log = logging.getLogger(__name__)
SourceName = Literal["server", "archives", "book"]
SOURCES: Final[tuple[SourceName, ...]] = ("server", "archives", "book")
_NAMES: Final[Mapping[int, SourceName]] = {Source.SERVER: "server", Source.ARCHIVES: "archives"}
MOST_MOVES: Final = 100
"""So many moves are told of a position: in the first ones thousands may have been tried."""
LOOK_SECONDS: Final = 120.0
"""How often games are looked for that ended, or were changed, without this process hearing of it."""
OVERLAP: Final = timedelta(minutes=10)
"""So far back it looks each time: clocks of several machines differ, and a change takes its time to be stored."""
FRESH_SECONDS: Final = 10.0
"""So long what was found in a position is told again without asking the store."""
MAX_MEMORY_BYTES: Final = 32 * 1024 * 1024
"""For what was found in positions: of the first ones, thousands of moves."""
_TRIED_BYTES: Final = 200
_KEPT: Final = 2000
"""Games remembered by their ids."""
_TOGETHER, _AT_ONCE = 200, 10
_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Tried:
    """A move that was played, with how those games ended."""

    move: int
    """Packed, as it is told in the image that has the position's key."""
    white: int = 0
    draws: int = 0
    black: int = 0
    rated: int = 0
    rating: int = 0
    last: int = 0

    @property
    def games(self) -> int:
        """How many."""
        return self.white + self.draws + self.black

    @property
    def mean_rating(self) -> int | None:
        """How strong its players are on average; None if nobody knows."""
        return round(self.rating / self.rated) if self.rated else None

    @property
    def day(self) -> date | None:
        """When it was last played; None if nobody knows."""
        return date.fromordinal(self.last + DAYS_FROM_1_TO_1970) if self.last else None


@dataclass(frozen=True, slots=True)
class Found:
    """What was played in a position."""

    position: str
    """The canonical one of its images."""
    symmetry: int
    """The way there."""
    white: int
    draws: int
    black: int
    sources: Mapping[SourceName, int]
    """How many games each source has, whichever were asked for."""
    moves: tuple[tuple[Move, Tried], ...]
    """As they are played in the position itself, most played first."""


@dataclass(slots=True)
class _Kept:
    since: float
    sources: dict[SourceName, int] = field(default_factory=dict)
    tried: dict[SourceName, list[Tried]] = field(default_factory=dict)

    def estimate_bytes(self) -> int:
        return 1000 + _TRIED_BYTES * sum(map(len, self.tried.values()))


class Explorer:
    """What was played, and the counting of what is played here. Nobody who plays waits for it."""

    def __init__(
        self,
        games: GameStore,
        strengths: Mapping[int, int],
        now: Now = utc_now,
        book: Callable[[], Book] = shipped,
    ) -> None:
        """Take over a store; ``strengths`` are what the computer's levels are worth."""
        self._games, self._store = games, ExploredStore(games.database)
        self._strengths, self._now, self._book = strengths, now, book
        self._kept: SizedCache[int, _Kept] = SizedCache(MAX_MEMORY_BYTES, _Kept.estimate_bytes)
        self._looked: datetime | None = None
        self._wanted: set[str] = set()
        self._counted: OrderedDict[str, None] = OrderedDict()
        """Games that ended here not long ago: should one go on, its end counts no more."""
        self._wake = asyncio.Event()
        self._lock = threading.Lock()

    # ------------------------------------------------------------------ looking

    def look(self, text: str, sources: Collection[SourceName] = SOURCES) -> Found:
        """Return what was played in a position; raises InvalidPositionError if the text is none. Blocks."""
        position = kernel.Position(text)
        canonical, symmetry = position.canonical()
        likeness = openings.likeness(position)
        kept = self._kept_at(likeness.key)
        found: dict[int, Tried] = {}
        for source in sources:
            for tried in kept.tried[source]:
                _add(found.setdefault(tried.move, Tried(tried.move)), tried)
        most = sorted(found.values(), key=lambda tried: (-tried.games, tried.move))
        moves = [(likeness.own(position, tried.move), tried) for tried in most[:MOST_MOVES]]
        return Found(
            str(canonical),
            symmetry.number,
            sum(tried.white for tried in most),
            sum(tried.draws for tried in most),
            sum(tried.black for tried in most),
            kept.sources,
            tuple((move, tried) for move, tried in moves if move is not None),
        )

    def _kept_at(self, key: int) -> _Kept:
        """Return what was played in a position, by source, asking the store if that was not done just now."""
        now = time.monotonic()
        kept = self._kept.get(key)
        if kept is not None and now - kept.since < FRESH_SECONDS:
            return kept
        kept = _Kept(now, tried={source: [] for source in SOURCES})
        for source, move, *numbers in self._store.played(key):
            kept.tried[_NAMES[source]].append(Tried(move, *numbers))
        kept.tried["book"] = [Tried(*row) for row in self._book().played(key)]
        kept.sources = {source: sum(tried.games for tried in kept.tried[source]) for source in SOURCES}
        with self._lock:
            self._kept.put(key, kept)
        return kept

    def forget(self) -> None:
        """Ask the store anew from now on."""
        with self._lock:
            self._kept.clear()

    # ------------------------------------------------------------------ counting

    def hear(self, game_id: str, game: PlayedGame | Gone) -> None:
        """Note that a game has changed. It is counted in a moment."""
        if isinstance(game, Gone) or game.outcome is not None or game_id in self._counted:
            self._wanted.add(game_id)
            self._wake.set()

    async def run(self) -> None:
        """Count games as they end, and now and then look for those that nobody told of; until cancelled."""
        while True:
            try:
                await self.catch_up()
                async with asyncio.timeout(LOOK_SECONDS):
                    while True:
                        await self._wake.wait()
                        self._wake.clear()
                        await self._count_wanted()
                        await self._find_days()
            except TimeoutError:
                pass  # nothing has happened for a while
            except Exception:
                _log.exception("openings cannot be counted now; they will be later")
                await asyncio.sleep(1.0)

    async def catch_up(self) -> None:
        """Count what has ended, was played on or deleted since the last look: the first time, ever."""
        began = self._now()
        since = _BEGINNING if self._looked is None else self._looked - OVERLAP
        before: list[str] = []
        while True:
            due = await asyncio.to_thread(self._store.due, since, _TOGETHER)
            if not due or due == before:  # if they are due still, others are at it
                break
            for first in range(0, len(due), _AT_ONCE):
                await asyncio.gather(*map(self._count, due[first : first + _AT_ONCE]))
            before = due
        await self._find_days()
        self._looked = began

    async def _count_wanted(self) -> None:
        while self._wanted:
            await self._count(self._wanted.pop())

    async def _count(self, game_id: str) -> None:
        """Count a game as it now is."""
        explored = await asyncio.to_thread(self._explored, game_id)
        try:
            await asyncio.wrap_future(self._store.count(game_id, explored))
        except TakenError:
            pass  # another process has just done so
        except StoreError:
            self._wanted.add(game_id)
            raise
        self.forget()
        if explored is not None:
            self._counted[game_id] = None
            while len(self._counted) > _KEPT:
                self._counted.popitem(last=False)

    async def _find_days(self) -> None:
        """Find anew when steps were last played whose last game counts no more: beside the writer, one at a time."""
        unsettled: set[StaleStep] = set()
        while stale := set(await asyncio.to_thread(self._store.stale, _TOGETHER)) - unsettled:
            for step in stale:
                found = await asyncio.to_thread(self._store.find_day, step)
                if not await asyncio.wrap_future(self._store.settle_day(step, found)):
                    unsettled.add(step)  # it was played meanwhile: the next time, then
            self.forget()

    def _explored(self, game_id: str) -> Explored | None:
        """Return a game as it counts, for nothing if it cannot be read; None if it has not ended or is gone. Blocks."""
        try:
            found = self._games.load(game_id)
        except UnreadableGameError:
            revision = self._games.revision(game_id)
            return None if revision is None else Explored(game_id, revision, None, None, 0, np.zeros(0, STEP))
        return None if found is None or found[0].outcome is None else explored_of(*found, self._strengths)


def explored_of(game: StoredGame, moves: list[StoredMove], strengths: Mapping[int, int]) -> Explored:
    """Return a finished game as it counts. One whose moves cannot be played has no steps."""
    assert game.outcome is not None
    steps = openings.steps([(game.start, " ".join(move.text for move in moves[:PLIES]))], PLIES)
    packed = np.zeros(len(steps.keys), STEP)
    packed["position"], packed["move"] = steps.keys, steps.moves
    known = [rating for seat in game.seats.values() if (rating := _strength(seat, strengths)) is not None]
    return Explored(
        game.id,
        game.revision,
        game.outcome.winner,
        round(sum(known) / len(known)) if known else None,
        game.updated.date().toordinal() - DAYS_FROM_1_TO_1970,
        packed,
    )


def _strength(seat: StoredSeat, strengths: Mapping[int, int]) -> int | None:
    if seat.kind == "engine":
        return None if seat.level is None else strengths.get(seat.level)
    return None if seat.player is None else seat.player.rating


def _add(total: Tried, tried: Tried) -> None:
    total.white += tried.white
    total.draws += tried.draws
    total.black += tried.black
    total.rated += tried.rated
    total.rating += tried.rating
    total.last = max(total.last, tried.last)
