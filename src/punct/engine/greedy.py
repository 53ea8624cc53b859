"""A greedy one-ply view: how far each move leaves its player from joining two sides, ignoring the opponent.

There is no search. Weak levels play by it when they ignore the opponent, and openings for matches are drawn from it, so
that they look like games.

Distances are the kernel's (``kernel/core/distance.hpp``): an own showing dot costs 0, an empty space 1, an empty space
of the central hexagon 2 in the standard game, where nothing can be added there, an opponent's dot 3 to 5 by its level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from punct import _kernel, kernel
from punct.geometry import SPACES
from punct.move import Move
from punct.piece import Colour
from punct.position import Position

_ADDED = 0xFF


class GreedyMoves(NamedTuple):
    """Moves of the side to move, with its distance to joining two sides after each."""

    numbers: npt.NDArray[np.int64]
    """The moves, packed as the kernel does."""
    distances: npt.NDArray[np.int64]
    touching: npt.NDArray[np.bool_]
    """Whether the piece would lie next to, or on, the player's showing dots."""

    @property
    def spaces(self) -> npt.NDArray[np.int64]:
        """Where the PÜNCT would lie, as indices of ``punct.SPACES``."""
        return (self.numbers & 0x1FFF) % len(SPACES)

    @property
    def adding(self) -> npt.NDArray[np.bool_]:
        """Whether the piece comes from the set."""
        return np.asarray(self.numbers >> 13 & _ADDED == _ADDED)

    def move(self, index: int) -> Move:
        """Return one of the moves."""
        return kernel.Move(int(self.numbers[index])).unpacked


def greedy_moves(position: Position, *, adds_only: bool = False) -> GreedyMoves:
    """Return every legal move with the distance it leaves its player, ignoring the opponent."""
    numbers, distances, touching = _kernel.greedy_moves(kernel.Position(str(position)).track, adds_only)
    return GreedyMoves(
        np.array(numbers, dtype=np.int64), np.array(distances, dtype=np.int64), np.array(touching, dtype=np.bool_)
    )  # fmt: skip


def nearest_distance(position: Position, colour: Colour) -> int:
    """Return how far a player is from joining two opposite sides; 0 when they are joined."""
    return _kernel.nearest_distance(kernel.Position(str(position)).track, colour)
