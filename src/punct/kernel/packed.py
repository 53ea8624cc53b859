"""Moves packed into 32 bits, as the kernel handles them.

======  ==========================================================================================
bits    meaning
======  ==========================================================================================
0–12    where the piece comes to rest: orientation * 211 + the number of the PÜNCT's new space
13–20   the number of the PÜNCT's old space, or 255 when the piece is added from the set
21–31   zero
======  ==========================================================================================

Spaces are numbered as in ``punct.SPACES``. The 33 orientations are kind and heading: T 0–5, C 6–8, E 9–14, M 15–20,
L 21–26, R 27–32, each clockwise from north. So a packed move names the kind of a piece that moves; its text does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from punct import _kernel
from punct import move as library
from punct.errors import InvalidMoveError, WrongTypeError, shorten
from punct.geometry import SPACES, Heading, Space
from punct.piece import Kind

if TYPE_CHECKING:
    from punct.contract import PositionLike
    from punct.symmetry import Symmetry

ORIENTATIONS: Final = tuple((kind, heading) for kind in Kind for heading in kind.headings)
"""By number: kind and heading."""
_FIRST: Final = {kind: ORIENTATIONS.index((kind, Heading.N)) for kind in Kind}
_NUMBER: Final = {space: number for number, space in enumerate(SPACES)}
_FROM_SET: Final = 255


class Move(int):
    """A packed move: an ``int`` that knows what it means.

    >>> Move.add(Kind.E, Space("d5"), Heading.NE)
    Move(2091102)
    >>> print(Move(2091102))
    Ed5ne
    >>> Move(2091102).unpacked
    Move.parse('Ed5ne')
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Move:
        """Check a number; raises InvalidMoveError if it is not a move in any position."""
        if isinstance(number, bool) or not isinstance(number, int):
            raise WrongTypeError(f"a packed move is a whole number, not {type(number).__name__}; Move.pack reads texts")
        if not 0 <= number <= 0xFFFFFFFF or _kernel.move_text(number) is None:
            raise InvalidMoveError(f"{number} is not a packed move")
        return super().__new__(cls, number)

    @classmethod
    def add(cls, kind: Kind, space: Space, heading: Heading) -> Move:
        """Return the move that adds a piece."""
        return cls(_placement(kind, space, heading) | _FROM_SET << 13)

    @classmethod
    def shift(cls, kind: Kind, origin: Space, space: Space, heading: Heading) -> Move:
        """Return the move that takes a piece of this kind from ``origin`` to ``space``."""
        if origin not in _NUMBER:
            raise WrongTypeError(f"origin is a Space, not {shorten(origin)}; Move.pack reads texts")
        return cls(_placement(kind, space, heading) | _NUMBER[origin] << 13)

    @classmethod
    def pack(cls, move: library.MoveLike, position: PositionLike) -> Move:
        """Pack a legal move of this position (which has the kind of a piece that moves); raises as ``push`` does."""
        legal = position.parse(move)
        if legal.kind is not None:
            return cls.add(legal.kind, legal.space, legal.heading)
        assert legal.origin is not None
        piece = position.top(legal.origin)
        assert piece is not None
        return cls.shift(piece.kind, legal.origin, legal.space, legal.heading)

    @property
    def unpacked(self) -> library.Move:
        """The move as the library's ``Move``."""
        return UNPACKED[int(self)]

    @property
    def kind(self) -> Kind:
        """The kind of the piece, also of one that moves."""
        return ORIENTATIONS[(self & 0x1FFF) // 211][0]

    @property
    def action(self) -> int:
        """Its number in the fixed action index of ``Batch``."""
        return _kernel.action_of(self)

    def transformed(self, symmetry: Symmetry | int) -> Move:
        """Return the move's image under one of the board's twelve symmetries (or its number)."""
        from punct.symmetry import Symmetry

        return Move(_kernel.transformed_move(self, Symmetry.of(symmetry).number))

    def __str__(self) -> str:
        return str(self.unpacked)

    def __repr__(self) -> str:
        return f"Move({int(self)})"


def _placement(kind: object, space: object, heading: object) -> int:
    if not (isinstance(kind, Kind) and isinstance(space, Space) and isinstance(heading, Heading)):
        given = ", ".join(shorten(part) for part in (kind, space, heading))
        raise WrongTypeError(f"a move is packed from a Kind, a Space and a Heading, not {given}; Move.pack reads texts")
    return (_FIRST[kind] + kind.canonical(heading)) * 211 + _NUMBER[space]


class _Unpacked(dict[int, library.Move]):
    """By packed number: the library's move, made on first use. Numbers must be valid."""

    def __missing__(self, number: int) -> library.Move:
        kind, heading = ORIENTATIONS[(number & 0x1FFF) // 211]
        space = SPACES[(number & 0x1FFF) % 211]
        origin = number >> 13
        if origin == _FROM_SET:
            move = library.Move.add(kind, space, heading)
        else:
            move = library.Move.shift(SPACES[origin], space, heading)
        self[number] = move
        return move


UNPACKED: Final = _Unpacked()
MOVE_CACHE: Final[list[library.Move | None]] = [None] * _kernel.ACTIONS
"""By action: the library's move, None until its first use."""
