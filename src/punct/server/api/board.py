"""The board's geometry, as clients get it once."""

from __future__ import annotations

from functools import cache
from typing import get_args

from punct.geometry import CENTRE, SIDES, SPACES, STEP, STRIDE, Heading, spaces_of
from punct.piece import OFFSETS, Kind
from punct.server.api.schemas import Board, BoardSpace, HeadingWord, KindLetter, KindShape, Offset

HEADINGS: tuple[HeadingWord, ...] = get_args(HeadingWord)
"""By heading: its word in texts."""
KINDS: dict[Kind, KindLetter] = {Kind(letter): letter for letter in get_args(KindLetter)}


@cache
def board() -> Board:
    """Return all that never changes."""
    return Board(
        spaces=[BoardSpace(name=space.name, column=space.column, row=space.row) for space in SPACES],
        headings={HEADINGS[heading]: _offset(STEP[heading]) for heading in Heading},
        centre=[space.name for space in spaces_of(CENTRE)],
        sides=[
            ([space.name for space in spaces_of(near)], [space.name for space in spaces_of(far)]) for near, far in SIDES
        ],
        kinds={letter: _shape(kind) for kind, letter in KINDS.items()},
    )


def _shape(kind: Kind) -> KindShape:
    return KindShape(
        count=kind.count,
        middle=kind.middle,
        headings=[HEADINGS[heading] for heading in kind.headings],
        dots={HEADINGS[heading]: [_offset(bits) for bits in (0, *OFFSETS[kind][heading])] for heading in Heading},
    )


def _offset(bits: int) -> Offset:
    """Return a difference of bit numbers, of at most two steps, as columns and rows."""
    column = round(bits / STRIDE)
    return Offset(column=column, row=bits - column * STRIDE)
