"""Games to search for puzzles: self-play games, each determined by a seed and its number, and imported ones.

Self-play has four styles, so that every kind of puzzle turns up. In most games two levels play loosely: now and then
they take a random candidate and overlook something. In others pieces jump and bridge at random, for wins by bridges and
by uncovered dots. In the third style players add pieces carelessly near the end, for the count of the centre. These
two take no time, so a job has several of them. The rest are careful games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from punct import records
from punct.engine import Engine, Limits
from punct.kernel import Position
from punct.match.openings import opening
from punct.move import Move
from punct.outcome import Rules
from punct.puzzles.puzzle import PuzzleError

_MAX_PLIES: Final = 110
"""A game of this length is left: by then moves only repeat."""
_HASH_MB: Final = 16
_BASIC_EVERY: Final = 7
_NODES: Final = (30, 60, 120, 250)
_LEVELS: Final = (3, 4, 5, 6, 7)
_CANDIDATES: Final = 16
_LOOSE_SHARE: Final = 0.12
"""The share of moves in a loose game that are random candidates."""
_STACKED_SHARE: Final = 0.35
"""The share of moves in a stacked game that are random, mostly jumps and bridges."""
_CARELESS_SHARE: Final = 0.5
"""The share of moves near the end of a careless game that add a random piece."""
_PIECES_NEAR_THE_END: Final = 13
"""Pieces a player has on the board when the end is near."""
_FEW_NODES: Final = 20
"""For a move where only the end matters."""
_FULL_STRENGTH: Final = 8


class PlayedGame(NamedTuple):
    """A game to search: its start, its moves, and after how many of them the search begins."""

    start: str
    moves: tuple[str, ...]
    first: int = 0

    def positions(self) -> Iterator[Position]:
        """Yield the positions to search, each a new object."""
        position = Position(self.start)
        for ply, move in enumerate(self.moves):
            if ply >= self.first:
                yield Position(position)
            position.push(move)


def self_play_games(seed: int, number: int) -> Iterator[PlayedGame]:
    """Play the games with this number, which always gives the same ones: one game, or several fast ones."""
    style, games = _STYLES[number % len(_STYLES)]
    for game in range(games):
        rng = random.Random(f"puzzles {seed} {number} {game}")
        start = f"{Rules.BASIC if rng.randrange(_BASIC_EVERY) == 0 else Rules.STANDARD} w"
        position = Position(start)
        for move in opening(rng.getrandbits(32), start):
            position.push(move)
        yield style(position, start, rng)


def imported_games(files: Iterable[Path]) -> Iterator[PlayedGame]:
    """Yield the games of some records; invalid games are skipped. PuzzleError names a file that cannot be read."""
    for file in files:
        try:
            for game in records.iter_games(file, on_error="skip"):
                yield PlayedGame(str(game.start), tuple(map(str, game.moves)))
        except OSError as error:
            raise PuzzleError(f"{file} cannot be read: {error.strerror}") from None


# ---------------------------------------------------------------------- styles

Style = Callable[[Position, str, random.Random], PlayedGame]


def _loose(position: Position, start: str, rng: random.Random) -> PlayedGame:
    levels, nodes = rng.choices(_LEVELS, k=2), rng.choice(_NODES)

    def choose() -> Move:
        if rng.random() < _LOOSE_SHARE:
            return rng.choice(position.score_moves(_CANDIDATES))[0]
        return _best(position, levels[position.turn], nodes, rng)

    return _play_out(position, start, choose)


def _careful(position: Position, start: str, rng: random.Random) -> PlayedGame:
    nodes = rng.choice(_NODES)
    return _play_out(position, start, lambda: _best(position, _FULL_STRENGTH, nodes, rng))


def _stacked(position: Position, start: str, rng: random.Random) -> PlayedGame:
    def choose() -> Move:
        if rng.random() < _STACKED_SHARE:
            [move] = position.copy().play_random(rng.getrandbits(32), 1, raised=70, bridge=70, moved=20)
            return move
        return _best(position, _FULL_STRENGTH, _FEW_NODES, rng)

    return _play_out(position, start, choose)


def _careless(position: Position, start: str, rng: random.Random) -> PlayedGame:
    def choose() -> Move:
        if position.on_board(position.turn) >= _PIECES_NEAR_THE_END and rng.random() < _CARELESS_SHARE:
            adds = [move for move in position.legal_moves if move.kind is not None]
            safe = next(
                (move for move in rng.sample(adds, min(_CANDIDATES, len(adds))) if not _loses(position, move)), None
            )
            if safe is not None:
                return safe
        return _best(position, _FULL_STRENGTH, _FEW_NODES, rng)

    game = _play_out(position, start, choose)
    return game._replace(first=2 * _PIECES_NEAR_THE_END if start.startswith(str(Rules.STANDARD)) else len(game.moves))


_STYLES: Final[tuple[tuple[Style, int], ...]] = (
    (_loose, 1),
    (_stacked, 4),
    (_loose, 1),
    (_careful, 1),
    (_loose, 1),
    (_careless, 12),
)
"""The styles by number, cyclically, and how many games a number has."""


def _play_out(position: Position, start: str, choose: Callable[[], Move]) -> PlayedGame:
    while position.outcome() is None and len(position.moves) < _MAX_PLIES:
        position.push(choose())
    return PlayedGame(start, tuple(map(str, position.moves)))


def _best(position: Position, level: int, nodes: int, rng: random.Random) -> Move:
    engine = _engine(level)
    engine.seed = rng.getrandbits(32)
    return engine.play(position, Limits(nodes=nodes)).move


def _loses(position: Position, move: Move) -> bool:
    """Return whether the opponent can connect two sides after this move."""
    position.push(move)
    lost = bool(position.winning_moves())
    position.pop()
    return lost


@cache
def _engine(level: int) -> Engine:
    return Engine(level, hash_mb=_HASH_MB)
