"""Listing legal moves, whole boards at a time.

For each kind and heading, every space where a PÜNCT may stand is found at once: shift the masks of floors so that the
minor dots' spaces lie over the PÜNCT's, and intersect.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from punct.errors import PunctError, WrongTypeError
from punct.geometry import BITS, CENTRE, LINES, SPACE_AT, Heading, Space, bits_of, look
from punct.move import Move
from punct.piece import FITS, OFFSETS, Kind, Piece

if TYPE_CHECKING:
    from random import Random

    from punct.contract import PositionLike


class Landings(NamedTuple):
    """Some legal moves: the piece (None when it comes from the set), its kind and heading, and its PÜNCT's spaces."""

    piece: Piece | None
    kind: Kind
    heading: Heading
    mask: int


def landings(position: PositionLike) -> Iterator[Landings]:
    """Yield all moves the side to move has, were the game not over: adds first, then each free piece's moves."""
    yield from added(position)
    for piece in position.free_pieces(position.turn):
        yield from moved(position, piece)


def added(position: PositionLike) -> Iterator[Landings]:
    """Yield where each kind left in the set may be added (E1, G)."""
    empty = position.floor(0)
    if position.centre_is_closed:
        empty &= ~CENTRE
    for kind, count in position.in_set(position.turn).items():
        if count:
            offsets = OFFSETS[kind]
            for heading in kind.headings:
                first, second = offsets[heading]
                mask = empty & look(empty, first) & look(empty, second)
                if mask:
                    yield Landings(None, kind, heading, mask)


def moved(position: PositionLike, piece: Piece) -> Iterator[Landings]:
    """Yield where a free piece may be carried, turned, jumped and bridged (E2–E4)."""
    own, floors = lifted(position, piece)
    bit = piece.space.bit
    kind, here = piece.kind, 1 << bit
    in_line = LINES[bit] | here
    empty = floors[0]
    raised = [(own & in_line, floor, up_to) for floor, up_to in _raised(floors)]
    for heading in kind.headings:
        first, second = OFFSETS[kind][heading]
        mask = in_line & empty & look(empty, first) & look(empty, second)
        for own_in_line, floor, up_to in raised:
            match kind.middle:
                case None:  # a triangle lies flat on three dots (E4.2)
                    mask |= own_in_line & floor & look(floor, first) & look(floor, second)
                case 0:  # the ends are the minor dots; the PÜNCT between them may be as high or lower, on an own piece
                    mask |= own_in_line & up_to & look(floor, first) & look(floor, second)
                case _:  # the PÜNCT is an end, the first minor dot the middle
                    mask |= own_in_line & floor & look(up_to, first) & look(floor, second)
        if heading is piece.heading:
            mask &= ~here  # it must not lie exactly as before (E2.5)
        if mask:
            yield Landings(piece, kind, heading, mask)


def lifted(position: PositionLike, piece: Piece) -> tuple[int, list[int]]:
    """Return, with this piece lifted: its owner's showing spaces, and the spaces at each floor (0 the board)."""
    away = ~piece.mask
    own = position.shown(piece.colour) & away
    floors = [floor & away for floor in position.floors]
    for space in piece.spaces:
        below = position.stack(space)[:-1]
        if below:
            top = below[-1]
            floors[top.level] |= space.mask
            if top.colour is piece.colour:
                own |= space.mask
        else:
            floors[0] |= space.mask
    return own, floors


def _raised(floors: list[int]) -> Iterator[tuple[int, int]]:
    """Yield each floor above the board together with everything up to it."""
    up_to = floors[0]
    for floor in floors[1:]:
        if floor:
            up_to |= floor
            yield floor, up_to


