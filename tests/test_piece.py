"""The six kinds of piece and how they lie."""

from __future__ import annotations

import copy
import pickle

import pytest
from tests import reference

from punct import SPACES, Colour, Heading, InvalidPositionError, Kind, Piece, PunctError, Space, WrongTypeError
from punct.geometry import mask_of
from punct.piece import FITS, SET_SIZE, footprint


def test_a_set_has_18_pieces() -> None:
    assert {kind.value: kind.count for kind in Kind} == reference.COUNTS
    assert SET_SIZE == 18


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("heading", Heading)
def test_footprints(kind: Kind, heading: Heading) -> None:
    for space in SPACES:
        dots = reference.dots(kind.value, reference.read_space(space.name), str(heading))
        fits = all(map(reference.is_on_board, dots))
        assert fits == bool(FITS[kind][heading] >> space.bit & 1)
        expected = tuple(Space(reference.write_space(dot)) for dot in dots) if fits else None
        assert footprint(kind, space, heading) == expected
        if fits:
            piece = Piece(Colour.WHITE, kind, space, heading)
            assert piece.spaces == expected
            assert piece.mask == mask_of(piece.spaces)


@pytest.mark.parametrize(
    ("text", "middle", "ends"),
    [("C", "i9", {"i10", "i8"}), ("E", "i10", {"i9", "i11"}), ("M", "i9", {"i10", "j9"}),
     ("L", "i10", {"i9", "h10"}), ("R", "i10", {"i9", "j11"})],
)  # fmt: skip
def test_middle_and_ends(text: str, middle: str, ends: set[str]) -> None:
    piece = Piece(Colour.BLACK, Kind(text), Space("i9"), Heading.N)
    assert str(piece.middle) == middle
    assert piece.ends is not None
    assert {str(end) for end in piece.ends} == ends


def test_a_triangle_has_no_ends() -> None:
    piece = Piece(Colour.BLACK, Kind.T, Space("i9"), Heading.N)
    assert piece.middle is None
    assert piece.ends is None


def test_the_opposite_heading_of_a_straight_piece_with_a_central_punct_is_the_same_placement() -> None:
    assert Kind.C.headings == (Heading.N, Heading.NE, Heading.SE)
    for heading in Heading:
        there = footprint(Kind.C, Space("i9"), heading)
        back = footprint(Kind.C, Space("i9"), heading.opposite)
        assert there is not None
        assert back is not None
        assert set(there) == set(back)
        assert Kind.C.canonical(heading) is Kind.C.canonical(heading.opposite)
        assert Kind.E.canonical(heading) is heading


def test_every_other_placement_is_different() -> None:
    for kind in Kind:
        masks = [Piece(Colour.WHITE, kind, Space("i9"), heading).mask for heading in kind.headings]
        assert len(set(masks)) == len(masks)


def test_a_piece_off_the_board_says_so() -> None:
    piece = Piece(Colour.WHITE, Kind.E, Space("a8"), Heading.N)
    with pytest.raises(PunctError, match="wEa8n: a dot of this piece would be off the board"):
        _ = piece.spaces


def test_pieces_are_values() -> None:
    piece = Piece(Colour.WHITE, Kind.T, Space("b9"), Heading.NE, 2)
    assert str(piece) == "wTb9ne"
    assert piece == Piece(Colour.WHITE, Kind.T, Space("b9"), Heading.NE, 2)
    assert piece != Piece(Colour.WHITE, Kind.T, Space("b9"), Heading.NE, 1)
    assert pickle.loads(pickle.dumps(piece)) == piece
    assert copy.deepcopy(piece) == piece
    assert len({piece, copy.copy(piece)}) == 1


@pytest.mark.parametrize("colour", Colour)
def test_a_colour_is_neither_true_nor_false(colour: Colour) -> None:
    """White is 0: ``if outcome.winner:`` and ``not colour`` would be wrong without a word."""
    with pytest.raises(WrongTypeError, match="neither true nor false"):
        bool(colour)
    with pytest.raises(TypeError):
        _ = not colour
    assert ["w", "b"][colour] == colour.letter


@pytest.mark.parametrize("text", ["wTb9ne", "bCd5n", "wEq16s"])
def test_pieces_are_read_as_positions_write_them(text: str) -> None:
    assert str(Piece.parse(text)) == text
    assert Piece.parse(text).level == 1
    assert Piece.parse("bCd5s") == Piece.parse("bCd5n")


@pytest.mark.parametrize("text", ["", "w", "Ed5ne", "wEd5", "wEd5nene", "wXd5n", "wEz5n", "wEd5-d6n", "x" * 5000])
def test_what_is_no_piece_is_refused(text: str) -> None:
    with pytest.raises(InvalidPositionError):
        Piece.parse(text)


def test_colours_and_kinds_in_words() -> None:
    assert [str(colour) for colour in Colour] == ["White", "Black"]
    assert Colour.WHITE.other is Colour.BLACK
    assert Colour.BLACK.other is Colour.WHITE
    assert ~Colour.WHITE is Colour.BLACK
    assert ~Colour.BLACK is Colour.WHITE
    assert len({kind.words for kind in Kind}) == 6
    assert [pickle.loads(pickle.dumps(kind)) for kind in Kind] == list(Kind)
