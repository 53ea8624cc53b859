"""Openings for matches: a few varied, sensible turns, none of them favouring a side by much."""

from __future__ import annotations

import math
import random
from typing import Final

import numpy as np

from punct.contract import Start, read_start
from punct.engine.sight import plans, to_go
from punct.geometry import SPACES, Space
from punct.piece import Colour
from punct.position import Position

SHORTEST, LONGEST = 4, 6
_EVEN: Final = 2
"""How much nearer to a connection one side may be than the other after the opening: two dots."""
_VARIETY: Final = 1.0
"""How readily a turn is taken that gains less than the best one."""


def _from_centre(space: Space) -> int:
    q, r = space.column - 8, space.row - 9
    return max(abs(q), abs(r), abs(q - r))


_NEAR_THE_MIDDLE: Final = np.array([_from_centre(space) <= 5 for space in SPACES])
"""By space: where a first piece may go."""


def opening(seed: int, start: Start = "standard w") -> list[str]:
    """Return the turns of the opening with that number, the same ever after.

    Each player adds pieces that bring its sides nearer, chosen loosely; both begin nearer the middle than the edge.
    """
    dice = random.Random(f"opening {seed} {start if isinstance(start, str) else read_start(start)}")
    while True:
        position = Position(start)
        turns = [_add(position, dice) for _ in range(dice.randint(SHORTEST, LONGEST))]
        if None in turns:
            continue
        if abs(to_go(position, Colour.WHITE) - to_go(position, Colour.BLACK)) <= _EVEN:
            return [str(turn) for turn in turns]


def _add(position: Position, dice: random.Random) -> str | None:
    """Play one turn of an opening; None where there is nothing to add."""
    if position.outcome() is not None:
        return None
    found = plans(position, adds_only=True)
    if not len(found.numbers):
        return None
    near = found.to_go <= found.to_go.min() + 3
    if position.on_board(position.turn) == 0:
        near &= _NEAR_THE_MIDDLE[found.spaces]
    choice = np.flatnonzero(near)
    best = int(found.to_go[choice].min())
    weights = [math.exp((best - int(found.to_go[i])) / _VARIETY) for i in choice]
    return str(position.push(found.move(int(dice.choices(choice.tolist(), weights)[0]))))
