"""Where puzzles are looked for: games of the engine's own, each made from a seed and its number, and imported ones.

Games of its own are played in four manners, so that everything is found in some of them. In most, two levels play
loosely: now and then a turn is taken that is merely worth a look, and something is overlooked. In others pieces jump
and bridge just so, for wins by bridges and by what lies beneath. In the third manner players add pieces carelessly
near the end, for the count of the centre. These two take no time, and come by the dozen. The rest are careful games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from punct import records
from punct.engine import Engine, Limits
from punct.game import Game
from punct.kernel import Position
from punct.match.openings import opening
from punct.move import Move
from punct.outcome import Rules
from punct.puzzles.puzzle import PuzzleError

_LONGEST: Final = 110
"""Turns after which a game is left: by then it goes round in circles."""
_HASH_MB: Final = 16
_BASIC_EVERY: Final = 7
_NODES: Final = (30, 60, 120, 250)
_LEVELS: Final = (3, 4, 5, 6, 7)
_CANDIDATES: Final = 16
_LOOSE: Final = 0.12
"""How often a loose player takes any turn that is worth a look, instead of a good one."""
_STACKED: Final = 0.35
"""How often a player of a stacked game jumps or bridges just so."""
_CARELESS: Final = 0.5
"""How often pieces are added just so, near the end of a careless game."""
_NEAR_THE_END: Final = 13
"""Pieces on the board."""
_QUICKLY: Final = 20
"""Nodes for a turn, where only the end matters."""
_STRONG: Final = 8


class PlayedGame(NamedTuple):
    """A game to be searched: where it began, its turns, and after how many of them the search begins."""

    start: str
    moves: tuple[str, ...]
    first: int = 0

    def positions(self) -> Iterator[Position]:
        """Yield the positions to be searched, each an object of its own."""
        position = Position(self.start)
        for ply, move in enumerate(self.moves):
            if ply >= self.first:
                yield Position(position)
            position.push(move)


def own_games(seed: int, number: int) -> Iterator[PlayedGame]:
    """Play the games with this number, the same ever after: one, or a dozen that take no longer."""
    manner, games = _MANNERS[number % len(_MANNERS)]
    for game in range(games):
        dice = random.Random(f"puzzles {seed} {number} {game}")
        start = f"{Rules.BASIC if dice.randrange(_BASIC_EVERY) == 0 else Rules.STANDARD} w"
        position = Position(start)
        for turn in opening(dice.getrandbits(32), start):
            position.push(turn)
        yield manner(position, start, dice)


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


# ---------------------------------------------------------------------- the manners

Manner = Callable[[Position, str, random.Random], PlayedGame]


def _loose(position: Position, start: str, dice: random.Random) -> PlayedGame:
    levels, nodes = dice.choices(_LEVELS, k=2), dice.choice(_NODES)

    def choose() -> Move:
        if dice.random() < _LOOSE:
            return dice.choice(position.score_moves(_CANDIDATES))[0]
        return _best(position, levels[position.turn], nodes, dice)

    return _finished(position, start, choose)


def _careful(position: Position, start: str, dice: random.Random) -> PlayedGame:
    nodes = dice.choice(_NODES)
    return _finished(position, start, lambda: _best(position, _STRONG, nodes, dice))


def _stacked(position: Position, start: str, dice: random.Random) -> PlayedGame:
    def choose() -> Move:
        if dice.random() < _STACKED:
            [move] = position.copy().play_random(dice.getrandbits(32), 1, raised=70, bridge=70, moved=20)
            return move
        return _best(position, _STRONG, _QUICKLY, dice)

    return _finished(position, start, choose)


def _careless(position: Position, start: str, dice: random.Random) -> PlayedGame:
    def choose() -> Move:
        if position.on_board(position.turn) >= _NEAR_THE_END and dice.random() < _CARELESS:
            adds = [move for move in position.legal_moves if move.kind is not None]
            safe = next(
                (move for move in dice.sample(adds, min(_CANDIDATES, len(adds))) if not _loses(position, move)), None
            )
            if safe is not None:
                return safe
        return _best(position, _STRONG, _QUICKLY, dice)

    game = _finished(position, start, choose)
    return game._replace(first=2 * _NEAR_THE_END if start.startswith(str(Rules.STANDARD)) else len(game.moves))


_MANNERS: Final[tuple[tuple[Manner, int], ...]] = (
    (_loose, 1),
    (_stacked, 4),
    (_loose, 1),
    (_careful, 1),
    (_loose, 1),
    (_careless, 12),
)
"""How games are played, in turn, and how many for one number."""


def _finished(position: Position, start: str, choose: Callable[[], Move]) -> PlayedGame:
    while position.outcome() is None and len(position.moves) < _LONGEST:
        position.push(choose())
    return PlayedGame(start, tuple(map(str, position.moves)))


def _best(position: Position, level: int, nodes: int, dice: random.Random) -> Move:
    engine = _engine(level)
    engine.seed = dice.getrandbits(32)
    return engine.play(position, Limits(nodes=nodes)).move


def _loses(position: Position, move: Move) -> bool:
    """Tell whether the opponent joins two sides after this turn."""
    position.push(move)
    lost = bool(position.winning_moves())
    position.pop()
    return lost


@cache
def _engine(level: int) -> Engine:
    return Engine(level, hash_mb=_HASH_MB)
