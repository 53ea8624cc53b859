"""The tables of puzzles: tries, and the puzzle ratings of players and of puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, bindparam, func, select

from punct.server.db.database import Connection, Database
from punct.server.db.idempotency import IdempotencyKey, raise_if_used, record_result
from punct.server.db.locks import lock_player
from punct.server.db.sql import insert_or_ignore, sql, upsert
from punct.server.db.tables import PUZZLE_DAYS, PUZZLE_RATINGS, PUZZLE_STANDINGS, PUZZLE_TRIES
from punct.server.db.values import from_db_bool, from_db_time, to_db_time


class StoredTry(NamedTuple):
    """A try of a puzzle."""

    puzzle: str
    solved: bool
    mode: str
    at: datetime
    day: int | None
    """The day whose puzzle of the day was solved, in days since 1970; None if none was."""


class StoredSkill(NamedTuple):
    """An account holder's puzzle rating and bests."""

    rating: float
    deviation: float
    volatility: float
    best_streak: int
    best_rush: int
    updated: datetime


class StoredPuzzleRating(NamedTuple):
    """A puzzle's rating, after this many tries."""

    rating: float
    deviation: float
    volatility: float
    tries: int


class StoredProgress(NamedTuple):
    """All that is stored of an account holder's puzzles."""

    skill: StoredSkill | None
    """None before the first try."""
    tried: Mapping[str, bool]
    """Whether the first try solved the puzzle, by puzzle; oldest try first."""
    days: Sequence[int]
    """The days whose puzzle of the day was solved, in days since 1970, oldest first."""


class TryCounts(NamedTuple):
    """How many puzzles a player has tried, and how many of them the first try solved."""

    tries: int
    solved: int


RateTries = Callable[
    [StoredSkill | None, Sequence[StoredTry], Mapping[str, StoredPuzzleRating]],
    tuple[StoredSkill, Mapping[str, StoredPuzzleRating]],
]
"""Returns the new ratings of a player and of puzzles, from those before and the player's first tries."""


class PuzzleStore:
    """All tries and ratings. Reads block, and are for threads; writes return a future at once."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def progress(self, player_id: str) -> StoredProgress:
        """Return all that is stored of a player's puzzles."""
        values = {"player": player_id}
        with self._database.read_transaction() as connection:
            skill = _read_skill(connection, player_id)
            tries = connection.execute(_SELECT_TRIES, values).fetchall()
            days = connection.execute(_SELECT_DAYS, values).fetchall()
        return StoredProgress(
            skill, {puzzle: from_db_bool(solved) for puzzle, solved in tries}, [day for (day,) in days]
        )

    def skill(self, player_id: str) -> tuple[StoredSkill, TryCounts] | None:
        """Return a player's puzzle rating, and how many puzzles they have tried; None if none."""
        with self._database.read_transaction() as connection:
            skill = _read_skill(connection, player_id)
            tries, solved = connection.execute(_COUNT_TRIES, {"player": player_id}).fetchone()
        return None if skill is None or not tries else (skill, TryCounts(tries, solved))

    def ratings(self, puzzles: Iterable[str] | None = None) -> dict[str, float]:
        """Return the ratings of these puzzles, or of all, without those that were never tried."""
        if puzzles is None:
            return {puzzle: rating for puzzle, rating, *_ in self._database.fetch_all(_SELECT_PUZZLES)}
        with self._database.read_transaction() as connection:
            stored = _puzzle_ratings(connection, _SELECT_PUZZLE, puzzles)
        return {puzzle: rating.rating for puzzle, rating in stored.items()}

    def record_tries(
        self,
        player_id: str,
        tries: Sequence[StoredTry],
        initial: Mapping[str, StoredPuzzleRating],
        rate_tries: RateTries,
        now: datetime,
        key: IdempotencyKey | None = None,
    ) -> Future[None]:
        """Store tries, and rate those that are a player's first of a puzzle; ``initial`` are ratings before any try.

        However many devices and processes send the same try, it counts once. Raises MissingPlayerError if there is no
        such player, DuplicateRequestError for a repeated idempotency key.
        """

        def store(connection: Connection) -> None:
            raise_if_used(connection, key)
            lock_player(connection, player_id)  # tries of two devices are rated one after the other
            record_result(connection, key, "tries", str(len(tries)), now)
            for day in sorted({attempt.day for attempt in tries if attempt.day is not None}):
                connection.execute(_INSERT_DAY, {"player_id": player_id, "day": day})
            first = [
                attempt for attempt in tries if connection.execute(_INSERT_TRY, _try_row(player_id, attempt)).rowcount
            ]
            if not first:
                return
            puzzles = sorted({attempt.puzzle for attempt in first})  # locked in one order: no deadlock
            connection.executemany(_INSERT_PUZZLE, [_puzzle_row(puzzle, initial[puzzle]) for puzzle in puzzles])
            before = _puzzle_ratings(connection, _LOCK_PUZZLE, puzzles)
            skill, after = rate_tries(_read_skill(connection, player_id), first, before)
            connection.execute(_UPSERT_SKILL, _skill_row(player_id, skill))
            connection.executemany(_UPSERT_PUZZLE, [_puzzle_row(puzzle, after[puzzle]) for puzzle in puzzles])

        return self._database.change(store)

    def update_bests(self, player_id: str, streak: int, rush: int, initial: StoredSkill) -> Future[None]:
        """Store a player's bests where they are better than before; ``initial`` is the rating before any try.

        Raises MissingPlayerError if there is no such player.
        """

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)
            skill = _read_skill(connection, player_id) or initial
            better = skill._replace(best_streak=max(streak, skill.best_streak), best_rush=max(rush, skill.best_rush))
            connection.execute(_UPSERT_SKILL, _skill_row(player_id, better))

        return self._database.change(store)


