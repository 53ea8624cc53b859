"""A position with every position before it, so that repetitions are noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from punct.move import Move
from punct.outcome import Ending, Outcome
from punct.position import Position

REPETITIONS_TO_DRAW: Final = 3
"""How often a position stands when the game is a draw (reading 4)."""


class History:
    """A board on which moves are played and taken back, counting how often each position has stood."""

    def __init__(self, start: Position, moves: Iterable[Move]) -> None:
        """Play legal moves from a start, which stays as it is."""
        self.position = start.copy()
        self._keys = [self.position.key]
        self._counts = Counter(self._keys)
        for move in moves:
            self.push(move)

    def push(self, move: Move) -> None:
        """Play a legal move."""
        self.position.push(move)
        self.count()

    def count(self) -> None:
        """Count the position after a move that was played on ``position`` itself."""
        key = self.position.key
        self._keys.append(key)
        self._counts[key] += 1

    def pop(self) -> None:
        """Take the last move back."""
        self.position.pop()
        key = self._keys.pop()
        self._counts[key] -= 1
        if not self._counts[key]:
            del self._counts[key]

    @property
    def repetitions(self) -> int:
        """How often the current position has stood."""
        return self._counts[self._keys[-1]]

    def outcome(self) -> Outcome | None:
        """Return how the moves have ended the game, or None."""
        outcome = self.position.outcome()
        if outcome is None and self.repetitions >= REPETITIONS_TO_DRAW:
            return Outcome(None, Ending.REPETITION)  # reading 4
        return outcome
