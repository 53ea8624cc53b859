"""The engine in a game at the terminal: as an opponent, and for a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from punct.errors import PunctError
from punct.game import Game
from punct.move import Move
from punct.piece import Colour

if TYPE_CHECKING:
    from punct.engine import Engine

_HINT_NODES: Final = 3000
_MAX_HINT_MOVES: Final = 5


class Opponent:
    """One of the engine's levels, playing one colour. The engine is loaded when it is first needed."""

    def __init__(self, level: int, colour: Colour, seed: int) -> None:
        """Set up the opponent; raises EngineError if there is no such level."""
        from punct.engine.levels import level_of

        self.level = level_of(level)
        self.colour = colour
        self._seed = seed
        self._engine: Engine | None = None

    @property
    def name(self) -> str:
        """Its name in records."""
        return f"punct level {self.level.number}"

    def is_to_move(self, game: Game) -> bool:
        """Return whether the game waits for it."""
        return game.outcome() is None and game.position.turn is self.colour

    def choose(self, game: Game) -> Move:
        """Return its move."""
        if self._engine is None:
            from punct.engine import Engine

            self._engine = Engine(self.level.number, seed=self._seed)
        return self._engine.play(game).move


def hint(game: Game) -> str:
    """Return the engine's best move here, in a sentence."""
    from punct.engine import Engine, Limits

    outcome = game.outcome()
    if outcome is not None:
        raise PunctError(f"the game is over already: {outcome}")
    best = Engine().play(game, Limits(movetime=1.0, nodes=_HINT_NODES))
    expected = " ".join(str(move) for move in best.pv[1:_MAX_HINT_MOVES])
    return f"Try {best.move} ({best.words})" + (f", expecting {expected}." if expected else ".")
