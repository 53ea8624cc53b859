"""Opening moves: positions and moves that are each other's images are one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from punct import kernel
from punct.kernel.openings import canonical_key, opening_moves
from punct.symmetry import SYMMETRIES

MOVES_TEXT = "Ed5ne Tl10n Eg3n Tm9n d5-f7n"
KEYS = [0, 135401210831839184, 246803352570653818, 952013795654542709, 2966897705436826105, 5729198350995591446]
MOVES = [2090944, 2089896, 2091112, 2089755, 1371156, 2090235]
"""Of these moves, and of one in the basic game."""


def some_position(seed: int, turns: int) -> kernel.Position:
    position = kernel.Position(("standard", "basic")[seed % 2])
    position.play_random(seed, turns, raised=25, bridge=30, moved=30)
    return position


@given(seed=st.integers(0, 5000), turns=st.integers(0, 40))
def test_a_position_shares_its_key_with_its_images_only(seed: int, turns: int) -> None:
    position = some_position(seed, turns)
    key = canonical_key(position).key
    canonical = str(position.canonical().position)
    for symmetry in SYMMETRIES:
        image = position.transformed(symmetry)
        assert canonical_key(image).key == key
        assert str(image.canonical().position) == canonical
    if position.outcome() is None:
        other = position.copy()
        other.play_random(seed + 1, 1)
        assert canonical_key(other).key != key


@given(seed=st.integers(0, 5000), turns=st.integers(0, 20), number=st.integers(0, 11))
def test_a_move_is_the_same_in_every_image_and_maps_back_to_an_equivalent_one(
    seed: int, turns: int, number: int
) -> None:
    position = some_position(seed, turns)
    if position.outcome() is not None:
        return
    move = position.copy().play_random(seed, 1)[0]
    symmetry = SYMMETRIES[number]
    image = symmetry.position(position)
    here = opening_moves([(str(position), str(move))], 1)
    there = opening_moves([(str(image), str(symmetry.move(move, position)))], 1)
    assert (here.keys[0], here.moves[0]) == (there.keys[0], there.moves[0])
    equivalent = canonical_key(position).move_in(position, int(here.moves[0]))
    assert equivalent is not None
    after, expected = position.copy(), position.copy()
    after.push(equivalent)
    expected.push(move)
    assert canonical_key(after).key == canonical_key(expected).key


def test_first_moves_that_are_each_others_images_are_one() -> None:
    start = kernel.Position()
    moves = list(start.legal_moves)
    opening = opening_moves([("standard w", str(move)) for move in moves], 1)
    classes = {frozenset(str(symmetry.move(move, start)) for symmetry in SYMMETRIES) for move in moves}
    assert len(set(opening.moves.tolist())) == len(classes) < len(moves) / 10


def test_they_follow_the_game_to_the_limit() -> None:
    opening = opening_moves([("standard w", MOVES_TEXT), ("standard w", MOVES_TEXT)], 3)
    assert opening.counts.tolist() == [3, 3]
    assert opening.keys[:3].tolist() == opening.keys[3:].tolist()
    position = kernel.Position()
    for key, text in zip(opening.keys[:3], MOVES_TEXT.split(), strict=False):
        assert canonical_key(position).key == key
        position.push(text)


def test_a_position_that_recurs_counts_once() -> None:
    there_and_back = "Ed5ne Tl10n d5-f7n l10-l12n f7-d5ne l12-l10n d5-f7n"
    opening = opening_moves([("standard w", there_and_back)], 16)
    assert opening.counts.tolist() == [6]
    assert len(set(opening.keys.tolist())) == 6


def test_a_game_that_cannot_be_played_has_no_moves_and_the_others_keep_theirs() -> None:
    broken = [("standard w", "Ed5ne Ed5ne"), ("standard w", "Ed5ne no"), ("chess w", "Ed5ne"), ("standard w", "é")]
    opening = opening_moves([("standard w", MOVES_TEXT), *broken, ("basic w", MOVES_TEXT)], 16)
    assert opening.counts.tolist() == [5, -1, -1, -1, -1, 5]
    assert len(opening.keys) == len(opening.moves) == 10
    assert opening.keys[0] != opening.keys[5], "other rules are another game"
    assert opening_moves([("standard w", "Ed5ne no")], 1).counts.tolist() == [1], "moves after the limit are ignored"


def test_keys_and_moves_never_change() -> None:
    """Databases store them: a change would lose every opening counted so far."""
    opening = opening_moves([("standard w", MOVES_TEXT), ("basic b", "Ch15ne")], 16)
    assert opening.keys.tolist() == KEYS
    assert opening.moves.tolist() == MOVES
    assert canonical_key(kernel.Position()).key == 0


def test_a_number_that_is_no_legal_move_here_maps_to_none() -> None:
    position = kernel.Position("standard w wEd5ne bTl10n")
    assert canonical_key(position).move_in(position, 0xFFFFFF) is None
    taken = kernel.Position().pack("Ed5ne").transformed(canonical_key(position).symmetry)
    assert canonical_key(position).move_in(position, taken) is None
