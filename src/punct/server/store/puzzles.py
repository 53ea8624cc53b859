"""Puzzles as they are stored: who has tried which, how strong that makes them, and how hard the puzzles are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import BindParameter, bindparam, func, select

from punct.server.store.database import Connection, Database
from punct.server.store.locks import lock_player
from punct.server.store.requests import RequestKey, check, note
from punct.server.store.sql import in_place, sql, unless_there
from punct.server.store.tables import PUZZLE_DAYS, PUZZLE_RATINGS, PUZZLE_STANDINGS, PUZZLE_TRIES
from punct.server.store.values import flag, moment, written


class StoredTry(NamedTuple):
    """Somebody tried a puzzle."""

    puzzle: str
    solved: bool
    mode: str
    at: datetime
    day: int | None
    """The day, since 1970, whose puzzle was solved; None if none was."""


class StoredSkill(NamedTuple):
    """What is believed of an account holder at puzzles, and their bests."""

    rating: float
    deviation: float
    volatility: float
    best_streak: int
    best_rush: int
    updated: datetime


class StoredPuzzle(NamedTuple):
    """How hard a puzzle has turned out to be."""

    rating: float
    deviation: float
    volatility: float
    tries: int


class StoredStanding(NamedTuple):
    """All that is kept of an account holder's puzzles."""

    skill: StoredSkill | None
    """None before the first."""
    tried: Mapping[str, bool]
    """Whether the first try solved it, by puzzle; the first tried first."""
    days: Sequence[int]
    """The days, since 1970, whose puzzle they have solved, the first one first."""


class PuzzleTally(NamedTuple):
    """How many puzzles somebody has tried, and how many of them the first try solved."""

    tries: int
    solved: int


Judge = Callable[
    [StoredSkill | None, Sequence[StoredTry], Mapping[str, StoredPuzzle]],
    tuple[StoredSkill, Mapping[str, StoredPuzzle]],
]
"""Says, from what is believed of a player and of puzzles, what is believed of all of them after first tries."""


class PuzzleStore:
    """All puzzles tried. What reads blocks, and is for threads; what changes returns at once, with what to wait for."""

    def __init__(self, database: Database) -> None:
        """Use an open database."""
        self._database = database

    def standing(self, player_id: str) -> StoredStanding:
        """Return all that is kept of a player's puzzles."""
        whose = {"player": player_id}
        with self._database.reading() as connection:
            skill = _skill(connection, player_id)
            tried = connection.execute(_TRIED, whose).fetchall()
            days = connection.execute(_DAYS, whose).fetchall()
        return StoredStanding(skill, {puzzle: flag(solved) for puzzle, solved in tried}, [day for (day,) in days])

    def skill(self, player_id: str) -> tuple[StoredSkill, PuzzleTally] | None:
        """Return how strong a player is at puzzles, and how many they have tried; None if none."""
        with self._database.reading() as connection:
            skill = _skill(connection, player_id)
            tries, solved = connection.execute(_TALLY, {"player": player_id}).fetchone()
        return None if skill is None or not tries else (skill, PuzzleTally(tries, solved))

    def ratings(self, puzzles: Iterable[str] | None = None) -> dict[str, float]:
        """Return the ratings of these puzzles, or of all, without those that nobody has tried."""
        if puzzles is None:
            return {puzzle: rating for puzzle, rating, *_ in self._database.ask(_PUZZLES)}
        with self._database.reading() as connection:
            found = _puzzles(connection, _PUZZLE, puzzles)
        return {puzzle: known.rating for puzzle, known in found.items()}

    def hand_in(
        self,
        player_id: str,
        tries: Sequence[StoredTry],
        starts: Mapping[str, StoredPuzzle],
        judge: Judge,
        now: datetime,
        request: RequestKey | None = None,
    ) -> Future[None]:
        """Keep tries, and count those that are a player's first of a puzzle; ``starts`` is what puzzles begin with.

        However many devices and processes hand in the same, each counts once. Raises AbsentError if there is no such
        player, RepeatedError if this was asked before with the same key.
        """

        def store(connection: Connection) -> None:
            check(connection, request)
            lock_player(connection, player_id)  # what two devices of theirs hand in is counted one by one
            note(connection, request, "tries", str(len(tries)), now)
            for day in sorted({tried.day for tried in tries if tried.day is not None}):
                connection.execute(_NEW_DAY, {"player_id": player_id, "day": day})
            first = [tried for tried in tries if connection.execute(_NEW_TRY, _try_row(player_id, tried)).rowcount]
            if not first:
                return
            puzzles = sorted({tried.puzzle for tried in first})  # in one order, lest two processes wait for each other
            connection.executemany(_NEW_PUZZLE, [_puzzle_row(puzzle, starts[puzzle]) for puzzle in puzzles])
            before = _puzzles(connection, _HOLD_PUZZLE, puzzles)
            skill, after = judge(_skill(connection, player_id), first, before)
            connection.execute(_SET_SKILL, _skill_row(player_id, skill))
            connection.executemany(_SET_PUZZLE, [_puzzle_row(puzzle, after[puzzle]) for puzzle in puzzles])

        return self._database.change(store)

    def raise_bests(self, player_id: str, streak: int, rush: int, start: StoredSkill) -> Future[None]:
        """Keep a player's bests where they are better than before; ``start`` is what they begin with.

        Raises AbsentError if there is no such player.
        """

        def store(connection: Connection) -> None:
            lock_player(connection, player_id)
            skill = _skill(connection, player_id) or start
            better = skill._replace(best_streak=max(streak, skill.best_streak), best_rush=max(rush, skill.best_rush))
            connection.execute(_SET_SKILL, _skill_row(player_id, better))

        return self._database.change(store)


