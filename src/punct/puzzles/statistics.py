"""How many puzzles there are, by kind, theme and difficulty."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from punct.puzzles.puzzle import MAX_TURNS, STRONGEST, WEAKEST, Goal, Puzzle, Theme

_BANDS: Final = (WEAKEST, 1000, 1400, 1800, 2200, STRONGEST + 1)


def _groups(puzzles: Sequence[Puzzle]) -> dict[str, list[Puzzle]]:
    """Return the puzzles by kind, by theme, and all."""
    wins = {
        f"win in {turns}": [puzzle for puzzle in puzzles if puzzle.goal is Goal.WIN and puzzle.turns == turns]
        for turns in range(1, MAX_TURNS + 1)
    }
    holds = {"hold": [puzzle for puzzle in puzzles if puzzle.goal is Goal.HOLD]}
    themes = {theme.value: [puzzle for puzzle in puzzles if theme in puzzle.themes] for theme in Theme}
    return {**wins, **holds, **themes, "all": list(puzzles)}


def count(puzzles: Sequence[Puzzle]) -> list[tuple[str, ...]]:
    """Return a table: a row of headings, then the counts by difficulty of each kind, each theme and all."""
    bands = list(itertools.pairwise(_BANDS))
    rows: list[tuple[str, ...]] = [("", *(f"{low}–{min(high - 1, STRONGEST)}" for low, high in bands), "all")]
    for name, group in _groups(puzzles).items():
        counts = [sum(low <= puzzle.rating < high for puzzle in group) for low, high in bands]
        rows.append((name, *map(str, counts), str(len(group))))
    return rows


def as_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return a table as Markdown, which is read easily in a terminal too."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        first, *others = zip(row, widths, strict=True)
        return f"| {' | '.join((first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)))} |"

    rule = "|".join("-" * (width + 1) + (":" if place else "-") for place, width in enumerate(widths))
    return "\n".join((line(rows[0]), f"|{rule}|", *map(line, rows[1:])))
