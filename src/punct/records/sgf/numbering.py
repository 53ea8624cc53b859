"""How Boardspace numbers the pieces and their rotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from punct.geometry import Heading
from punct.piece import Colour, Kind, Piece

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
"""The heading of rotation 0; every further rotation turns a sixth clockwise."""

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


class Numbers:
    """Which number each piece on the board has."""

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        """Number pieces that lie there from the start in the order given."""
        self._pieces: dict[int, Piece] = {}
        self._numbers: dict[Piece, int] = {}
        for piece in pieces:
            self.put(self.next_in_set(piece.colour, piece.kind), piece)

    def piece(self, number: int) -> Piece | None:
        """Return the piece of this number, or None while it is in the set."""
        return self._pieces.get(number)

    def number(self, piece: Piece) -> int:
        """Return the number of a piece on the board."""
        return self._numbers[piece]

    def next_in_set(self, colour: Colour, kind: Kind) -> int:
        """Return the lowest number of this kind that a player still has in the set."""
        return next(number for number in numbers_of(colour, kind) if number not in self._pieces)

    def put(self, number: int, piece: Piece | None) -> None:
        """Note where the piece of this number lies now; None puts it back into the set."""
        before = self._pieces.pop(number, None)
        if before is not None:
            del self._numbers[before]
        if piece is not None:
            self._pieces[number] = piece
            self._numbers[piece] = number

    def copy(self) -> Numbers:
        """Return an independent copy."""
        other = Numbers()
        other._pieces = dict(self._pieces)
        other._numbers = dict(self._numbers)
        return other
