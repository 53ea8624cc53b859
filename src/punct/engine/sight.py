"""What a beginner sees: how far each side still is from joining two sides, and which moves bring it nearer.

A plain look at the board without any search. Weak levels follow it when they forget the opponent, and openings for
matches are drawn from it, so that they look like games.

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


class Plans(NamedTuple):
    """Moves of the side to move, with how far it would be from joining two sides after each."""

    numbers: npt.NDArray[np.int64]
    """The moves, packed as the kernel does."""
    to_go: npt.NDArray[np.int64]
    touching: npt.NDArray[np.bool_]
    """Whether the piece would lie next to, or on, what the player already shows."""

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


def plans(position: Position, *, adds_only: bool = False) -> Plans:
    """Return every legal move with the distance it leaves its player, as if the opponent did not exist."""
    numbers, to_go, touching = _kernel.plans(kernel.Position(str(position)).track, adds_only)
    return Plans(
        np.array(numbers, dtype=np.int64), np.array(to_go, dtype=np.int64), np.array(touching, dtype=np.bool_)
    )  # fmt: skip


def to_go(position: Position, colour: Colour) -> int:
    """Return how far a player is from joining two opposite sides; 0 when they are joined."""
    return _kernel.to_go(kernel.Position(str(position)).track, colour)