def _read_skill(connection: Connection, player_id: str) -> StoredSkill | None:
    """Return a player's puzzle rating and bests; None if nothing is stored."""
    row = connection.execute(_SELECT_SKILL, {"player": player_id}).fetchone()
    if row is None:
        return None
    rating, deviation, volatility, best_streak, best_rush, updated = row
    return StoredSkill(rating, deviation, volatility, best_streak, best_rush, from_db_time(updated))


def _puzzle_ratings(connection: Connection, statement: str, puzzles: Iterable[str]) -> dict[str, StoredPuzzleRating]:
    """Return the ratings of puzzles, without those that were never tried."""
    ratings: dict[str, StoredPuzzleRating] = {}
    for puzzle in puzzles:
        row: Any = connection.execute(statement, {"puzzle": puzzle}).fetchone()
        if row is not None:
            ratings[puzzle] = StoredPuzzleRating(*row[1:])
    return ratings


def _try_row(player_id: str, attempt: StoredTry) -> dict[str, object]:
    return {
        "player_id": player_id,
        "puzzle": attempt.puzzle,
        "solved": attempt.solved,
        "mode": attempt.mode,
        "at": to_db_time(attempt.at),
    }


def _skill_row(player_id: str, skill: StoredSkill) -> dict[str, object]:
    return {"player_id": player_id, **skill._asdict(), "updated": to_db_time(skill.updated)}


def _puzzle_row(puzzle: str, rating: StoredPuzzleRating) -> dict[str, object]:
    return {"puzzle": puzzle, **rating._asdict()}


_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_SELECT_SKILL: Final = sql(
    select(*(PUZZLE_STANDINGS.c[name] for name in StoredSkill._fields)).where(
        PUZZLE_STANDINGS.c.player_id == _PLAYER_ID
    )
)
_UPSERT_SKILL: Final = upsert(PUZZLE_STANDINGS, *StoredSkill._fields)
_INSERT_TRY: Final = insert_or_ignore(PUZZLE_TRIES)
_SELECT_TRIES: Final = sql(
    select(PUZZLE_TRIES.c.puzzle, PUZZLE_TRIES.c.solved)
    .where(PUZZLE_TRIES.c.player_id == _PLAYER_ID)
    .order_by(PUZZLE_TRIES.c.at, PUZZLE_TRIES.c.puzzle)
)
_COUNT_TRIES: Final = sql(
    select(func.count(), func.count().filter(PUZZLE_TRIES.c.solved)).where(PUZZLE_TRIES.c.player_id == _PLAYER_ID)
)
_INSERT_DAY: Final = insert_or_ignore(PUZZLE_DAYS)
_SELECT_DAYS: Final = sql(
    select(PUZZLE_DAYS.c.day).where(PUZZLE_DAYS.c.player_id == _PLAYER_ID).order_by(PUZZLE_DAYS.c.day)
)
_PUZZLE_COLUMNS: Final = tuple(PUZZLE_RATINGS.c[name] for name in ("puzzle", *StoredPuzzleRating._fields))
_BY_ID: Final = select(*_PUZZLE_COLUMNS).where(PUZZLE_RATINGS.c.puzzle == bindparam("puzzle"))
_SELECT_PUZZLES: Final = sql(select(*_PUZZLE_COLUMNS).order_by(PUZZLE_RATINGS.c.puzzle))
_SELECT_PUZZLE: Final = sql(_BY_ID)
_LOCK_PUZZLE: Final = sql(_BY_ID.with_for_update())
_INSERT_PUZZLE: Final = insert_or_ignore(PUZZLE_RATINGS)
_UPSERT_PUZZLE: Final = upsert(PUZZLE_RATINGS, *StoredPuzzleRating._fields)
