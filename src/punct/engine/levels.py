"""The eight levels: how far each looks ahead, and how the weaker ones go wrong.

A weak level errs as people do. It gets on with its own chain and forgets to look what the opponent is up to; now and
then it does not see that it could win at once; it prefers pieces that touch its own; of several good turns it does not
always find the best. It never plays a turn without a plan. Every chance is drawn from the seed and the position, so the
same level with the same seed answers the same position alike, and nodes rather than seconds limit the levels below the
last, so that they are as strong on a slow machine. A second at most is a cap that only a very slow one needs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from punct.engine.errors import EngineError
from punct.engine.limits import Limits
from punct.engine.sight import plans

if TYPE_CHECKING:
    from punct.engine.variations import Variation
    from punct.move import Move
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


LEVELS: Final = (
    Level(1, "a child's first games", Limits(1.0, 16), 8, 0.20, 0.95, 1.5, misses_threat=0.85, misses_win=0.50),
    Level(2, "knows the rules", Limits(1.0, 24), 8, 0.12, 0.80, 0.9, misses_threat=0.55, misses_win=0.25),
    Level(3, "plays now and then", Limits(1.0, 40), 6, 0.08, 0.60, 0.5, misses_threat=0.35, misses_win=0.08),
    Level(4, "plays every week", Limits(1.0, 64), 5, 0.06, 0.33, 0.4, misses_threat=0.16),
    Level(5, "sees what is coming", Limits(1.0, 120), 3, 0.02),
    Level(6, "plans ahead", Limits(1.0, 350)),
    Level(7, "hard to beat", Limits(1.0, 1000)),
    Level(8, "everything it has", Limits(1.0)),
)
_SHORTLIST: Final = 400
STRONGEST: Final = LEVELS[-1].number


def level_of(number: int) -> Level:
    """Return the level of that number; raises EngineError if there is none."""
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= STRONGEST:
        raise EngineError(f"there is no level {number!r}: levels go from 1 to {STRONGEST}")
    return LEVELS[number - 1]


def dice_for(seed: int, position: str) -> random.Random:
    """Return the dice for one turn: the same for the same seed and position, whatever was played before."""
    return random.Random(f"{seed} {position}")


def choose(variations: Sequence[Variation], looseness: float, dice: random.Random) -> Variation:
    """Return one of the variations: the better its chances, the likelier; a looseness of 0 takes the first."""
    if looseness <= 0.0 or len(variations) == 1:
        return variations[0]
    best = max(variation.score for variation in variations)
    weights = [math.exp((variation.score - best) / looseness) for variation in variations]
    return dice.choices(variations, weights)[0]


def own_plan(
    position: Position, dice: random.Random, sloppiness: float = 0.4, *, overlook_wins: bool = False
) -> Move | None:
    """Return a turn that gets on with one's own chain and looks at nothing else; None if there is none to be had.

    Chosen among the turns that bring the two sides nearest to each other, with a liking for pieces that touch one's own
    and for adding rather than moving: building is what one thinks of first.
    """
    found = plans(position)
    appeal = -found.to_go.astype(np.float64)
    appeal += np.where(found.touching, 0.35, 0.0)
    appeal += np.where(found.adding, 0.45, 0.0)
    order = np.argsort(-appeal, kind="stable")[:_SHORTLIST]
    shortlist = [int(i) for i in order if not (overlook_wins and found.to_go[i] == 0)]
    if not shortlist:
        return None
    weights = [math.exp((appeal[i] - appeal[shortlist[0]]) / sloppiness) for i in shortlist]
    return found.move(dice.choices(shortlist, weights)[0])
