"""Puzzles: ratings of account holders and of puzzles.

A try is rated like a game between the player and the puzzle: a solved puzzle is a win. Only the first try of a puzzle
counts, for both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from typing import Final, NamedTuple

from punct.glicko import Rating, after_games, after_inactivity
from punct.puzzles import shipped
from punct.server.auth.errors import NoAccountError
from punct.server.auth.model import StoredPlayer
from punct.server.db.errors import ConflictError
from punct.server.db.idempotency import DuplicateRequestError, IdempotencyKey
from punct.server.errors import KeyReusedError
from punct.server.puzzles.errors import UnknownPuzzleError
from punct.server.puzzles.store import PuzzleStore, StoredPuzzleRating, StoredSkill, StoredTry, TryCounts

INITIAL_RATING: Final = Rating(700.0, 200.0)
"""A player's first puzzles are the easiest, and the deviation is smaller than that of a new player of games."""
MAX_CHANGE: Final = 60.0
"""No single try changes a player's rating by more: one slip at the beginning says little."""
MIN_RATING: Final = 500.0
"""No player's rating falls lower: there would be no puzzles for it, the easiest has 630."""
UNRATED_MODES: Final = frozenset({"streak", "rush"})
"""Modes that change no rating: a run has a score of its own."""
PUZZLE_DEVIATION: Final = 120.0
"""The deviation of the rating that a puzzle comes with, which is estimated from the levels that solve it. A player of
the same strength changes it by 37 points with the very first try, by 19 with the tenth, and by 5 after the sixtieth."""
_PUZZLE_VOLATILITY: Final = 0.03
"""A puzzle does not change; only the estimate of its difficulty does."""
_FIRST_TRY: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before that there were no puzzles: an older time comes from a clock that was never set."""
_MAX_UTC_OFFSET: Final = timedelta(hours=14)
"""The easternmost time zone: the date there may be a day ahead of UTC."""
_EPOCH: Final = date(1970, 1, 1)


RatingSource = Callable[[], Mapping[str, float]]
"""Returns the rating that each puzzle comes with, by id. The first call may take a while."""


class Try(NamedTuple):
    """A try of a puzzle, as the client reports it."""

    puzzle: str
    solved: bool
    at: datetime
    mode: str
    day: date | None = None
    """The day of a puzzle of the day; None for the day of the try, in UTC."""


class PuzzleProgress(NamedTuple):
    """An account holder's progress at puzzles."""

    rating: Rating
    """With the deviation of today."""
    tried: Mapping[str, bool]
    """Whether the first try solved the puzzle, by puzzle."""
    best_streak: int
    best_rush: int
    days: Sequence[date]
    """The days whose puzzle of the day was solved."""


class Skill(NamedTuple):
    """A player's puzzle rating and numbers of tries, which everybody may see."""

    rating: Rating
    counts: TryCounts


@cache
def shipped_ratings() -> Mapping[str, float]:
    """Return the ratings of the puzzles that come with the program."""
    return {puzzle.id: float(puzzle.rating) for puzzle in shipped()}


