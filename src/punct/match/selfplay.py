"""Games of one level against itself, for a book of openings: sensible, varied, the same ever after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.engine import Engine, Limits
from punct.game import Game
from punct.outcome import Rules

_HASH_MB: Final = 16
_BASIC_EVERY: Final = 4
"""Of so many games one is by the basic rules: most people play the others."""


class OwnGame(NamedTuple):
    """A game of a level against itself."""

    start: str
    moves: tuple[str, ...]
    result: str


def self_play(games: int, level: int, nodes: int, seed: int = 0) -> Iterator[OwnGame]:
    """Play so many games, each with a seed of its own: the level chooses between good moves, so no two need be alike.

    Raises EngineError for a level or a number of nodes that there is not.
    """
    engine = Engine(level, hash_mb=_HASH_MB)
    limits = Limits(nodes=nodes)
    for number in range(games):
        engine.seed = seed + number
        rules = Rules.BASIC if number % _BASIC_EVERY == _BASIC_EVERY - 1 else Rules.STANDARD
        game = Game(rules)
        while game.outcome() is None:
            game.push(engine.play(game, limits).move)
        yield OwnGame(f"{rules} w", tuple(map(str, game.moves)), game.result())
