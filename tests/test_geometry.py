"""The board."""

from __future__ import annotations

import copy
import pickle

import pytest
from tests import reference

from punct import SPACES, Heading, PunctError, Space
from punct.geometry import BOARD, CENTRE, LINES, SIDES, STEP, around, look, mask_of, spaces_of


def test_the_board_is_a_hexagon_of_side_9_without_its_corners() -> None:
    assert len(SPACES) == 211
    assert {space.name for space in SPACES} == {reference.write_space(space) for space in reference.BOARD}
    by_column = [sum(space.column == column for space in SPACES) for column in range(17)]
    assert by_column == [7, 10, 11, 12, 13, 14, 15, 16, 15, 16, 15, 14, 13, 12, 11, 10, 7]


@pytest.mark.parametrize("corner", ["a1", "a9", "i1", "i17", "q9", "q17"])
def test_corners_are_missing(corner: str) -> None:
    with pytest.raises(PunctError, match=f"{corner} is not one of the board's 211 spaces"):
        Space(corner)


def test_headings_run_clockwise() -> None:
    centre = Space("i9")
    assert [str(space) for space in centre.neighbours] == ["i10", "j10", "j9", "i8", "h8", "h9"]
    assert [str(heading) for heading in Heading] == ["n", "ne", "se", "s", "sw", "nw"]
    for heading in Heading:
        assert heading.opposite.opposite is heading
        assert heading.turned(6) is heading
        assert heading.turned(-1).turned(1) is heading


def test_neighbours_are_mutual_and_nothing_runs_round_the_edge() -> None:
    for space in SPACES:
        for heading in Heading:
            expected = reference.step(reference.read_space(space.name), str(heading))
            neighbour = space.neighbour(heading)
            if reference.is_on_board(expected):
                assert neighbour is Space(reference.write_space(expected))
                assert neighbour.neighbour(heading.opposite) is space
            else:
                assert neighbour is None


def test_masks_look_the_way_single_spaces_do() -> None:
    for space in SPACES:
        assert around(space.mask) & BOARD == mask_of(space.neighbours)
        for heading in Heading:
            neighbour = space.neighbour(heading)
            assert bool(look(BOARD, STEP[heading]) >> space.bit & 1) == (neighbour is not None)
            if neighbour is not None:
                assert look(neighbour.mask, STEP[heading]) == space.mask


def test_two_steps_never_run_into_the_next_column() -> None:
    for heading in Heading:
        reached = look(BOARD, 2 * STEP[heading]) & BOARD
        assert spaces_of(reached) == tuple(space for space in SPACES if _two_steps_are_on_board(space, heading))


def _two_steps_are_on_board(space: Space, heading: Heading) -> bool:
    once = reference.step(reference.read_space(space.name), str(heading))
    return reference.is_on_board(reference.step(once, str(heading)))


def test_lines_end_at_the_edge_and_do_not_cross_a_missing_corner() -> None:
    assert [str(space) for space in Space("a3").line(Heading.S)] == ["a2"]
    assert [str(space) for space in Space("p9").line(Heading.SE)] == []  # q9 is a missing corner
    assert [str(space) for space in Space("i9").line(Heading.NE)] == ["j10", "k11", "l12", "m13", "n14", "o15", "p16"]
    for space in SPACES:
        line = [step for heading in Heading for step in space.line(heading)]
        assert mask_of(line) == LINES[space.bit]
        assert len(line) == len(set(line))
        assert space not in line


def test_the_central_hexagon_has_19_spaces() -> None:
    centre = spaces_of(CENTRE)
    assert len(centre) == 19
    assert all(space.in_centre for space in centre)
    assert {str(space) for space in centre if space.column == 8} == {"i7", "i8", "i9", "i10", "i11"}
    assert not Space("i12").in_centre


def test_six_sides_of_7_spaces() -> None:
    names = [tuple(" ".join(map(str, spaces_of(side))) for side in pair) for pair in SIDES]
    assert names == [
        ("a2 a3 a4 a5 a6 a7 a8", "q10 q11 q12 q13 q14 q15 q16"),
        ("b1 c1 d1 e1 f1 g1 h1", "j17 k17 l17 m17 n17 o17 p17"),
        ("b10 c11 d12 e13 f14 g15 h16", "j2 k3 l4 m5 n6 o7 p8"),
    ]
    sides = mask_of(space for pair in SIDES for side in pair for space in spaces_of(side))
    for name in ("b2", "i2", "p9", "b9", "i16", "p16"):
        assert not sides & Space(name).mask


def test_a_space_is_one_object() -> None:
    space = Space("i9")
    assert Space("I9") is space
    assert pickle.loads(pickle.dumps(space)) is space
    assert copy.copy(space) is space
    assert copy.deepcopy([space])[0] is space
    assert repr(space) == "Space('i9')"
    assert sorted([Space("b1"), Space("a8"), Space("a2")]) == [Space("a2"), Space("a8"), Space("b1")]
    with pytest.raises(TypeError, match="not supported between"):
        _ = space < "i9"


@pytest.mark.parametrize(
    "name",
    ["", "i", "9", "9i", "r1", "i0", "i09", "i18", " i9", "i9 ", "i٩", "i99", "\N{KELVIN SIGN}9", "i9\0", "\ud800"],
)
def test_what_is_not_a_space(name: str) -> None:
    with pytest.raises(PunctError):
        Space(name)


def test_a_huge_name_is_cut_in_the_error() -> None:
    with pytest.raises(PunctError) as caught:
        Space("i" * 1_000_000)
    assert len(str(caught.value)) < 200


def test_a_space_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        Space("i9").row = 3
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Space("i9").row
    assert Space("i9").row == 9


def test_only_text_names_a_space() -> None:
    with pytest.raises(TypeError, match="not int"):
        Space(9)  # type: ignore[arg-type]
