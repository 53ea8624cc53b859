"""The puzzles that come with the program, and the one of each day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Final

from punct.puzzles.file import load_puzzles
from punct.puzzles.puzzle import Puzzle

SHIPPED: Final = Path(__file__).with_name("shipped.puzzles")
_EASIEST, _HARDEST = 1200, 1800
"""A puzzle of the day is neither easy nor hard."""
_STRIDE: Final = 1_000_003
"""A prime greater than any number of puzzles: so each has its day before one comes again."""
_EPOCH: Final = date(1970, 1, 1)


@cache
def shipped() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program, by their names."""
    return load_puzzles(SHIPPED)


def of_the_day(day: date, puzzles: Sequence[Puzzle] | None = None) -> Puzzle | None:
    """Return the puzzle of a day, the same for everybody; None where there is none of medium difficulty.

    Days are counted from 1970 and multiplied by a fixed number; what remains of that, divided by the number of puzzles,
    is the puzzle's place among them. ``puzzleOfTheDay`` in ``web/src/learn/puzzles/collection.ts`` does the same.
    """
    among = shipped() if puzzles is None else puzzles
    medium = [puzzle for puzzle in among if _EASIEST <= puzzle.rating <= _HARDEST]
    return medium[(day - _EPOCH).days * _STRIDE % len(medium)] if medium else None