class Puzzles:
    """The puzzle ratings and tries of all account holders."""

    def __init__(
        self,
        store: PuzzleStore,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        shipped: RatingSource = shipped_ratings,
    ) -> None:
        """Use a store; ``shipped`` returns the ratings that puzzles come with."""
        self._store, self._now, self._shipped = store, now, shipped

    async def progress(self, player: StoredPlayer) -> PuzzleProgress:
        """Return an account holder's progress; NoAccountError for guests and bots."""
        _check_account(player)
        stored = await asyncio.to_thread(self._store.progress, player.id)
        now = self._now()
        skill = stored.skill or _initial_skill(now)
        days = [_EPOCH + timedelta(days=day) for day in stored.days]
        return PuzzleProgress(_rating(skill, now), stored.tried, skill.best_streak, skill.best_rush, days)

    async def skill(self, player_id: str) -> Skill | None:
        """Return a player's puzzle rating; None for a player who has tried none."""
        stored = await asyncio.to_thread(self._store.skill, player_id)
        return None if stored is None else Skill(_rating(stored[0], self._now()), stored[1])

    async def record_tries(
        self, player: StoredPlayer, tries: Sequence[Try], key: IdempotencyKey | None = None
    ) -> dict[str, float]:
        """Store tries, and rate them; return the new ratings of these puzzles.

        The first try of a puzzle counts, once, however often and from however many devices it is sent. A time ahead of
        the server's clock counts as now.
        """
        _check_account(player)
        shipped = await asyncio.to_thread(self._shipped)
        unknown = sorted({attempt.puzzle for attempt in tries} - shipped.keys())
        if unknown:
            raise UnknownPuzzleError(unknown)
        now = self._now()
        initial = {attempt.puzzle: initial_puzzle_rating(shipped[attempt.puzzle]) for attempt in tries}
        stored = [_stored_try(attempt, now) for attempt in tries]
        rate = partial(rate_tries, now=now)
        try:
            await asyncio.wrap_future(self._store.record_tries(player.id, stored, initial, rate, now, key))
        except DuplicateRequestError as error:  # a repetition: the tries are stored already
            if key is None or not error.result.is_for(key, "tries"):
                raise KeyReusedError from None
        except ConflictError:
            raise NoAccountError from None  # deleted meanwhile
        return await asyncio.to_thread(self._store.ratings, initial)

    async def update_bests(self, player: StoredPlayer, streak: int, rush: int) -> None:
        """Store a player's best streak and best rush, where they are better than before."""
        _check_account(player)
        try:
            await asyncio.wrap_future(self._store.update_bests(player.id, streak, rush, _initial_skill(self._now())))
        except ConflictError:
            raise NoAccountError from None

    async def ratings(self) -> dict[str, float]:
        """Return the ratings of all puzzles that were tried, without those that no longer exist."""

        def read() -> dict[str, float]:
            shipped = self._shipped()
            return {puzzle: rating for puzzle, rating in self._store.ratings().items() if puzzle in shipped}

        return await asyncio.to_thread(read)


def initial_puzzle_rating(rating: float) -> StoredPuzzleRating:
    """Return the rating of a puzzle before its first try, from the rating it comes with."""
    return StoredPuzzleRating(rating, PUZZLE_DEVIATION, _PUZZLE_VOLATILITY, 0)


def rate_tries(
    skill: StoredSkill | None, tries: Iterable[StoredTry], puzzles: Mapping[str, StoredPuzzleRating], now: datetime
) -> tuple[StoredSkill, Mapping[str, StoredPuzzleRating]]:
    """Return the ratings of a player and of puzzles after the player's first tries, each of another puzzle."""
    before = skill or _initial_skill(now)
    player, after = _rating(before, now), dict(puzzles)
    for attempt in tries:
        if attempt.mode in UNRATED_MODES:
            continue
        stored = after[attempt.puzzle]
        puzzle = Rating(*stored[:3])
        puzzle_after = after_games(puzzle, [(player, 1.0 - float(attempt.solved))])
        player = after_try(player, puzzle, solved=attempt.solved)
        after[attempt.puzzle] = StoredPuzzleRating(*puzzle_after, tries=stored.tries + 1)
    return StoredSkill(*player, before.best_streak, before.best_rush, now), after


def after_try(player: Rating, puzzle: Rating, *, solved: bool) -> Rating:
    """Return a player's rating after a try, by Glicko-2; the change and the lowest rating are limited."""
    after = after_games(player, [(puzzle, float(solved))])
    change = min(MAX_CHANGE, max(-MAX_CHANGE, after.rating - player.rating))
    return after._replace(rating=max(MIN_RATING, player.rating + change))


def _check_account(player: StoredPlayer) -> None:
    """Refuse guests, whose tries stay in the browser, and bots."""
    if not player.has_account:
        raise NoAccountError
    if player.kind == "bot":
        raise NoAccountError("Puzzles are for people, and a program plays in this account.")


def _initial_skill(now: datetime) -> StoredSkill:
    return StoredSkill(*INITIAL_RATING, best_streak=0, best_rush=0, updated=now)


def _rating(skill: StoredSkill, now: datetime) -> Rating:
    """Return a player's rating now: its deviation has grown since it was stored."""
    return after_inactivity(Rating(*skill[:3]), now - skill.updated)


def _stored_try(attempt: Try, now: datetime) -> StoredTry:
    """Return a try as it is stored."""
    at = max(_FIRST_TRY, min(attempt.at, now))
    day = None
    if attempt.solved and attempt.mode == "day":
        date_solved = attempt.day or at.astimezone(UTC).date()
        if _FIRST_TRY.date() <= date_solved <= (now + _MAX_UTC_OFFSET).date():
            day = (date_solved - _EPOCH).days
    return StoredTry(attempt.puzzle, attempt.solved, attempt.mode, at, day)
