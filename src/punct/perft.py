"""Counting every way to play on for some turns: the figure by which two rule implementations are compared."""

from __future__ import annotations

from punct.contract import PositionLike
from punct.errors import PunctError
from punct.move import Move


def perft(position: PositionLike, depth: int) -> int:
    """Return how many sequences of exactly ``depth`` legal turns there are; a finished game has none but the empty one.

    >>> from punct import Position
    >>> perft(Position("basic w"), 1)
    4986
    """
    if depth < 0:
        raise PunctError(f"a depth counts turns: 0 or more, not {depth}")
    if depth == 0:
        return 1
    if depth == 1:
        return len(position.legal_moves)
    return sum(divide(position, depth).values())


def divide(position: PositionLike, depth: int) -> dict[Move, int]:
    """Return, by each legal turn, how many sequences of ``depth`` turns begin with it: finds where two counts part."""
    if depth < 1:
        raise PunctError(f"a count can be divided from depth 1 on, not {depth}")
    counts = {}
    position = position.copy()  # also of one that may not be played on
    for move in list(position.legal_moves):
        position.push(move)
        counts[move] = perft(position, depth - 1)
        position.pop()
    return counts
