"""The opening moves of games, with positions and moves that are each other's images under a symmetry made one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from punct import _kernel
from punct.errors import WrongTypeError, shorten
from punct.kernel.arguments import whole_number
from punct.kernel.arrays import MAX_PLIES
from punct.kernel.packed import UNPACKED
from punct.kernel.position import Position
from punct.move import Move
from punct.symmetry import SYMMETRIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CanonicalKey(NamedTuple):
    """A key that a position shares with its twelve images."""

    key: int
    """A 64-bit number, the same on every machine and in every version: almost never that of another position."""
    symmetry: int
    """One that leads to the image in which moves are given."""

    def move_in(self, position: Position, number: int) -> Move | None:
        """Return the move of the position whose canonical image is this packed move; None if it is not legal there."""
        back = SYMMETRIES[self.symmetry].inverse.number
        move = _kernel.transformed_move(number, back) if _kernel.move_text(number) is not None else None
        return None if move is None or not position.track.is_legal(move) else UNPACKED[move]


class OpeningMoves(NamedTuple):
    """The first moves of games, one after the other."""

    keys: NDArray[np.int64]
    """By move: the canonical key of the position it was played in."""
    moves: NDArray[np.int32]
    """By move: the packed move in the canonical image."""
    counts: NDArray[np.int32]
    """By game: how many of the moves are its own; -1 if its moves cannot be played."""


def canonical_key(position: Position) -> CanonicalKey:
    """Return the key that a position shares with its images."""
    return CanonicalKey(*_kernel.canonical_key(position.track))


def opening_moves(games: Sequence[tuple[str, str]], max_plies: int) -> OpeningMoves:
    """Return the first moves of games, each given by its start and its moves with blanks between.

    A position that recurs in a game counts once. Moves after the first ``max_plies`` are ignored.

    >>> opening = opening_moves([("standard w", "Ed5ne"), ("standard w", "En13sw"), ("standard w", "Ed5n")], 1)
    >>> first, mirrored, other = opening.moves.tolist()
    >>> first == mirrored, first == other
    (True, False)
    """
    for game in games:
        if not (isinstance(game, tuple) and len(game) == 2 and all(isinstance(part, str) for part in game)):
            raise WrongTypeError(f"games are pairs of texts, a start and its moves, not {shorten(game)}")
    return OpeningMoves(*_kernel.opening_moves(list(games), whole_number("max_plies", max_plies, 0, MAX_PLIES)))
