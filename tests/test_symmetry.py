"""The twelve symmetries themselves; that the rules respect them is among the properties."""

from __future__ import annotations

import pytest

from punct import SPACES, Heading, Kind, Move, Position, PunctError, Space
from punct.geometry import CENTRE, SIDES, mask_of, spaces_of
from punct.symmetry import SYMMETRIES, Symmetry

MIRROR = Symmetry(0, mirrored=True)


def test_there_are_twelve_and_they_differ() -> None:
    assert len({tuple(map(symmetry.space, SPACES)) for symmetry in SYMMETRIES}) == 12
    assert all(SYMMETRIES[0].space(space) is space for space in SPACES)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_board_centre_and_sides_stay(symmetry: Symmetry) -> None:
    def image(mask: int) -> int:
        return mask_of(symmetry.space(space) for space in spaces_of(mask))

    assert {symmetry.space(space) for space in SPACES} == set(SPACES)
    assert image(CENTRE) == CENTRE
    assert {frozenset(map(image, pair)) for pair in SIDES} == {frozenset(pair) for pair in SIDES}


def test_a_mirror_about_the_upright_axis() -> None:
    assert [str(MIRROR.heading(heading)) for heading in Heading] == ["n", "nw", "sw", "s", "se", "ne"]
    assert MIRROR.kind(Kind.L) is Kind.R
    assert MIRROR.kind(Kind.R) is Kind.L
    assert MIRROR.kind(Kind.E) is Kind.E
    assert str(MIRROR.space(Space("a2"))) == "q10"
    assert str(MIRROR.space(Space("i5"))) == "i5"


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("kind", Kind)
def test_a_piece_keeps_its_dots(symmetry: Symmetry, kind: Kind) -> None:
    for heading in kind.headings:
        piece = Position(f"basic w w{kind}i9{heading}").pieces[0]
        image = symmetry.piece(piece)
        assert image.space is symmetry.space(piece.space)
        assert set(image.spaces) == set(map(symmetry.space, piece.spaces))
        assert image.heading in image.kind.headings


def test_a_turn_needs_the_piece_it_means() -> None:
    position = Position("standard w wTd5n")
    assert MIRROR.move(Move.parse("d5-d5s"), position) is Move.parse("n10-n10se")
    assert MIRROR.move(Move.parse("Ld8n"), position) is Move.parse("Rn13n")
    with pytest.raises(PunctError, match="no piece shows its PÜNCT on d6"):
        MIRROR.move(Move.parse("d6-d7n"), position)


@pytest.mark.parametrize("turns", [-1, 6])
def test_a_board_has_six_turns(turns: int) -> None:
    with pytest.raises(PunctError, match="0 to 5 sixths"):
        Symmetry(turns)