def _skill(connection: Connection, player_id: str) -> StoredSkill | None:
    found = connection.execute(_SKILL, {"player": player_id}).fetchone()
    if found is None:
        return None
    rating, deviation, volatility, best_streak, best_rush, updated = found
    return StoredSkill(rating, deviation, volatility, best_streak, best_rush, moment(updated))


def _puzzles(connection: Connection, asked: str, puzzles: Iterable[str]) -> dict[str, StoredPuzzle]:
    """Return what is known of puzzles, without those that nobody has tried."""
    found: dict[str, StoredPuzzle] = {}
    for puzzle in puzzles:
        row: Any = connection.execute(asked, {"puzzle": puzzle}).fetchone()
        if row is not None:
            found[puzzle] = StoredPuzzle(*row[1:])
    return found


def _try_row(player_id: str, tried: StoredTry) -> dict[str, object]:
    return {
        "player_id": player_id,
        "puzzle": tried.puzzle,
        "solved": tried.solved,
        "mode": tried.mode,
        "at": written(tried.at),
    }


def _skill_row(player_id: str, skill: StoredSkill) -> dict[str, object]:
    return {"player_id": player_id, **skill._asdict(), "updated": written(skill.updated)}


def _puzzle_row(puzzle: str, known: StoredPuzzle) -> dict[str, object]:
    return {"puzzle": puzzle, **known._asdict()}


_PLAYER_ID: Final[BindParameter[str]] = bindparam("player")
_SKILL: Final = sql(
    select(*(PUZZLE_STANDINGS.c[name] for name in StoredSkill._fields)).where(
        PUZZLE_STANDINGS.c.player_id == _PLAYER_ID
    )
)
_SET_SKILL: Final = in_place(PUZZLE_STANDINGS, *StoredSkill._fields)
_NEW_TRY: Final = unless_there(PUZZLE_TRIES)
_TRIED: Final = sql(
    select(PUZZLE_TRIES.c.puzzle, PUZZLE_TRIES.c.solved)
    .where(PUZZLE_TRIES.c.player_id == _PLAYER_ID)
    .order_by(PUZZLE_TRIES.c.at, PUZZLE_TRIES.c.puzzle)
)
_TALLY: Final = sql(
    select(func.count(), func.count().filter(PUZZLE_TRIES.c.solved)).where(PUZZLE_TRIES.c.player_id == _PLAYER_ID)
)
_NEW_DAY: Final = unless_there(PUZZLE_DAYS)
_DAYS: Final = sql(select(PUZZLE_DAYS.c.day).where(PUZZLE_DAYS.c.player_id == _PLAYER_ID).order_by(PUZZLE_DAYS.c.day))
_OF_PUZZLE: Final = tuple(PUZZLE_RATINGS.c[name] for name in ("puzzle", *StoredPuzzle._fields))
_ITS_PUZZLE: Final = select(*_OF_PUZZLE).where(PUZZLE_RATINGS.c.puzzle == bindparam("puzzle"))
_PUZZLES: Final = sql(select(*_OF_PUZZLE).order_by(PUZZLE_RATINGS.c.puzzle))
_PUZZLE: Final = sql(_ITS_PUZZLE)
_HOLD_PUZZLE: Final = sql(_ITS_PUZZLE.with_for_update())
_NEW_PUZZLE: Final = unless_there(PUZZLE_RATINGS)
_SET_PUZZLE: Final = in_place(PUZZLE_RATINGS, *StoredPuzzle._fields)
