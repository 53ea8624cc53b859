"""Puzzles: how strong account holders are at them, and how hard each has turned out to be.

Whoever tries a puzzle plays it, as it were: who solves it has won. Only the first try counts, for both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Final, NamedTuple

from punct.puzzles import shipped
from punct.server.people.glicko import Rating, after_games, aged
from punct.server.people.players import Player
from punct.server.people.refusals import NoAccountError, UnknownPuzzleError
from punct.server.refusal import KeyReusedError
from punct.server.store import (
    ConflictError,
    PuzzleStore,
    PuzzleTally,
    RepeatedError,
    RequestKey,
    StoredPuzzle,
    StoredSkill,
    StoredTry,
)

NEWCOMER: Final = Rating(700.0, 200.0)
"""Who has never tried a puzzle begins with the easiest, and is not as unknown as a player of games may be."""
MAX_CHANGE: Final = 60.0
"""No single try moves a player's rating by more: one slip at the beginning says little."""
MIN_RATING: Final = 500.0
"""No player's rating falls lower: there are no puzzles for it, the easiest has 630."""
UNRATED: Final = frozenset({"streak", "rush"})
"""Ways to try puzzles that change no rating: a run is for its own score."""
PUZZLE_DEVIATION: Final = 120.0
"""How uncertain the rating is that a puzzle comes with, from which levels solve it. So somebody as strong as it is
moves it by 37 points with the first try of all, by 19 with the tenth, and by 5 after the sixtieth."""
_STEADY: Final = 0.03
"""A puzzle stays what it is; only what is known of it changes."""
_BEGINNING: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before that there were no puzzles: what is said to be older is of a clock that was never set."""
_EARLIEST_DATE: Final = timedelta(hours=14)
"""So far ahead the date is where it is latest."""
_EPOCH: Final = date(1970, 1, 1)

Shipped = Callable[[], Mapping[str, float]]
"""Returns the rating that each puzzle comes with, by its id. May take a while, the first time."""


class Try(NamedTuple):
    """Somebody tried a puzzle, as they tell it."""

    puzzle: str
    solved: bool
    at: datetime
    mode: str
    day: date | None = None
    """Whose puzzle it was, if it was a day's; None for the day it was tried, in UTC."""


class Standing(NamedTuple):
    """How somebody stands at puzzles."""

    rating: Rating
    """As certain as it still is."""
    tried: Mapping[str, bool]
    """Whether the first try solved it, by puzzle."""
    best_streak: int
    best_rush: int
    days: Sequence[date]
    """Whose puzzle they have solved."""


class Skill(NamedTuple):
    """How strong somebody is at puzzles, as anybody sees it."""

    rating: Rating
    tally: PuzzleTally


@cache
def shipped_ratings() -> Mapping[str, float]:
    """Return the ratings of the puzzles that come with the program."""
    return {puzzle.id: float(puzzle.rating) for puzzle in shipped()}


