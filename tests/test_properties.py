"""What holds in every position, over random ones of both games with stacks and bridges."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests import random_play
from tests.reference import Board

from punct import SPACES, Colour, IllegalMoveError, Kind, Move, Position, Rules
from punct.geometry import BOARD, mask_of, spaces_of
from punct.symmetry import SYMMETRIES, Symmetry


def facts(position: Position) -> tuple[object, ...]:
    """Everything a position tells about itself."""
    return (
        str(position),
        position.key,
        position.turn,
        position.floors,
        [position.shown(colour) for colour in Colour],
        [dict(position.in_set(colour)) for colour in Colour],
        [position.stack(space) for space in SPACES],
        position.pieces,
        position.outcome(),
        position.moves,
    )


@given(random_play.positions, st.randoms(use_true_random=False))
@settings(max_examples=70)
def test_a_turn_taken_back_leaves_no_trace(position: Position, rng: random.Random) -> None:
    moves = list(position.legal_moves)
    assume(moves)
    before = facts(position)
    same = position.copy()
    for move in rng.sample(moves, min(25, len(moves))):
        assert position.push(move) is move
        assert position != same
        assert position.moves[-1] is move
        assert position.pop() is move
        assert position == same
        assert facts(position) == before


@given(random_play.positions)
@settings(max_examples=40)
def test_a_whole_game_can_be_taken_back_and_played_again(position: Position) -> None:
    end, moves = facts(position), position.moves
    trail = []
    while position.moves:
        position.pop()
        trail.append(facts(position))
    assert str(position) == f"{position.rules} w"
    for move in moves:
        assert facts(position) == trail.pop()
        position.push(move)
    assert facts(position) == end


@given(random_play.positions)
@settings(max_examples=70)
def test_bookkeeping_equals_what_the_text_says(position: Position) -> None:
    read = Position(str(position))
    assert read == position
    assert str(read) == str(position)
    assert facts(read)[:-1] == facts(position)[:-1]  # all but the turns to take back
    # and from the stacks alone
    for level, floor in enumerate(position.floors):
        assert floor == mask_of(space for space in SPACES if position.height(space) == level)
    for colour in Colour:
        tops = [(space, position.top(space)) for space in SPACES]
        assert position.shown(colour) == mask_of(space for space, top in tops if top and top.colour is colour)
        placed = [piece.kind for piece in position.pieces if piece.colour is colour]
        assert position.on_board(colour) == len(placed)
        assert dict(position.in_set(colour)) == {kind: kind.count - placed.count(kind) for kind in Kind}
    assert sum(position.floors) == BOARD


@given(random_play.positions)
@settings(max_examples=70)
def test_the_slow_reference_finds_the_same_turns_and_outcome(position: Position) -> None:
    board = Board(str(position))
    assert {str(move) for move in position.legal_moves} == board.legal()
    outcome = position.outcome()
    assert (outcome and (outcome.result(), str(outcome.reason))) == board.outcome()


@given(random_play.positions, st.lists(random_play.moves, min_size=1, max_size=60))
@settings(max_examples=80)
def test_a_turn_is_legal_exactly_when_there_is_nothing_to_explain(position: Position, moves: list[Move]) -> None:
    listed = set(position.legal_moves)
    before = facts(position)
    for move in moves:
        reason = position.explain(move)
        canonical = move
        if move.origin is not None and (piece := position.top(move.origin)):
            canonical = Move.shift(move.origin, move.space, piece.kind.canonical(move.heading))
        assert (reason is None) == (canonical in listed)
        assert (reason is None) == (move in position.legal_moves)
        if reason is None:
            assert position.push(move) is canonical
            position.pop()
        else:
            with pytest.raises(IllegalMoveError) as caught:
                position.push(move)
            assert caught.value.reason is reason
            assert caught.value.move is move
        assert facts(position) == before


@given(
    st.builds(
        random_play.play_random, st.sampled_from(Rules), st.integers(0, 2**32), st.integers(0, 120), st.just(0.7)
    ),
)
@settings(max_examples=3)
def test_every_turn_that_can_be_written_is_listed_or_explained(position: Position) -> None:
    listed = {str(move) for move in position.legal_moves}
    for first in SPACES:
        for heading in ("n", "ne", "se", "s", "sw", "nw"):
            for kind in Kind:
                move = Move.parse(f"{kind}{first}{heading}")
                assert (position.explain(move) is None) == (str(move) in listed)
    own = [piece for piece in position.pieces if piece.colour is position.turn]
    for piece in own:
        for space in SPACES:
            for other in piece.kind.headings:
                move = Move.shift(piece.space, space, other)
                assert (position.explain(move) is None) == (str(move) in listed)


@given(random_play.positions, st.sampled_from(SYMMETRIES))
@settings(max_examples=70)
def test_symmetries_commute_with_the_rules(position: Position, symmetry: Symmetry) -> None:
    image = symmetry.position(position)
    moves = set(position.legal_moves)
    assert {symmetry.move(move, position) for move in moves} == set(image.legal_moves)
    assert image.outcome() == position.outcome()
    assert len(image.winning_chain) == len(position.winning_chain)
    assert image.centre_count() == position.centre_count()
    for colour in Colour:
        assert image.shown(colour) == mask_of(symmetry.space(space) for space in spaces_of(position.shown(colour)))
    assert symmetry.inverse.position(image) == position
    for move in sorted(moves)[::97]:
        image.push(symmetry.move(move, position))
        position.push(move)
        assert symmetry.position(position) == image
        assert position.result() == image.result()
        position.pop()
        image.pop()


@given(random_play.positions)
@settings(max_examples=40)
def test_destinations_are_the_listed_moves_with_their_levels(position: Position) -> None:
    found = {}
    for piece in position.pieces:
        for space, by_heading in position.destinations(piece).items():
            for heading, level in by_heading.items():
                found[Move.shift(piece.space, space, heading)] = level
    assert set(found) == {move for move in position.legal_moves if not move.is_add}
    for move, level in list(found.items())[::23]:
        position.push(move)
        top = position.top(move.space)
        assert top is not None
        assert (top.space, top.heading, top.level) == (move.space, move.heading, level)
        position.pop()


@given(random_play.positions)
@settings(max_examples=40)
def test_free_and_blocked_pieces(position: Position) -> None:
    for colour in Colour:
        pieces = [piece for piece in position.pieces if piece.colour is colour]
        free = [piece for piece in pieces if not position.blockers(piece)]
        assert sorted(free, key=lambda piece: piece.space) == position.free_pieces(colour)
        for piece in pieces:
            assert position.is_free(piece) == (piece in free)
            for space, blocker in position.blockers(piece).items():
                stack = position.stack(space)
                assert stack.index(blocker) == stack.index(piece) + 1
                assert blocker.level > piece.level


@given(random_play.positions)
@settings(max_examples=40)
def test_copies_are_equal_and_independent(position: Position) -> None:
    before = facts(position)
    copies = [position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))]
    for other in copies:
        assert facts(other) == before
        assert other == position
        assert list(other.legal_moves) == list(position.legal_moves)
        while other.moves:
            other.pop()
        other.push("Ta4n")
        assert facts(position) == before


@pytest.mark.parametrize("first", SYMMETRIES)
@pytest.mark.parametrize("second", SYMMETRIES)
def test_symmetries_form_a_group(first: Symmetry, second: Symmetry) -> None:
    assert first.then(second) in SYMMETRIES
    assert first.then(first.inverse) == SYMMETRIES[0]
    for each in SPACES[::7]:
        assert first.then(second).space(each) is second.space(first.space(each))
        assert sorted(map(first.space, each.neighbours)) == sorted(first.space(each).neighbours)
