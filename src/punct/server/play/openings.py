"""Openings summed up: from the steps of many games to what was played in each position, and how those games ended."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from punct.kernel.openings import Steps

PLIES: Final = 16
"""So many moves of a game are looked at. Of a few thousand games between equals, one in a hundred is still in company
after ten moves; the rest is for following a game a little further. What is stored grows with this alone."""
DAYS_FROM_1_TO_1970: Final = 719_163
"""``date.toordinal`` counts from the year 1."""


class Ends(NamedTuple):
    """How games ended, by game: 1 where it is so."""

    white: NDArray[np.int64]
    draws: NDArray[np.int64]
    black: NDArray[np.int64]
    rated: NDArray[np.int64]
    rating: NDArray[np.int64]
    """0 where it is unknown."""
    last: NDArray[np.int64]
    """The day, in days since 1970; 0 where it is unknown."""


class Summed(NamedTuple):
    """What was played, by position and move, and in their order; otherwise as ``store.Played``."""

    position: NDArray[np.int64]
    move: NDArray[np.int64]
    white: NDArray[np.int64]
    draws: NDArray[np.int64]
    black: NDArray[np.int64]
    rated: NDArray[np.int64]
    rating: NDArray[np.int64]
    last: NDArray[np.int64]


def ends(results: list[str], ratings: list[int | None], days: list[int]) -> Ends:
    """Return how games ended, from their results (``1-0``), their ratings and days."""
    told = np.array(results)
    known = np.array([0 if rating is None else rating for rating in ratings], np.int64)
    return Ends(
        (told == "1-0").astype(np.int64),
        (told == "1/2-1/2").astype(np.int64),
        (told == "0-1").astype(np.int64),
        np.array([rating is not None for rating in ratings], np.int64),
        known,
        np.array(days, np.int64),
    )


def summed(steps: Steps, ended: Ends) -> Summed:
    """Sum up games: by position and move, how often and with what end. What cannot be played adds nothing."""
    if not len(steps.keys):
        nothing = np.zeros(0, np.int64)
        return Summed._make([nothing] * len(Summed._fields))
    by_step = np.repeat(np.arange(len(steps.counts)), np.maximum(steps.counts, 0))
    order = np.lexsort((steps.moves, steps.keys))
    keys, moves, games = steps.keys[order], steps.moves[order].astype(np.int64), by_step[order]
    new = np.concatenate(([True], (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1])))
    first = np.flatnonzero(new)
    white, draws, black, rated, rating = (np.add.reduceat(column[games], first) for column in ended[:-1])
    last = np.maximum.reduceat(ended.last[games], first)
    return Summed(keys[first], moves[first], white, draws, black, rated, rating, last)
