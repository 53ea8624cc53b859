"""A puzzle: a position, what its solver is to do there, and every first turn that does it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from punct.contract import Start
from punct.errors import PunctError
from punct.kernel.position import as_kernel

WEAKEST, STRONGEST = 600, 2600
"""The ratings that puzzles are given before people have tried them; see ``punct.puzzles.rating``."""
LONGEST: Final = 4
"""A puzzle is over after so many turns of its solver."""
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""What a puzzle's name is written with: none of them is taken for another."""
_NAME_LENGTH: Final = 6


class PuzzleError(PunctError):
    """A puzzle or a file of them that cannot be used; the message says what is wrong."""


class Goal(StrEnum):
    """What the solver is to do."""

    WIN = "win"
    """Win within so many turns, whatever is replied."""
    HOLD = "hold"
    """Find a turn that does not lose at once."""


class Theme(StrEnum):
    """What a puzzle is about, set by what happens in it; see ``punct.puzzles.themes``."""

    BRIDGE = "bridge"
    UNCOVER = "uncover"
    ROTATE = "rotate"
    COUNT = "count"
    JUMP = "jump"
    DOUBLE = "double"
    DEFENCE = "defence"
    CENTRE = "centre"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be solved by the side to move."""

    id: str
    """Made from the position and the goal: the same for every image of the position."""
    position: str
    goal: Goal
    turns: int
    """The solver's: 1 to 4; 1 where the goal is to hold."""
    solution: tuple[str, ...]
    """The main line: a turn, the longest resistance, a turn, and so on to the one that wins, or the one that holds."""
    also: tuple[str, ...]
    """Other first turns that do as well."""
    themes: tuple[Theme, ...]
    rating: int
    """How hard it is, by which levels and node counts solve it: 600 to 2600, in steps of 10."""

    @property
    def firsts(self) -> tuple[str, ...]:
        """Every first turn that solves it."""
        return self.solution[0], *self.also


def name_of(position: Start, goal: Goal) -> str:
    """Return what a puzzle is called, the same for each of the twelve images of its position.

    >>> name_of("standard b wLb9ne", Goal.WIN) == name_of("standard b wRp16nw", Goal.WIN)
    True
    """
    canonical = as_kernel(position).canonical().position
    number = int.from_bytes(blake2b(f"{canonical} {goal}".encode(), digest_size=8).digest(), "big")
    return "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(_NAME_LENGTH)))
