"""Colours, kinds, and pieces lying on the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache, cached_property
from typing import Final, NoReturn

from punct.errors import PunctError, WrongTypeError, expect, shorten
from punct.geometry import BOARD, SPACE_AT, SPACES, STEP, Heading, Space, look, read_heading


class Colour(IntEnum):
    """A player. White begins.

    A colour serves as an index, so White is 0; but it is never true or false: ``if winner:`` would be wrong for White.

    >>> ~Colour.WHITE
    <Colour.BLACK: 1>
    """

    WHITE = 0
    BLACK = 1

    def __invert__(self) -> Colour:
        """Return the opponent."""
        return self.other

    def __bool__(self) -> NoReturn:
        raise WrongTypeError(
            f"{self} is neither true nor false: compare it (colour is Colour.WHITE, winner is not None), "
            "and write ~colour or colour.other for the opponent"
        )

    @property
    def other(self) -> Colour:
        """The opponent."""
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE

    @property
    def letter(self) -> str:
        """``w`` or ``b``, as positions are written."""
        return "wb"[self]

    def __str__(self) -> str:
        return self.name.capitalize()


def read_player(colour: object) -> Colour:
    """Return the colour if it is one; raises WrongTypeError for a letter or a number, which may mean another."""
    if not isinstance(colour, Colour):
        raise WrongTypeError(f"a player is Colour.WHITE or Colour.BLACK, not {shorten(colour)}")
    return colour


class Kind(Enum):
    """One of the six kinds of piece, by its letter in texts. No piece turns over: L and R are mirror images."""

    T = "T"
    C = "C"
    E = "E"
    M = "M"
    L = "L"
    R = "R"

    # Enum's own hash is computed in Python each time; kinds are dictionary keys everywhere.
    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.value

    @cached_property
    def count(self) -> int:
        """How many of it each player's set has."""
        return {"T": 6, "C": 2, "E": 4, "M": 2, "L": 2, "R": 2}[self.value]

    @cached_property
    def words(self) -> str:
        """The kind in plain words."""
        return {
            "T": "triangle",
            "C": "straight piece with its PÜNCT in the centre",
            "E": "straight piece with its PÜNCT at an end",
            "M": "angular piece with its PÜNCT in the middle",
            "L": "angular piece that turns left from its PÜNCT",
            "R": "angular piece that turns right from its PÜNCT",
        }[self.value]

    @cached_property
    def headings(self) -> tuple[Heading, ...]:
        """The headings that give different placements: all six, or three for C, which looks the same both ways."""
        return tuple(Heading)[:3] if self is Kind.C else tuple(Heading)

    @cached_property
    def middle(self) -> int | None:
        """Which dot lies between the two ends: 0 the PÜNCT, 1 the first minor dot; None for the triangle (E4.2)."""
        if self is Kind.T:
            return None
        return 0 if self in (Kind.C, Kind.M) else 1

    def canonical(self, heading: Heading) -> Heading:
        """Return the heading by which this placement is written."""
        return heading if self is not Kind.C else Heading(read_heading(heading) % 3)


SET_SIZE: Final = sum(kind.count for kind in Kind)
"""18 pieces a player."""


def _offsets(kind: Kind, heading: Heading) -> tuple[int, int]:
    ahead = STEP[heading]
    match kind:
        case Kind.T:
            return ahead, STEP[heading.turned(1)]
        case Kind.C:
            return ahead, -ahead
        case Kind.E:
            return ahead, 2 * ahead
        case Kind.M:
            return ahead, STEP[heading.turned(2)]
        case Kind.L:
            return ahead, ahead + STEP[heading.turned(-1)]
        case Kind.R:
            return ahead, ahead + STEP[heading.turned(1)]


OFFSETS: Final = {kind: tuple(_offsets(kind, heading) for heading in Heading) for kind in Kind}
"""By kind and heading: the two minor dots, from the PÜNCT."""

FITS: Final = {
    kind: tuple(BOARD & look(BOARD, first) & look(BOARD, second) for first, second in OFFSETS[kind]) for kind in Kind
}
"""By kind and heading: the PÜNCT's spaces for which all three dots are on the board."""


def footprint(kind: Kind, space: Space, heading: Heading) -> tuple[Space, Space, Space] | None:
    """Return the three spaces a placement covers, the PÜNCT's first, or None if a dot would be off the board."""
    return footprints(kind, heading).get(space)


@cache
def footprints(kind: Kind, heading: Heading) -> dict[Space, tuple[Space, Space, Space]]:
    """Return, by the PÜNCT's space, the three spaces of each placement that fits; not to be changed."""
    first, second = OFFSETS[kind][heading]
    fits = FITS[kind][heading]
    return {s: (s, SPACE_AT[s.bit + first], SPACE_AT[s.bit + second]) for s in SPACES if fits >> s.bit & 1}


@dataclass(frozen=True, slots=True, order=False)
class Piece:
    """A piece as it lies on the board. ``level`` is 1 on the board itself, 2 on top of one piece, and so on."""

    colour: Colour
    kind: Kind
    space: Space
    """Where the PÜNCT is."""
    heading: Heading
    level: int = 1

    @classmethod
    def parse(cls, text: str) -> Piece:
        """Read a piece as positions write it, at board level; raises InvalidPositionError, which says what is wrong.

        >>> Piece.parse("wEd5ne").kind
        <Kind.E: 'E'>
        """
        from punct.notation import read_piece  # notation knows pieces; only this convenience looks back

        colour, kind, space, heading, _ = read_piece(text)
        return cls(colour, kind, space, heading)

    @property
    def spaces(self) -> tuple[Space, Space, Space]:
        """The three spaces below its dots: the PÜNCT, then the minor dots in the order of the shape."""
        spaces = footprints(self.kind, self.heading).get(self.space)
        if spaces is None:
            raise PunctError(f"{self}: a dot of this piece would be off the board")
        return spaces

    @property
    def mask(self) -> int:
        """Its three spaces as a mask."""
        first, second = OFFSETS[self.kind][self.heading]
        bit = self.space.bit
        return 1 << bit | 1 << bit + first | 1 << bit + second

    @property
    def middle(self) -> Space | None:
        """The space of the dot between its ends; None for a triangle."""
        middle = self.kind.middle
        return None if middle is None else self.spaces[middle]

    @property
    def ends(self) -> tuple[Space, Space] | None:
        """The spaces of its two ends; None for a triangle."""
        if self.kind.middle is None:
            return None
        punct, first, second = self.spaces
        return (first, second) if self.kind.middle == 0 else (punct, second)

    def __str__(self) -> str:
        """Return the piece as positions write it, such as ``wTb9ne``; its level is told by the order there."""
        return _text(self.colour, self.kind, self.space, self.heading)


@cache
def _text(colour: Colour, kind: Kind, space: Space, heading: Heading) -> str:
    return f"{colour.letter}{kind}{space}{heading}"


@cache
def shared_piece(colour: Colour, kind: Kind, space: Space, heading: Heading, level: int) -> Piece:
    """Return a piece on the board, one object for each: positions need them far more often than there are any."""
    return Piece(colour, kind, space, heading, level)


def checked_piece(piece: object) -> Piece:
    """Return the piece if it is one; raises WrongTypeError if not."""
    return expect(piece, Piece, "a piece is a Piece, such as Piece.parse('wEd5ne')")
