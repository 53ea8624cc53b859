"""The greedy view must be right: the moves it lists, their distances, the wins."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from punct import SPACES, Colour, Position, Rules, kernel
from punct.engine.greedy import greedy_moves, nearest_distance
from punct.match.openings import opening

_SEEDS = st.integers(0, 2**32 - 1)


def random_position(seed: int, turns: int, rules: str = "standard") -> Position:
    position = kernel.Position(f"{rules} w")
    position.play_random(seed, turns, raised=25, bridge=30, moved=15)
    return Position(str(position))


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 40), st.sampled_from(["standard", "basic"]))
def test_it_lists_the_legal_moves(seed: int, turns: int, rules: str) -> None:
    position = random_position(seed, turns, rules)
    if position.outcome() is None:
        greedy = greedy_moves(position)
        moves = [greedy.move(index) for index in range(len(greedy.numbers))]
        assert len(moves) == len(greedy.distances) == len(greedy.touching)
        assert set(moves) == set(position.legal_moves)
        assert len(set(moves)) == len(moves)
        assert greedy.adding.tolist() == [move.is_add for move in moves]
        assert [SPACES[number] for number in greedy.spaces] == [move.space for move in moves]


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 40))
def test_a_move_with_distance_zero_is_a_win(seed: int, turns: int) -> None:
    position = random_position(seed, turns)
    if position.outcome() is None:
        greedy = greedy_moves(position)
        winning = {greedy.move(int(i)) for i in np.flatnonzero(greedy.distances == 0)}
        assert winning == set(kernel.Position(str(position)).winning_moves())


@settings(max_examples=25, deadline=None)
@given(_SEEDS, st.integers(0, 30), _SEEDS)
def test_the_distance_is_that_after_the_move(seed: int, turns: int, pick: int) -> None:
    """Both for added and for moved pieces; a piece that touches is marked."""
    position = random_position(seed, turns)
    if position.outcome() is None:
        colour = position.turn
        greedy = greedy_moves(position)
        for index in range(pick % 7, len(greedy.numbers), 1 + len(greedy.numbers) // 12):
            move = greedy.move(index)
            position.push(move)
            assert nearest_distance(position, colour) == greedy.distances[index], move
            piece = position.top(move.space)
            assert piece is not None
            beside = {neighbour for space in piece.spaces for neighbour in space.neighbours} - set(piece.spaces)
            touches = any((top := position.top(space)) and top.colour is colour for space in beside)
            assert greedy.touching[index] or not touches, move
            position.pop()


def test_distance_of_the_empty_board_and_of_a_chain() -> None:
    # From side to side is 17 spaces at 1 each; the cheapest path goes round the centre, where they cost 2.
    assert nearest_distance(Position(), Colour.WHITE) == 17
    position = Position("basic b wEh1n wEh4n wEh7n wEh10n wCi14n wTj16n")
    assert position.outcome() is not None
    assert nearest_distance(position, Colour.WHITE) == 0
    assert nearest_distance(position, Colour.BLACK) > 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["standard w", "basic w"]))
def test_openings_are_legal_short_and_even(seed: int, start: str) -> None:
    turns = opening(seed, start)
    assert 4 <= len(turns) <= 6
    position = Position(start)
    for turn in turns:
        position.push(turn)
    assert position.outcome() is None
    assert abs(nearest_distance(position, Colour.WHITE) - nearest_distance(position, Colour.BLACK)) <= 2
    assert opening(seed, start) == turns


def test_openings_from_any_kind_of_position() -> None:
    assert opening(7) == opening(7, Position()) == opening(7, kernel.Position()) == opening(7, Rules.STANDARD)
    assert opening(7, "basic w") == opening(7, Rules.BASIC)
    assert opening(7) == ["Ri13n", "Re4sw", "Ec6s", "Mg5ne"]  # the same ever after


def test_openings_differ() -> None:
    assert len({tuple(opening(seed)) for seed in range(30)}) == 30


def test_the_centre_costs_more_in_the_standard_game_only() -> None:
    """A chain from side to side but for three spaces of the centre, where nothing can be added in the standard game."""
    chain = "wEh1n wEh4n wEh10n wCi14n wTj16n"
    assert nearest_distance(Position(f"basic w {chain}"), Colour.WHITE) == 3
    assert nearest_distance(Position(f"standard w {chain}"), Colour.WHITE) == 6
