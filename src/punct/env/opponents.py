"""Whom an agent plays against: a level, chance, or any function that chooses a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol, TypeAlias

from punct.engine import Engine
from punct.engine.core import LARGEST_SEED, Task
from punct.env.episode import Episode
from punct.errors import PunctError
from punct.kernel.batch import Standing
from punct.kernel.position import Position
from punct.move import MoveLike

OpponentLike: TypeAlias = int | Literal["random", "self"] | Callable[[Position], MoveLike]
"""What may be named as an opponent: a level from 1 to 8, ``random``, ``self``, or a function."""

SEEDS: Final = LARGEST_SEED
"""Opponents are seeded with numbers up to this one."""
_HASH_MB: Final = 32
"""Levels look at few positions, and environments are made by the dozen."""


class Opponent(Protocol):
    """Somebody who chooses actions."""

    def begin(self, seed: int) -> None:
        """Get ready for a new game, whose chances all come from this seed."""

    def choose(self, episode: Episode) -> int:
        """Return a legal action of the side to move."""


class RandomOpponent:
    """Plays any legal turn, each as likely."""

    def begin(self, seed: int) -> None:
        """Do nothing: the game draws, from its own seed."""

    def choose(self, episode: Episode) -> int:
        """Draw an action."""
        return episode.sample()


class LevelOpponent:
    """The engine at one of its levels."""

    def __init__(self, level: int) -> None:
        self._engine = Engine(level, hash_mb=_HASH_MB)

    def begin(self, seed: int) -> None:
        """Let the level's chances come from this seed."""
        self._engine.seed = seed

    def choose(self, episode: Episode) -> int:
        """Think; the turns so far count for repetition."""
        position = episode.position
        task = Task(position.twin, episode.start_text, [str(move) for move in position.moves])
        return episode.action(self._engine.play(task).move)


class FunctionOpponent:
    """A function from a position to a turn."""

    def __init__(self, function: Callable[[Position], MoveLike]) -> None:
        self._function = function

    def begin(self, seed: int) -> None:
        """Do nothing: what a function needs of chance is its own affair."""

    def choose(self, episode: Episode) -> int:
        """Ask it; raises IllegalMoveError if its turn is not legal."""
        return episode.action(self._function(episode.position))


def ends_first(standing: Standing) -> str:
    """Say why there is nothing left to play for an agent whose opponent began."""
    if standing is Standing.CUT_OFF:
        return "the game is cut off before the agent's first turn: allow more max_plies, or begin"
    return "the opponent ends the game with its first turn"


def opponent_of(opponent: OpponentLike) -> Opponent | None:
    """Return who plays the other side, None if the agent itself does; raises PunctError if that is nobody."""
    if opponent == "self":
        return None
    if opponent == "random":
        return RandomOpponent()
    if callable(opponent):
        return FunctionOpponent(opponent)
    if isinstance(opponent, int) and not isinstance(opponent, bool):
        return LevelOpponent(opponent)
    raise PunctError(f"an opponent is a level from 1 to 8, 'random', 'self' or a function, not {opponent!r}")
