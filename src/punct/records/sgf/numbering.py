"""Boardspace's numbers of pieces and rotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from punct.geometry import Heading, Space
from punct.piece import Colour, Kind, Piece, footprint

PER_SET: Final = 19
"""How many numbers a set has; the first is the PÜNCT marker's, which is never part of a position."""
_IN_ORDER: Final = (Kind.T, Kind.C, Kind.E, Kind.R, Kind.M, Kind.L)
_KINDS: Final = tuple(kind for kind in _IN_ORDER for _ in range(kind.count))
_FIRST_HEADING: Final = {
    Kind.T: Heading.S,
    Kind.C: Heading.N,
    Kind.E: Heading.S,
    Kind.R: Heading.S,
    Kind.M: Heading.SW,
    Kind.L: Heading.NE,
}
"""The heading of rotation 0; each further rotation is a sixth clockwise."""

ROTATIONS: Final = 6


def colour_of(number: int) -> Colour:
    """Return whose piece it is."""
    return Colour(number // PER_SET)


def kind_of(number: int) -> Kind | None:
    """Return what kind of piece it is; None for the marker or a number no piece has."""
    if not 0 <= number < 2 * PER_SET or number % PER_SET == 0:
        return None
    return _KINDS[number % PER_SET - 1]


def numbers_of(colour: Colour, kind: Kind) -> range:
    """Return the numbers of a player's pieces of this kind."""
    first = colour * PER_SET + 1 + _KINDS.index(kind)
    return range(first, first + kind.count)


def heading_of(kind: Kind, rotation: int) -> Heading:
    """Return the heading of a rotation 0–5."""
    return kind.canonical(_FIRST_HEADING[kind].turned(rotation))


def rotation_of(kind: Kind, heading: Heading) -> int:
    """Return the rotation of a heading; for C the one below 3."""
    return (heading - _FIRST_HEADING[kind]) % (3 if kind is Kind.C else ROTATIONS)


Place = tuple[Space, Heading]
"""The place of a piece: its PÜNCT's space, and its heading."""


def covered(number: int, place: Place) -> tuple[Space, ...]:
    """Return the spaces below a piece's dots; its PÜNCT's alone where it would not fit on the board."""
    kind = kind_of(number)
    assert kind is not None
    return footprint(kind, *place) or place[:1]


class Numbers:
    """The places of the pieces on the board, by number. The piece put down last lies on top."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        """Number the pieces of a start in the order given, lowest first."""
        self._places: dict[int, Place] = {}
        self._stacks: dict[Space, tuple[int, ...]] = {}
        for piece in pieces:
            self.put(self.next_in_set(piece.colour, piece.kind), (piece.space, piece.heading))

    def place(self, number: int) -> Place | None:
        """Return where the piece of this number lies, or None while it is in the set."""
        return self._places.get(number)

    def stack(self, space: Space) -> tuple[int, ...]:
        """Return the numbers of the pieces with a dot on or above this space, lowest first."""
        return self._stacks.get(space, ())

    def next_in_set(self, colour: Colour, kind: Kind) -> int:
        """Return the lowest number of this kind that a player still has in the set."""
        return next(number for number in numbers_of(colour, kind) if number not in self._places)

    def put(self, number: int, place: Place) -> None:
        """Put a piece down, from the set or, if it is free, from elsewhere on the board."""
        before = self._places.get(number)
        for space in covered(number, before) if before is not None else ():
            *below, top = self._stacks[space]
            assert top == number
            self._stacks[space] = tuple(below)
        self._places[number] = place
        for space in covered(number, place):
            self._stacks[space] = (*self._stacks.get(space, ()), number)

    def copy(self) -> Numbers:
        """Return an independent copy."""
        other = Numbers()
        other._places, other._stacks = dict(self._places), dict(self._stacks)
        return other
