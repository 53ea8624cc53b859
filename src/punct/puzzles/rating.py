"""The rating of a puzzle, from which levels and node counts solve it.

Every solver plays the puzzle's main line: it gets the position, and after each of its moves that is as good as the main
line's, the main line's next position. It has solved the puzzle if none of its moves was worse. The weak levels, which
choose between moves at random, try several times. Each solver has a rating; the puzzle's rating is the one at which
these results are expected on Elo's scale, with a draw against a solver of medium strength added, so that it is always
finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from punct.analysis import Prover, Undecided
from punct.engine import Engine, Limits
from punct.engine.weights import default_weights
from punct.kernel import Position
from punct.move import Move
from punct.puzzles.puzzle import STRONGEST, WEAKEST, Puzzle

_HASH_MB: Final = 16
_STEP: Final = 10
"""Ratings are multiples of this."""
_PROOF_BUDGET: Final = 2_000_000


class Solver(NamedTuple):
    """A level, or full strength with a number of nodes; how often it tries, and its rating."""

    level: int
    nodes: int | None
    tries: int
    rating: int


SOLVERS: Final = (
    Solver(1, None, 4, 800),
    Solver(2, None, 4, 1000),
    Solver(3, None, 4, 1150),
    Solver(4, None, 4, 1350),
    Solver(5, None, 2, 1600),
    Solver(6, None, 1, 1850),
    Solver(7, None, 1, 2050),
    Solver(8, 1, 1, 1200),
    Solver(8, 10, 1, 1450),
    Solver(8, 100, 1, 1750),
    Solver(8, 1_000, 1, 2100),
    Solver(8, 10_000, 1, 2450),
)


def rate(puzzle: Puzzle, prover: Prover | None = None) -> int:
    """Return a puzzle's rating, from 600 to 2600."""
    stages = _stages(puzzle, prover or Prover())
    results = []
    for solver in SOLVERS:
        solved = sum(_solves(solver, seed, stages) for seed in range(solver.tries)) / solver.tries
        results.append((solver.rating, solved))
    return rating_from(results)


def rating_from(results: Sequence[tuple[int, float]]) -> int:
    """Return the rating of a puzzle of which solvers with these ratings solve these shares, as a multiple of 10.

    >>> rating_from([(1200, 0.0), (1600, 0.5), (2000, 1.0)])
    1600
    """
    low, high = float(WEAKEST), float(STRONGEST)
    solved = 0.5 + sum(share for _, share in results)
    middle = (WEAKEST + STRONGEST) / 2
    while high - low > 1:
        guess = (low + high) / 2
        expected = _chance(middle, guess) + sum(_chance(rating, guess) for rating, _ in results)
        low, high = (guess, high) if expected > solved else (low, guess)
    return round((low + high) / 2 / _STEP) * _STEP


def _chance(solver: float, puzzle: float) -> float:
    return 1 / (1 + 10 ** ((puzzle - solver) / 400))


class _Stage(NamedTuple):
    """A position of the main line with the solver to move, and all its best moves."""

    position: str
    good: frozenset[Move]


def _stages(puzzle: Puzzle, prover: Prover) -> list[_Stage]:
    stages = [_Stage(puzzle.position, frozenset(puzzle.firsts))]
    board = Position(puzzle.position)
    for ply, move in enumerate(puzzle.solution):
        if ply and ply % 2 == 0:
            moves_left = puzzle.turns - ply // 2
            try:
                good = frozenset(prover.wins_in(board, moves_left, budget=_PROOF_BUDGET))
            except Undecided:
                good = frozenset()
            stages.append(_Stage(str(board), good | {move}))
        board.push(move)
    return stages


def _solves(solver: Solver, seed: int, stages: Sequence[_Stage]) -> bool:
    engine = _engine(solver.level)
    engine.seed = seed
    limits = Limits(nodes=solver.nodes)
    return all(engine.play(stage.position, limits).move in stage.good for stage in stages)


@cache
def _engine(level: int) -> Engine:
    # By the linear weights: a rating means the same whatever network the engine has.
    return Engine(level, hash_mb=_HASH_MB, weights=default_weights())