class LegalMoves(Set[Move]):
    """The legal moves of a position, as a set that is generated only as far as it is needed.

    It always shows the position as it is now: push a move, and the same view lists the opponent's moves.

    >>> from punct import Position
    >>> "Ed5ne" in Position().legal_moves
    True
    """

    __slots__ = ("_position",)

    def __init__(self, position: PositionLike) -> None:
        self._position = position

    def _landings(self) -> Iterator[Landings]:
        return iter(()) if self._position.outcome() else landings(self._position)

    def __iter__(self) -> Iterator[Move]:
        for piece, kind, heading, mask in self._landings():
            if piece is None:
                yield from compress(_adds(kind, heading), _flags(mask))
            else:
                moves = _shifts(piece.space, heading)
                while mask:
                    low = mask & -mask
                    yield moves[low]
                    mask ^= low

    def __len__(self) -> int:
        return sum(landing.mask.bit_count() for landing in self._landings())

    def __bool__(self) -> bool:
        return not self._position.outcome()  # a position without a legal move is over (reading 3)

    def __contains__(self, move: object) -> bool:
        return self._position.is_legal(move)

    def choice(self, rng: Random | Integers | None = None) -> Move:
        """Return one of the legal moves, each as likely; raises PunctError if there is none.

        ``rng`` is a ``random.Random`` or a NumPy ``Generator``; without one the move cannot be predicted.
        """
        count = len(self)
        if not count:
            raise PunctError(f"there is no legal move to choose from: the game is over in {self._position}")
        return self._at(below(count, rng))

    def _at(self, index: int) -> Move:
        for landing in self._landings():
            count = landing.mask.bit_count()
            if index < count:
                bit = next(islice(bits_of(landing.mask), index, None))
                if landing.piece is None:
                    return Move.add(landing.kind, SPACE_AT[bit], landing.heading)
                return Move.shift(landing.piece.space, SPACE_AT[bit], landing.heading)
            index -= count
        raise IndexError(index)

    def __repr__(self) -> str:
        return f"<{len(self)} legal moves of {str(self._position)!r}>"

    @classmethod
    def _from_iterable(cls, it: object) -> set[Move]:  # type: ignore[override]
        """Return the results of set operations as plain sets."""
        return set(it)  # type: ignore[call-overload, no-any-return]


class Integers(Protocol):
    """The method of a NumPy ``Generator`` that is used."""

    def integers(self, low: int, /) -> object:
        """Return a whole number from 0 to one less."""


@cache
def _default_random() -> Random:
    """Return the generator that is used where the caller gives none; nobody has seeded it."""
    from random import Random

    return Random()


def below(count: int, rng: Random | Integers | None) -> int:
    """Return a random whole number from 0 to one less than ``count``."""
    from random import Random  # loaded when first needed: most programs that list moves draw none

    if rng is None:
        rng = _default_random()
    if isinstance(rng, Random):
        return rng.randrange(count)
    if not hasattr(rng, "integers"):
        raise WrongTypeError(f"chance comes from a random.Random or a NumPy Generator, not {type(rng).__name__}")
    return int(rng.integers(count))  # type: ignore[call-overload, no-any-return]


_ONES_AND_ZEROS: Final = bytes.maketrans(b"01", b"\x00\x01")


def _flags(mask: int) -> bytes:
    """Return a byte for each bit, lowest first, for ``compress``: faster than one bit at a time when many are set."""
    return bin(mask)[:1:-1].encode().translate(_ONES_AND_ZEROS)


@cache
def _adds(kind: Kind, heading: Heading) -> tuple[Move | None, ...]:
    """By bit: the add of this kind and heading there."""
    fits = FITS[kind][heading]
    return tuple(Move.add(kind, SPACE_AT[bit], heading) if fits >> bit & 1 else None for bit in range(BITS))


@cache
def _shifts(origin: Space, heading: Heading) -> dict[int, Move]:
    """By the mask of the new space: the move of the piece from ``origin``."""
    reachable = LINES[origin.bit] | origin.mask
    return {1 << bit: Move.shift(origin, SPACE_AT[bit], heading) for bit in bits_of(reachable)}


def may_play(position: PositionLike) -> bool:
    """Return whether the side to move has any move at all."""
    return next(landings(position), None) is not None
