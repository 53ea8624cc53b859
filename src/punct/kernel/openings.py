"""How games begin, told so that what is alike on a turned or mirrored board is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from punct import _kernel
from punct.kernel.packed import UNPACKED
from punct.kernel.position import Position
from punct.move import Move
from punct.symmetry import SYMMETRIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Likeness(NamedTuple):
    """What a position has in common with its twelve images."""

    key: int
    """A 64-bit number, the same on every machine and in every version: almost never that of another position."""
    symmetry: int
    """One that leads to the image that moves are told in."""

    def own(self, position: Position, number: int) -> Move | None:
        """Return the move that is told so, as it is played in the position itself; None if it cannot be."""
        back = SYMMETRIES[self.symmetry].inverse.number
        found = _kernel.transformed_move(number, back) if _kernel.move_text(number) is not None else None
        return None if found is None or not position.track.is_legal(found) else UNPACKED[found]


class Steps(NamedTuple):
    """The first moves of games, one after the other."""

    keys: NDArray[np.int64]
    """By step: the likeness of the position it was played in."""
    moves: NDArray[np.int32]
    """By step: the packed move as it is told."""
    counts: NDArray[np.int32]
    """By game: how many steps are its own; -1 if its moves cannot be played."""


def likeness(position: Position) -> Likeness:
    """Return what a position has in common with its images."""
    return Likeness(*_kernel.likeness(position.track))


def steps(games: Sequence[tuple[str, str]], most: int) -> Steps:
    """Return the first moves of games, each given by its start and its moves with blanks between.

    A position that comes again in a game is one step. What follows after ``most`` moves is not looked at.

    >>> alike = steps([("standard w", "Ed5ne"), ("standard w", "En13sw"), ("standard w", "Ed5n")], 1)
    >>> first, mirrored, other = alike.moves.tolist()
    >>> first == mirrored, first == other
    (True, False)
    """
    return Steps(*_kernel.openings(list(games), most))
