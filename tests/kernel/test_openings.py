"""How games begin: what is alike on a turned or mirrored board is one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from punct import kernel
from punct.kernel.openings import likeness, steps
from punct.symmetry import SYMMETRIES

TURNS = "Ed5ne Tl10n Eg3n Tm9n d5-f7n"
KEYS = [0, 135401210831839184, 246803352570653818, 952013795654542709, 2966897705436826105, 5729198350995591446]
MOVES = [2090944, 2089896, 2091112, 2089755, 1371156, 2090235]
"""Of these turns, and of one in the basic game."""


def some_position(seed: int, turns: int) -> kernel.Position:
    position = kernel.Position(("standard", "basic")[seed % 2])
    position.play_random(seed, turns, raised=25, bridge=30, moved=30)
    return position


@given(seed=st.integers(0, 5000), turns=st.integers(0, 40))
def test_a_position_is_like_its_images_and_like_no_other(seed: int, turns: int) -> None:
    position = some_position(seed, turns)
    key = likeness(position).key
    canonical = str(position.canonical().position)
    for symmetry in SYMMETRIES:
        image = position.transformed(symmetry)
        assert likeness(image).key == key
        assert str(image.canonical().position) == canonical
    if position.outcome() is None:
        other = position.copy()
        other.play_random(seed + 1, 1)
        assert likeness(other).key != key


@given(seed=st.integers(0, 5000), turns=st.integers(0, 20), number=st.integers(0, 11))
def test_a_move_is_told_alike_in_every_image_and_given_back_as_one_that_leads_to_the_same(
    seed: int, turns: int, number: int
) -> None:
    position = some_position(seed, turns)
    if position.outcome() is not None:
        return
    move = position.copy().play_random(seed, 1)[0]
    symmetry = SYMMETRIES[number]
    image = symmetry.position(position)
    here = steps([(str(position), str(move))], 1)
    there = steps([(str(image), str(symmetry.move(move, position)))], 1)
    assert (here.keys[0], here.moves[0]) == (there.keys[0], there.moves[0])
    own = likeness(position).own(position, int(here.moves[0]))
    assert own is not None
    after, wanted = position.copy(), position.copy()
    after.push(own)
    wanted.push(move)
    assert likeness(after).key == likeness(wanted).key


def test_first_moves_that_are_each_others_images_are_one() -> None:
    start = kernel.Position()
    moves = list(start.legal_moves)
    told = steps([("standard w", str(move)) for move in moves], 1)
    classes = {frozenset(str(symmetry.move(move, start)) for symmetry in SYMMETRIES) for move in moves}
    assert len(set(told.moves.tolist())) == len(classes) < len(moves) / 10


def test_steps_follow_the_game_as_far_as_wanted() -> None:
    found = steps([("standard w", TURNS), ("standard w", TURNS)], 3)
    assert found.counts.tolist() == [3, 3]
    assert found.keys[:3].tolist() == found.keys[3:].tolist()
    position = kernel.Position()
    for key, text in zip(found.keys[:3], TURNS.split(), strict=False):
        assert likeness(position).key == key
        position.push(text)


def test_a_position_that_comes_again_is_one_step() -> None:
    there_and_back = "Ed5ne Tl10n d5-f7n l10-l12n f7-d5ne l12-l10n d5-f7n"
    found = steps([("standard w", there_and_back)], 16)
    assert found.counts.tolist() == [6]
    assert len(set(found.keys.tolist())) == 6


def test_a_game_that_cannot_be_played_has_no_steps_and_the_others_keep_theirs() -> None:
    broken = [("standard w", "Ed5ne Ed5ne"), ("standard w", "Ed5ne no"), ("chess w", "Ed5ne"), ("standard w", "é")]
    found = steps([("standard w", TURNS), *broken, ("basic w", TURNS)], 16)
    assert found.counts.tolist() == [5, -1, -1, -1, -1, 5]
    assert len(found.keys) == len(found.moves) == 10
    assert found.keys[0] != found.keys[5], "other rules are another game"
    assert steps([("standard w", "Ed5ne no")], 1).counts.tolist() == [1], "nobody looks that far"


def test_keys_and_moves_are_what_databases_already_hold() -> None:
    """They are stored: one that changed would lose every opening that was ever counted."""
    found = steps([("standard w", TURNS), ("basic b", "Ch15ne")], 16)
    assert found.keys.tolist() == KEYS
    assert found.moves.tolist() == MOVES
    assert likeness(kernel.Position()).key == 0


def test_what_is_no_move_here_is_not_given_back() -> None:
    position = kernel.Position("standard w wEd5ne bTl10n")
    assert likeness(position).own(position, 0xFFFFFF) is None
    taken = kernel.Position().pack("Ed5ne").transformed(likeness(position).symmetry)
    assert likeness(position).own(position, taken) is None
