"""The two games, and the ways they can end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from punct.piece import Colour


class Rules(Enum):
    """Which game is played. The standard game closes the central hexagon to new pieces (G) and counts it (H)."""

    BASIC = "basic"
    STANDARD = "standard"

    def __str__(self) -> str:
        return self.value


class Ending(Enum):
    """Why a game is over. The first four follow from a position; the others are decided in a game."""

    CONNECTION = "connection"
    CENTRE_COUNT = "centre count"
    LAST_PIECE = "last piece placed"
    NO_TURN = "no legal turn"
    REPETITION = "threefold repetition"
    RESIGNATION = "resignation"
    AGREEMENT = "agreed draw"
    TIME = "time"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: ``winner`` is None for a draw."""

    winner: Colour | None
    reason: Ending

    def result(self) -> str:
        """Return ``1-0``, ``0-1`` or ``1/2-1/2``."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Colour.WHITE else "0-1"

    def __str__(self) -> str:
        who = "Draw" if self.winner is None else f"{self.winner} wins"
        return f"{who} ({self.reason})"
