"""The eight levels: how far each looks ahead, and how the weaker ones go wrong.

A weak level errs as people do. It gets on with its own chain and forgets to look what the opponent is up to; now and
then it does not see that it could win at once; it prefers pieces that touch its own; of several good turns it does not
always find the best. It never plays a turn without a plan. Every chance is drawn from the seed and the position, so the
same level with the same seed answers the same position alike, and nodes rather than seconds limit the levels below the
last, so that they are as strong on a slow machine. A second at most is a cap that only a very slow one needs.

Numbers and choice are the kernel's (``kernel/search/levels.cpp``): a level plays alike on a server and in a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from punct import _kernel
from punct.engine.errors import EngineError
from punct.engine.limits import Limits
from punct.engine.variations import Variation
from punct.move import Move

if TYPE_CHECKING:
    from punct.position import Position


@dataclass(frozen=True, slots=True)
class Level:
    """A strength. The chances are per turn, from 0 to 1."""

    number: int
    words: str
    limits: Limits
    candidates: int = 1
    """How many turns it weighs against each other."""
    looseness: float = 0.0
    """How much winning chance it gives away without noticing: the temperature of its choice between candidates."""
    own_plan: float = 0.0
    """Chance that it simply builds its own chain."""
    sloppiness: float = 0.4
    """How little it cares, when it builds, by how much a turn brings its sides nearer; an empty space to fill is 1."""
    misses_threat: float = 0.0
    """Chance, when it builds, that it does not look at what the opponent then can do."""
    misses_win: float = 0.0
    """Chance that it does not see a win on the board."""

    @property
    def errs(self) -> bool:
        """Whether it ever plays anything but the best it found."""
        return self.candidates > 1


LEVELS: Final = tuple(
    Level(number, words, Limits(seconds, nodes or None), candidates, *chances)
    for number, words, nodes, seconds, candidates, *chances in _kernel.levels()
)
STRONGEST: Final = LEVELS[-1].number


def level_of(number: int) -> Level:
    """Return the level of that number; raises EngineError if there is none."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= STRONGEST:
        raise EngineError(f"there is no level {number!r}: levels go from 1 to {STRONGEST}")
    return LEVELS[number - 1]


def choose(level: Level, seed: int, position: Position, variations: Sequence[Variation]) -> Variation:
    """Return what a player of this level plays of what was looked at, the best first; it may be none of that."""
    options = [(str(variation.move), variation.score, variation.proven) for variation in variations]
    move = Move.parse(_kernel.choose_as(level.number, seed, str(position), options))
    known = next((variation for variation in variations if variation.move is move), None)
    return known or Variation(move, variations[0].score, 0, 0, (move,))