class Puzzles:
    """All that account holders have done about puzzles on this server."""

    def __init__(
        self,
        store: PuzzleStore,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        shipped: Shipped = shipped_ratings,
    ) -> None:
        """Take over a store; ``now`` tells the time."""
        self._store, self._now, self._shipped = store, now, shipped

    async def standing(self, player: Player) -> Standing:
        """Return how somebody stands, who must have an account and be no program."""
        _check(player)
        found = await asyncio.to_thread(self._store.standing, player.id)
        now = self._now()
        skill = found.skill or _beginner(now)
        days = [_EPOCH + timedelta(days=day) for day in found.days]
        return Standing(_rating(skill, now), found.tried, skill.best_streak, skill.best_rush, days)

    async def skill(self, player_id: str) -> Skill | None:
        """Return how strong a player is; None for whoever has tried nothing."""
        found = await asyncio.to_thread(self._store.skill, player_id)
        return None if found is None else Skill(_rating(found[0], self._now()), found[1])

    async def hand_in(
        self, player: Player, tries: Sequence[Try], request: RequestKey | None = None
    ) -> dict[str, float]:
        """Keep what somebody has tried; return the ratings that these puzzles have by it.

        The first try of a puzzle counts, once, however often and from wherever it is handed in. The server's clock
        counts: what lies ahead of it was just now.
        """
        _check(player)
        shipped = await asyncio.to_thread(self._shipped)
        unknown = sorted({tried.puzzle for tried in tries} - shipped.keys())
        if unknown:
            raise UnknownPuzzleError(unknown)
        now = self._now()
        starts = {tried.puzzle: start(shipped[tried.puzzle]) for tried in tries}
        kept = [_stored(tried, now) for tried in tries]

        def judged(
            skill: StoredSkill | None, first: Sequence[StoredTry], puzzles: Mapping[str, StoredPuzzle]
        ) -> tuple[StoredSkill, Mapping[str, StoredPuzzle]]:
            return judge(skill, first, puzzles, now)

        try:
            await asyncio.wrap_future(self._store.hand_in(player.id, kept, starts, judged, now, request))
        except RepeatedError as repeated:
            if request is None or not repeated.made.is_asked_by(request, "tries"):
                raise KeyReusedError from None
        except ConflictError:
            raise NoAccountError from None  # deleted in this very moment
        return await asyncio.to_thread(self._store.ratings, starts)

    async def raise_bests(self, player: Player, streak: int, rush: int) -> None:
        """Keep the most that somebody has solved in a row, and against the clock, if it is more than before."""
        _check(player)
        try:
            await asyncio.wrap_future(self._store.raise_bests(player.id, streak, rush, _beginner(self._now())))
        except ConflictError:
            raise NoAccountError from None

    async def ratings(self) -> dict[str, float]:
        """Return the ratings of all puzzles that somebody has tried, and that there still are."""

        def read() -> dict[str, float]:
            shipped = self._shipped()
            return {puzzle: rating for puzzle, rating in self._store.ratings().items() if puzzle in shipped}

        return await asyncio.to_thread(read)


def start(rating: float) -> StoredPuzzle:
    """Return what is believed of a puzzle that nobody has tried, from the rating it comes with."""
    return StoredPuzzle(rating, PUZZLE_DEVIATION, _STEADY, 0)


def judge(
    skill: StoredSkill | None, tries: Iterable[StoredTry], puzzles: Mapping[str, StoredPuzzle], now: datetime
) -> tuple[StoredSkill, Mapping[str, StoredPuzzle]]:
    """Return what is believed of somebody, and of puzzles, after their first tries, each of another puzzle."""
    before = skill or _beginner(now)
    player, after = _rating(before, now), dict(puzzles)
    for tried in tries:
        if tried.mode in UNRATED:
            continue
        known = after[tried.puzzle]
        puzzle = Rating(*known[:3])
        harder = after_games(puzzle, [(player, 1.0 - float(tried.solved))])
        player = after_try(player, puzzle, solved=tried.solved)
        after[tried.puzzle] = StoredPuzzle(*harder, tries=known.tries + 1)
    return StoredSkill(*player, before.best_streak, before.best_rush, now), after


def after_try(player: Rating, puzzle: Rating, *, solved: bool) -> Rating:
    """Return a player's rating after a try: by Glicko-2, in steps that are not too large, and never too low."""
    after = after_games(player, [(puzzle, float(solved))])
    change = min(MAX_CHANGE, max(-MAX_CHANGE, after.rating - player.rating))
    return after._replace(rating=max(MIN_RATING, player.rating + change))


def _check(player: Player) -> None:
    """Refuse whoever has no account: a guest's tries are kept in the browser."""
    if not player.has_account:
        raise NoAccountError
    if player.kind == "bot":
        raise NoAccountError("Puzzles are for people, and a program plays in this account.")


def _beginner(now: datetime) -> StoredSkill:
    return StoredSkill(*NEWCOMER, best_streak=0, best_rush=0, updated=now)


def _rating(skill: StoredSkill, now: datetime) -> Rating:
    return aged(Rating(*skill[:3]), now - skill.updated)


def _stored(tried: Try, now: datetime) -> StoredTry:
    """Return a try as it is kept."""
    at = max(_BEGINNING, min(tried.at, now))
    day = None
    if tried.solved and tried.mode == "day":
        solved = tried.day or at.astimezone(UTC).date()
        if _BEGINNING.date() <= solved <= (now + _EARLIEST_DATE).date():
            day = (solved - _EPOCH).days
    return StoredTry(tried.puzzle, tried.solved, tried.mode, at, day)
