"""The board's twelve symmetries: six rotations, and the same after a reflection.

The rules know no up or down, so a position turned or mirrored is the same game. A rotation takes heading ``d`` to
``sixths + d``, a reflection to ``sixths - d``. Mirrored pieces change more than their place: L and R swap, and a
triangle or M piece, whose shape is told from its left-hand minor dot, gets the heading of the dot that was right-hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from punct.errors import PunctError, WrongTypeError, expect, expect_integer, shorten
from punct.geometry import SPACE_AT, SPACES, STEP, Heading, Space, read_heading
from punct.move import Move, MoveLike
from punct.notation import lowest_first, read_move
from punct.piece import Kind, Piece, checked_piece, shared_piece

if TYPE_CHECKING:
    from punct.contract import PositionLike

    P = TypeVar("P", bound=PositionLike)

_CENTRE_SPACE: Final = Space("i9")
_MIRROR_KIND: Final = {Kind.L: Kind.R, Kind.R: Kind.L}
_MINOR_DOTS_APART: Final = {Kind.T: 1, Kind.M: 2}
"""By kind: how far clockwise the second minor dot lies from the first, both next to the PÜNCT."""


@dataclass(frozen=True)
class Symmetry:
    """One way to lay the board on itself: mirrored about the upright axis or not, then turned clockwise by sixths.

    >>> sixth = Symmetry(sixths=1)
    >>> sixth.space(Space("i10"))
    Space('j10')
    >>> mirror = Symmetry(sixths=0, mirrored=True)
    >>> from punct import Position
    >>> str(mirror.position(Position("standard b wLb9ne")))
    'standard b wRp16nw'
    """

    sixths: int
    mirrored: bool = False

    def __post_init__(self) -> None:
        if not 0 <= expect_integer(self.sixths, "a symmetry rotates the board by a whole number of sixths") < 6:
            raise PunctError(f"a symmetry rotates the board by 0 to 5 sixths, not {self.sixths}")

    @classmethod
    def of(cls, symmetry: Symmetry | int) -> Symmetry:
        """Return the symmetry, also from its number in ``SYMMETRIES``; raises PunctError if there is none."""
        if isinstance(symmetry, Symmetry):
            return symmetry
        if isinstance(symmetry, bool) or not isinstance(symmetry, int):
            raise WrongTypeError(f"{shorten(symmetry)} is not a symmetry: give a Symmetry or its number")
        if not 0 <= symmetry < len(SYMMETRIES):
            raise PunctError(f"a symmetry is a number from 0 to {len(SYMMETRIES) - 1}, not {symmetry}")
        return SYMMETRIES[symmetry]

    @property
    def number(self) -> int:
        """Its place in ``SYMMETRIES``: 0–5 rotated by that many sixths, 6–11 mirrored first."""
        return self.sixths + 6 * self.mirrored

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        return self if self.mirrored else Symmetry(-self.sixths % 6)

    def then(self, other: Symmetry) -> Symmetry:
        """Return the symmetry that does this one first and the other after it."""
        other = Symmetry.of(other)
        sixths = other.sixths - self.sixths if other.mirrored else other.sixths + self.sixths
        return Symmetry(sixths % 6, self.mirrored != other.mirrored)

    def heading(self, heading: Heading) -> Heading:
        """Return where a direction points afterwards."""
        read_heading(heading)
        return Heading((self.sixths - heading if self.mirrored else self.sixths + heading) % 6)

    def space(self, space: Space) -> Space:
        """Return where a space comes to lie."""
        return self._spaces[expect(space, Space, "a space is a Space, such as Space('d5')")]

    def kind(self, kind: Kind) -> Kind:
        """Return what a kind of piece becomes: only L and R change, into each other, in a mirror."""
        expect(kind, Kind, "a kind is a Kind, such as Kind.E")
        return _MIRROR_KIND.get(kind, kind) if self.mirrored else kind

    def piece(self, piece: Piece) -> Piece:
        """Return how a piece comes to lie."""
        kind, heading = self._orientations[checked_piece(piece).kind][piece.heading]
        return shared_piece(piece.colour, kind, self._spaces[piece.space], heading, piece.level)

    def move(self, move: MoveLike, position: PositionLike) -> Move:
        """Return what a move becomes; ``position`` (before the move) tells which piece a move from a space means."""
        move = read_move(move).move
        space = self.space(move.space)
        if move.kind is not None:
            return Move.add(self.kind(move.kind), space, self._piece_heading(move.kind, move.heading))
        assert move.origin is not None
        if not hasattr(position, "top"):
            raise WrongTypeError(f"a move is played in a Position, not in {type(position).__name__}")
        piece = position.top(move.origin)
        if piece is None or piece.space is not move.origin:
            raise PunctError(f"{move}: no piece shows its PÜNCT on {move.origin}")
        return Move.shift(self.space(move.origin), space, self._piece_heading(piece.kind, move.heading))

    def position(self, position: P) -> P:
        """Return the position rotated or mirrored, as a new one without moves to take back."""
        if not hasattr(position, "transformed"):
            raise WrongTypeError(f"a symmetry rotates a Position, not {type(position).__name__}")
        return position.transformed(self)

    def _piece_heading(self, kind: Kind, heading: Heading) -> Heading:
        moved = self.heading(heading)
        if self.mirrored:
            moved = moved.turned(-_MINOR_DOTS_APART.get(kind, 0))
        return kind.canonical(moved)

    @cached_property
    def _orientations(self) -> dict[Kind, tuple[tuple[Kind, Heading], ...]]:
        """By kind and heading: what both become."""
        return {
            kind: tuple((self.kind(kind), self._piece_heading(kind, heading)) for heading in Heading) for kind in Kind
        }

    def _first(self, pieces: Sequence[Piece]) -> Piece:
        """Return the piece whose PÜNCT comes to lie first, by column and row."""
        bits = self._bits
        return min(pieces, key=lambda piece: bits[piece.space])

    @cached_property
    def _bits(self) -> dict[Space, int]:
        return {space: image.bit for space, image in self._spaces.items()}

    @cached_property
    def _spaces(self) -> dict[Space, Space]:
        # Any space is so many steps north and so many south-east of the centre; its image is as many mapped steps away.
        north, south_east = STEP[self.heading(Heading.N)], STEP[self.heading(Heading.SE)]
        centre = _CENTRE_SPACE
        return {
            space: SPACE_AT[
                centre.bit + (space.row - centre.row) * north + (space.column - centre.column) * south_east
            ]
            for space in SPACES
        }  # fmt: skip


SYMMETRIES: Final = tuple(Symmetry(sixths, mirrored) for mirrored in (False, True) for sixths in range(6))
"""All twelve, the one that changes nothing first."""


def least_of(rules: str, turn: str, pieces: Sequence[Piece]) -> tuple[int, str]:
    """Return which symmetry gives the position of these pieces (lowest first) the first text in the alphabet, and it.

    Texts that begin with different pieces need not be written out: the first piece, the lowest with the least space,
    decides.
    """
    ground = [piece for piece in pieces if piece.level == 1]
    least: list[Symmetry] = list(SYMMETRIES)
    if ground:
        first_words = [str(symmetry.piece(symmetry._first(ground))) for symmetry in SYMMETRIES]
        word = min(first_words)
        least = [symmetry for symmetry, first in zip(SYMMETRIES, first_words, strict=True) if first == word]
    texts = [
        (" ".join((rules, turn, *map(str, sorted(map(symmetry.piece, pieces), key=lowest_first)))), symmetry.number)
        for symmetry in least
    ]
    text, number = min(texts)
    return number, text
