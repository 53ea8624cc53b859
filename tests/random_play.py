"""Random games in which pieces are stacked far more often than by chance."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from punct import SPACES, Heading, Kind, Move, Position, Rules


def choose_move(position: Position, rng: random.Random, climbing: float) -> Move | None:
    """Return a random legal move; None if the game is over. ``climbing`` is how often a jump or bridge is preferred."""
    moves = list(position.legal_moves)
    if not moves:
        return None
    if rng.random() < climbing:
        upwards = [move for move in moves if _climbs(position, move)]
        if upwards:
            if rng.random() < 0.5:
                highest = max(position.height(move.space) for move in upwards)
                upwards = [move for move in upwards if position.height(move.space) == highest]
            return rng.choice(upwards)
    # Adds are many; halving keeps a fair share of moves on the board.
    adds = [move for move in moves if move.is_add]
    shifts = [move for move in moves if not move.is_add]
    pool = adds if adds and (rng.random() < 0.5 or not shifts) else shifts
    return rng.choice(pool)


def _climbs(position: Position, move: Move) -> bool:
    """Tell whether the PÜNCT lands on another piece that is at least as high as the moved one lies now."""
    if move.origin is None:
        return False
    piece, below = position.top(move.origin), position.top(move.space)
    return piece is not None and below is not None and below is not piece and below.level >= piece.level


def play_random(rules: Rules, seed: int, turns: int, climbing: float = 0.4) -> Position:
    """Return the position after so many random moves, or at the end of the game if that comes first."""
    rng = random.Random(seed)
    position = Position(f"{rules} w")
    for _ in range(turns):
        move = choose_move(position, rng, climbing)
        if move is None:
            break
        position.push(move)
    return position


positions = st.builds(
    play_random,
    rules=st.sampled_from(Rules),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 120),
    climbing=st.sampled_from((0.1, 0.5, 0.8)),
)
"""Positions of both games from the start to the end, with their moves, which can be taken back."""

spaces = st.sampled_from(SPACES)
headings = st.sampled_from(Heading)
adds = st.builds(Move.add, st.sampled_from(Kind), spaces, headings)
shifts = st.builds(Move.shift, spaces, spaces, headings)
moves = adds | shifts
"""Every move that can be written, sensible or not."""
