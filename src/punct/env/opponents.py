"""Opponents of an agent: a level, random play, or any function that chooses a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol, TypeAlias

from punct.engine import Engine
from punct.engine.core import MAX_SEED, Task
from punct.env.episode import Episode
from punct.errors import PunctError
from punct.kernel.batch import EpisodeResult
from punct.kernel.position import Position
from punct.move import MoveLike

OpponentLike: TypeAlias = int | Literal["random", "self"] | Callable[[Position], MoveLike]
"""What may be named as an opponent: a level from 1 to 8, ``random``, ``self``, or a function."""

SEEDS: Final = MAX_SEED
"""Opponents are seeded with numbers up to this one."""
_HASH_MB: Final = 32
"""Levels search few nodes, and programs make dozens of environments."""


class Opponent(Protocol):
    """Chooses actions."""

    def begin(self, seed: int) -> None:
        """Get ready for a new game with this seed."""

    def choose(self, episode: Episode) -> int:
        """Return a legal action of the side to move."""


class RandomOpponent:
    """Plays random legal moves."""

    def begin(self, seed: int) -> None:
        """Do nothing: the episode has its own seed."""

    def choose(self, episode: Episode) -> int:
        """Sample an action."""
        return episode.sample()


class LevelOpponent:
    """The engine at one of its levels."""

    def __init__(self, level: int) -> None:
        self._engine = Engine(level, hash_mb=_HASH_MB)

    def begin(self, seed: int) -> None:
        """Seed the level."""
        self._engine.seed = seed

    def choose(self, episode: Episode) -> int:
        """Search; the moves so far count for repetition."""
        position = episode.position
        task = Task(position.twin, episode.start_text, [str(move) for move in position.moves])
        return episode.action(self._engine.play(task).move)


class FunctionOpponent:
    """A function from a position to a move."""

    def __init__(self, function: Callable[[Position], MoveLike]) -> None:
        self._function = function

    def begin(self, seed: int) -> None:
        """Do nothing: a function has its own random state."""

    def choose(self, episode: Episode) -> int:
        """Call it; raises IllegalMoveError if its move is not legal."""
        return episode.action(self._function(episode.position))


def ends_first(result: EpisodeResult) -> str:
    """Say why an agent whose opponent began has nothing left to play."""
    if result is EpisodeResult.TRUNCATED:
        return "the game is cut off before the agent's first move: allow more max_plies, or begin"
    return "the opponent ends the game with its first move"


def opponent_of(opponent: OpponentLike) -> Opponent | None:
    """Return the opponent, None if the agent plays both sides; raises PunctError if there is no such opponent."""
    if opponent == "self":
        return None
    if opponent == "random":
        return RandomOpponent()
    if callable(opponent):
        return FunctionOpponent(opponent)
    if isinstance(opponent, int) and not isinstance(opponent, bool):
        return LevelOpponent(opponent)
    raise PunctError(f"an opponent is a level from 1 to 8, 'random', 'self' or a function, not {opponent!r}")
