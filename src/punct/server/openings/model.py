"""Aggregates games: by position and move, how often the move was played and how those games ended."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from punct.kernel.openings import OpeningMoves

MAX_PLIES: Final = 16
"""How many moves of each game are counted. Of a few thousand games between equals, one in a hundred still shares its
position with another after ten moves; the rest is for following a game a little further. The size of the table grows
with this alone."""
EPOCH_ORDINAL: Final = 719_163
"""``date.toordinal`` of 1970-01-01: days are stored as days since then."""


class GameResults(NamedTuple):
    """The results of games: a column for each, with a row for each game."""

    white: NDArray[np.int64]
    """1 where White won; likewise the next two."""
    draws: NDArray[np.int64]
    black: NDArray[np.int64]
    rated: NDArray[np.int64]
    """1 where the rating is known."""
    rating: NDArray[np.int64]
    """The players' mean rating; 0 where it is unknown."""
    last: NDArray[np.int64]
    """The day, in days since 1970; 0 where it is unknown."""


class MoveTotals(NamedTuple):
    """Totals by position and move, sorted by both; the other columns are those of ``store.StoredMoveCount``."""

    position: NDArray[np.int64]
    move: NDArray[np.int64]
    white: NDArray[np.int64]
    draws: NDArray[np.int64]
    black: NDArray[np.int64]
    rated: NDArray[np.int64]
    rating: NDArray[np.int64]
    last: NDArray[np.int64]


def game_results(results: list[str], ratings: list[int | None], days: list[int]) -> GameResults:
    """Return the columns for games, given their results (``1-0``), mean ratings and days."""
    result = np.array(results)
    return GameResults(
        (result == "1-0").astype(np.int64),
        (result == "1/2-1/2").astype(np.int64),
        (result == "0-1").astype(np.int64),
        np.array([rating is not None for rating in ratings], np.int64),
        np.array([0 if rating is None else rating for rating in ratings], np.int64),
        np.array(days, np.int64),
    )


def sum_moves(steps: OpeningMoves, results: GameResults) -> MoveTotals:
    """Return the totals of games, given the steps of all of them and their results. Illegal games add nothing."""
    if not len(steps.keys):
        empty = np.zeros(0, np.int64)
        return MoveTotals._make([empty] * len(MoveTotals._fields))
    game_of_step = np.repeat(np.arange(len(steps.counts)), np.maximum(steps.counts, 0))
    order = np.lexsort((steps.moves, steps.keys))
    keys, moves, games = steps.keys[order], steps.moves[order].astype(np.int64), game_of_step[order]
    is_new = np.concatenate(([True], (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1])))
    first = np.flatnonzero(is_new)
    white, draws, black, rated, rating = (np.add.reduceat(column[games], first) for column in results[:-1])
    last = np.maximum.reduceat(results.last[games], first)
    return MoveTotals(keys[first], moves[first], white, draws, black, rated, rating, last)
