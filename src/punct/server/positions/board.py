"""The board's geometry and the shapes of the pieces, as clients get them."""

from __future__ import annotations

from functools import cache

from punct.geometry import CENTRE, SIDES, SPACES, STEP, STRIDE, Heading, spaces_of
from punct.piece import OFFSETS, Kind
from punct.server.http.encoding import HEADING_WORDS, KIND_LETTERS
from punct.server.positions.schemas import Board, BoardSpace, KindShape, Offset


@cache
def board() -> Board:
    """Return the board. It never changes."""
    return Board(
        spaces=[BoardSpace(name=space.name, column=space.column, row=space.row) for space in SPACES],
        headings={HEADING_WORDS[heading]: _offset(STEP[heading]) for heading in Heading},
        centre=[space.name for space in spaces_of(CENTRE)],
        sides=[
            ([space.name for space in spaces_of(near)], [space.name for space in spaces_of(far)]) for near, far in SIDES
        ],
        kinds={letter: _shape(kind) for kind, letter in KIND_LETTERS.items()},
    )


def _shape(kind: Kind) -> KindShape:
    return KindShape(
        count=kind.count,
        middle=kind.middle,
        headings=[HEADING_WORDS[heading] for heading in kind.headings],
        dots={HEADING_WORDS[heading]: [_offset(bits) for bits in (0, *OFFSETS[kind][heading])] for heading in Heading},
    )


def _offset(bits: int) -> Offset:
    """Convert a difference of bit numbers, of at most two steps, to columns and rows."""
    column = round(bits / STRIDE)
    return Offset(column=column, row=bits - column * STRIDE)
