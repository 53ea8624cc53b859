"""A puzzle: a position, the solver's goal, and every first move that reaches it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from punct.contract import Start
from punct.errors import PunctError, expect, expect_integer
from punct.kernel.position import as_kernel
from punct.move import Move

WEAKEST, STRONGEST = 600, 2600
"""The bounds of a puzzle's rating before people have tried it; see ``punct.puzzles.rating``."""
MAX_TURNS: Final = 4
"""The most moves of a puzzle's solver."""
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""The characters of a puzzle's name, without those that look alike."""
_NAME_LENGTH: Final = 6


class PuzzleError(PunctError):
    """A puzzle or a file of them that cannot be used; the message says what is wrong."""


class Goal(StrEnum):
    """The solver's goal."""

    WIN = "win"
    """Win within a number of moves, whatever the opponent replies."""
    HOLD = "hold"
    """Find a move that does not lose at once."""


class Theme(StrEnum):
    """What a puzzle is about, derived from its solution; see ``punct.puzzles.themes``."""

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
    """Derived from the position and the goal; the same for every symmetric image of the position."""
    position: str
    goal: Goal
    turns: int
    """The number of the solver's moves: 1 to 4; 1 if the goal is to hold."""
    solution: tuple[Move, ...]
    """The main line: the solver's moves and the longest resistance, up to the move that wins or holds."""
    also: tuple[Move, ...]
    """Other first moves that are as good."""
    themes: tuple[Theme, ...]
    rating: int
    """How hard it is, by which levels and node counts solve it: 600 to 2600, in steps of 10."""

    def __post_init__(self) -> None:
        expect(self.id, str, "the id of a puzzle is a text")
        expect(self.position, str, "the position of a puzzle is a text")
        expect(self.goal, Goal, "the goal of a puzzle is Goal.WIN or Goal.HOLD")
        expect_integer(self.turns, "the turns of a puzzle are a whole number")
        expect_integer(self.rating, "the rating of a puzzle is a whole number")
        for name, kind in (("solution", Move), ("also", Move), ("themes", Theme)):
            for value in expect(getattr(self, name), tuple, f"{name} of a puzzle is a tuple of {kind.__name__}"):
                expect(value, kind, f"{name} of a puzzle is a tuple of {kind.__name__}")
        if not self.solution:
            raise PuzzleError("the solution of a puzzle has at least one move")

    @property
    def firsts(self) -> tuple[Move, ...]:
        """Every first move that solves it."""
        return self.solution[0], *self.also


def checked_puzzles(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Return the puzzles as a list; raises WrongTypeError for anything else."""
    several = "puzzles are several of Puzzle, such as load_puzzles returns"
    return [expect(puzzle, Puzzle, several) for puzzle in expect(puzzles, Iterable, several)]


def name_of(position: Start, goal: Goal) -> str:
    """Return the name of a puzzle, the same for each of the twelve images of its position.

    >>> name_of("standard b wLb9ne", Goal.WIN) == name_of("standard b wRp16nw", Goal.WIN)
    True
    """
    expect(goal, Goal, "the goal of a puzzle is Goal.WIN or Goal.HOLD")
    canonical = as_kernel(position).canonical().position
    number = int.from_bytes(blake2b(f"{canonical} {goal}".encode(), digest_size=8).digest(), "big")
    return "".join(_LETTERS[number >> 5 * place & 31] for place in reversed(range(_NAME_LENGTH)))
