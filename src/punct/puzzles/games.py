"""Where puzzles are looked for: games of the engine's own, each made from a seed and its number, and imported ones.

Of every eight games of its own, three are played loosely by two levels, so that something is overlooked; two are full
of stacks, for bridges and for what lies beneath; two are careful, so that in the end the centre is counted; and one is
by the basic rules.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from punct import records
from punct.engine import Engine, Limits
from punct.game import Game
from punct.kernel import Position
from punct.match.openings import opening
from punct.outcome import Rules
from punct.puzzles.puzzle import PuzzleError

_LONGEST: Final = 110
"""Turns after which a game is left: by then it goes round in circles."""
_HASH_MB: Final = 16
_LOOSE: Final = 0.12
"""How often a loose player takes any turn that is worth a look, instead of a good one."""
_CANDIDATES: Final = 16
_STACKED: Final = 0.35
"""How often a player of a stacked game jumps or bridges just so."""
_NODES: Final = (30, 60, 120, 250)
_LEVELS: Final = (3, 4, 5, 6, 7)


class PlayedGame(NamedTuple):
    """A game to be searched: where it began, and its turns."""

    start: str
    moves: tuple[str, ...]

    def positions(self) -> Iterator[Position]:
        """Yield every position of the game that is not its end; it is the same object, played on."""
        position = Position(self.start)
        for move in self.moves:
            yield position
            position.push(move)


def own_game(seed: int, number: int) -> PlayedGame:
    """Play the game with this number, the same ever after."""
    dice = random.Random(f"puzzles {seed} {number}")
    manner = number % 8
    start = f"{Rules.BASIC if manner == 7 else Rules.STANDARD} w"
    position = Position(start)
    for turn in opening(dice.getrandbits(32), start):
        position.push(turn)
    stacked, careful = manner in (3, 4), manner in (5, 6)
    levels = (8, 8) if stacked or careful else dice.choices(_LEVELS, k=2)
    limits = Limits(nodes=dice.choice(_NODES))
    engine_seed = dice.getrandbits(32)
    while position.outcome() is None and len(position.moves) < _LONGEST:
        chance = dice.random()
        if stacked and chance < _STACKED:
            position.play_random(dice.getrandbits(32), 1, raised=70, bridge=70, moved=20)
        elif not careful and not stacked and chance < _LOOSE:
            position.push(dice.choice(position.score_moves(_CANDIDATES))[0])
        else:
            player = _engine(levels[position.turn])
            player.seed = engine_seed
            position.push(player.play(position, limits).move)
    return PlayedGame(start, tuple(map(str, position.moves)))


def imported_games(files: Iterable[Path]) -> Iterator[PlayedGame]:
    """Yield the games of some records; one that cannot be read is passed over. PuzzleError names a file that cannot."""
    for file in files:
        try:
            for game in records.iter_games(file, on_error="skip"):
                yield _played(game)
        except OSError as error:
            raise PuzzleError(f"{file} cannot be read: {error.strerror}") from None


def _played(game: Game) -> PlayedGame:
    return PlayedGame(str(game.start), tuple(map(str, game.moves)))


@cache
def _engine(level: int) -> Engine:
    return Engine(level, hash_mb=_HASH_MB)
