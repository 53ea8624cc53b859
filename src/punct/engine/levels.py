"""The eight levels: how deep each searches, and which mistakes the weaker ones make.

A weak level makes mistakes as people do. It builds its own chain and ignores the opponent; sometimes it overlooks a win
in one; it prefers pieces that touch its own; of several good moves it does not always find the best. Every move has a
purpose. All random numbers come from the seed and the position, so the same level with the same seed plays the same
move in the same position. Nodes rather than seconds limit the levels below the last, so that they are as strong on a
slow machine; their limit of a second matters only on a very slow one.

The levels and the choice of a move are the kernel's (``kernel/search/levels.cpp``): a level plays the same on a server
and in a page.
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
    """A strength. The chances are probabilities per move."""

    number: int
    words: str
    limits: Limits
    candidates: int = 1
    """How many moves it chooses from."""
    temperature: float = 0.0
    """The temperature of that choice, in winning chance."""
    greedy_chance: float = 0.0
    """Chance that it builds its own chain without a search."""
    greedy_temperature: float = 0.4
    """The temperature of the choice of that move, in distance; an empty space to fill is 1."""
    miss_threat_chance: float = 0.0
    """Chance that it then ignores the opponent's win in reply."""
    miss_win_chance: float = 0.0
    """Chance that it overlooks a win in one."""

    @property
    def makes_mistakes(self) -> bool:
        """Whether it ever plays anything but the best move of its search."""
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


def choose_move(level: Level, seed: int, position: Position, variations: Sequence[Variation]) -> Variation:
    """Return the variation that a player of this level plays: one of these, sorted best first, or another move."""
    options = [(str(variation.move), variation.score, variation.proven) for variation in variations]
    move = Move.parse(_kernel.choose_move_as(level.number, seed, str(position), options))
    searched = next((variation for variation in variations if variation.move is move), None)
    return searched or Variation(move, variations[0].score, 0, 0, (move,))
