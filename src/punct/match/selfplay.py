"""Games of one level against itself, for a book of openings: sensible, varied, and reproducible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.engine import Engine, Limits
from punct.game import Game
from punct.outcome import Rules

_HASH_MB: Final = 16
_BASIC_EVERY: Final = 4
"""One game in this many is by the basic rules: most people play the standard game."""


class SelfPlayGame(NamedTuple):
    """A game of a level against itself."""

    start: str
    moves: tuple[str, ...]
    result: str


def self_play(games: int, level: int, nodes: int, seed: int = 0) -> Iterator[SelfPlayGame]:
    """Play games, each with its own seed, by which the level chooses between good moves.

    Raises EngineError for an invalid level or number of nodes.
    """
    engine = Engine(level, hash_mb=_HASH_MB)
    limits = Limits(nodes=nodes)
    for number in range(games):
        engine.seed = seed + number
        rules = Rules.BASIC if number % _BASIC_EVERY == _BASIC_EVERY - 1 else Rules.STANDARD
        game = Game(rules)
        while game.outcome() is None:
            game.push(engine.play(game, limits).move)
        yield SelfPlayGame(f"{rules} w", tuple(map(str, game.moves)), game.result())
