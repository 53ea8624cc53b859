"""The puzzles that come with the program, and the one of each day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from punct.errors import expect
from punct.puzzles.file import load_puzzles
from punct.puzzles.puzzle import Puzzle, checked_puzzles

SHIPPED: Final = Path(__file__).with_name("shipped.puzzles")
_MIN_RATING, _MAX_RATING = 1200, 1800
"""A puzzle of the day is neither easy nor hard."""
_STRIDE: Final = 1_000_003
"""A prime greater than any number of puzzles, so that all have had their day before one comes again."""
_EPOCH: Final = date(1970, 1, 1)


@cache
def shipped() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program, ordered by name."""
    return load_puzzles(SHIPPED)


def of_the_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle | None:
    """Return the puzzle of a day, the same for everybody; None if there is none of medium difficulty.

    The number of days since 1970, multiplied by a fixed number, modulo the number of puzzles is the puzzle's index.
    ``puzzleOfTheDay`` in ``web/src/pages/puzzles/collection.ts`` does the same.
    """
    expect(day, date, "the day of a puzzle is a datetime.date")
    collection = shipped() if puzzles is None else checked_puzzles(puzzles)
    medium = [puzzle for puzzle in collection if _MIN_RATING <= puzzle.rating <= _MAX_RATING]
    return medium[(day - _EPOCH).days * _STRIDE % len(medium)] if medium else None
