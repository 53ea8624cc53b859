"""What never changes: the board's geometry, the opponent's levels in words for people who choose one."""

from __future__ import annotations

from functools import cache
from typing import Final

from punct.geometry import CENTRE, SIDES, SPACES, STEP, STRIDE, Heading, spaces_of
from punct.piece import OFFSETS, Kind
from punct.server.api.present.words import HEADINGS, KINDS
from punct.server.api.schemas import Board, BoardSpace, KindShape, Level, Levels, Offset

_DESCRIPTIONS: Final = {
    1: "Builds its own chain and often forgets yours. For children, and for your very first games.",
    2: "Knows all the rules but overlooks threats now and then. For learning how to connect.",
    3: "Watches you a little and sometimes stops you. For the first weeks.",
    4: "Stops most direct threats and rarely gives a win away. For people who play regularly.",
    5: "Takes every win in one turn and hardly ever overlooks yours. You have to make two threats at once.",
    6: "Looks several turns ahead and plans for the centre too. For experienced players.",
    7: "Finds long sequences of threats. Few will beat it.",
    8: "Everything it has, in about a second a turn.",
}


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


def levels() -> Levels:
    """Return all levels, weakest first."""
    from punct.engine.levels import LEVELS  # loads the search, which the server itself does not need

    return Levels(
        levels=[
            Level(level=level.number, name=level.words, description=_DESCRIPTIONS[level.number]) for level in LEVELS
        ]
    )
