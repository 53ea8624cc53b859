"""Counting every way to play on for some moves: the figure by which two rule implementations are compared."""

from __future__ import annotations

from punct.contract import PositionLike, Start
from punct.errors import PunctError
from punct.move import Move
from punct.position import as_position


def perft(position: Start, depth: int) -> int:
    """Return how many sequences of exactly ``depth`` legal moves there are; a finished game has none but the empty one.

    >>> perft("basic w", 1)
    4986
    """
    if not _is_depth(depth, 0):
        raise PunctError(f"a depth counts moves: 0 or more, not {depth!r}")
    return _count(as_position(position), depth)


def divide(position: Start, depth: int) -> dict[Move, int]:
    """Return, by each legal move, how many sequences of ``depth`` moves begin with it: finds where two counts part."""
    if not _is_depth(depth, 1):
        raise PunctError(f"a count can be divided from depth 1 on, not {depth!r}")
    return _divide(as_position(position), depth)


def _is_depth(depth: object, minimum: int) -> bool:
    return isinstance(depth, int) and not isinstance(depth, bool) and depth >= minimum


def _count(position: PositionLike, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(_divide(position, depth).values())


def _divide(position: PositionLike, depth: int) -> dict[Move, int]:
    counts = {}
    position = position.copy()  # also of one that may not be played on
    for move in list(position.legal_moves):
        position.push(move)
        counts[move] = _count(position, depth - 1)
        position.pop()
    return counts
