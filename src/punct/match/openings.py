"""Openings for matches: a few varied, sensible moves that favour neither side by much."""

from __future__ import annotations

import math
import random
from typing import Final

import numpy as np

from punct.contract import Start, read_start
from punct.engine.greedy import greedy_moves, nearest_distance
from punct.geometry import SPACES, Space
from punct.piece import Colour
from punct.position import Position

MIN_PLIES, MAX_PLIES = 4, 6
_MAX_LEAD: Final = 2
"""How many dots nearer to a connection one side may be than the other after the opening."""
_TEMPERATURE: Final = 1.0
"""Of the choice between moves: the higher, the likelier one that gains less than the best."""


def _from_centre(space: Space) -> int:
    q, r = space.column - 8, space.row - 9
    return max(abs(q), abs(r), abs(q - r))


_NEAR_THE_MIDDLE: Final = np.array([_from_centre(space) <= 5 for space in SPACES])
"""By space: whether a first piece may go there."""


def opening(seed: int, start: Start = "standard w") -> list[str]:
    """Return the moves of the opening with that number; the same number always gives the same opening.

    Each player adds pieces that shorten its connection, chosen at random among the better ones; both begin near the
    middle.
    """
    rng = random.Random(f"opening {seed} {start if isinstance(start, str) else read_start(start)}")
    while True:
        position = Position(start)
        moves = [_add(position, rng) for _ in range(rng.randint(MIN_PLIES, MAX_PLIES))]
        if None in moves:
            continue
        if abs(nearest_distance(position, Colour.WHITE) - nearest_distance(position, Colour.BLACK)) <= _MAX_LEAD:
            return [str(move) for move in moves]


def _add(position: Position, rng: random.Random) -> str | None:
    """Play one move of an opening; None if there is nothing to add."""
    if position.outcome() is not None:
        return None
    options = greedy_moves(position, adds_only=True)
    if not len(options.numbers):
        return None
    near = options.distances <= options.distances.min() + 3
    if position.on_board(position.turn) == 0:
        near &= _NEAR_THE_MIDDLE[options.spaces]
    candidates = np.flatnonzero(near)
    best = int(options.distances[candidates].min())
    weights = [math.exp((best - int(options.distances[i])) / _TEMPERATURE) for i in candidates]
    return str(position.push(options.move(int(rng.choices(candidates.tolist(), weights)[0]))))
