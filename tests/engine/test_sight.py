"""What a beginner sees must be true: the turns it lists, the distances, the wins."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from punct import Colour, Position, kernel
from punct.engine.sight import plans, to_go
from punct.match.openings import opening

_SEEDS = st.integers(0, 2**32 - 1)


def random_position(seed: int, turns: int, rules: str = "standard") -> Position:
    position = kernel.Position(f"{rules} w")
    position.play_random(seed, turns, raised=25, bridge=30, moved=15)
    return Position(str(position))


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 40), st.sampled_from(["standard", "basic"]))
def test_plans_are_the_legal_turns(seed: int, turns: int, rules: str) -> None:
    position = random_position(seed, turns, rules)
    if position.outcome() is None:
        found = plans(position)
        assert len(found.moves) == len(found.to_go) == len(found.touching)
        assert set(found.moves) == set(position.legal_moves)
        assert len(set(found.moves)) == len(found.moves)


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 40))
def test_a_plan_without_anything_to_go_is_a_win(seed: int, turns: int) -> None:
    position = random_position(seed, turns)
    if position.outcome() is None:
        found = plans(position)
        winning = {found.moves[i] for i in np.flatnonzero(found.to_go == 0)}
        assert winning == set(kernel.Position(str(position)).winning_moves())


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 30), _SEEDS)
def test_a_plan_never_promises_too_much(seed: int, turns: int, pick: int) -> None:
    """After an add, the distance is what was promised: nothing else on the board has changed."""
    position = random_position(seed, turns)
    if position.outcome() is None:
        colour = position.turn
        found = plans(position, adds_only=True)
        index = pick % len(found.moves)
        position.push(found.moves[index])
        assert to_go(position, colour) == found.to_go[index]


def test_distance_of_the_empty_board_and_of_a_chain() -> None:
    # From side to side is 17 spaces at 2 each; the cheapest way goes round the centre, where they cost 3.
    assert to_go(Position(), Colour.WHITE) == 34
    position = Position("basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n")
    assert position.outcome() is not None
    assert to_go(position, Colour.WHITE) == 0
    assert to_go(position, Colour.BLACK) > 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["standard w", "basic w"]))
def test_openings_are_legal_short_and_even(seed: int, start: str) -> None:
    turns = opening(seed, start)
    assert 4 <= len(turns) <= 6
    position = Position(start)
    for turn in turns:
        position.push(turn)
    assert position.outcome() is None
    assert abs(to_go(position, Colour.WHITE) - to_go(position, Colour.BLACK)) <= 4
    assert opening(seed, start) == turns


def test_openings_differ() -> None:
    assert len({tuple(opening(seed)) for seed in range(30)}) == 30
