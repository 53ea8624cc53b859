"""What a beginner sees: how far each side still is from joining two sides, and which turns bring it nearer.

A plain look at the board without any search. Weak levels follow it when they forget the opponent, and openings for
matches are drawn from it, so that they look like games.

Distances count in half pieces' worth of dots: an own showing dot costs 0, an empty space 2, an empty space of the
central hexagon 3 (in the standard game nothing can be added there), an opponent's dot 6 and 2 more for each level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from punct.geometry import BITS, BOARD, CENTRE, SIDES, SPACE_AT, SPACES, STEP, Heading, around, bits_of
from punct.legal import Landings, added, lifted, moved
from punct.move import Move
from punct.piece import FITS, OFFSETS, Colour, Kind, Piece
from punct.position import Position

Costs = npt.NDArray[np.int16]
Distances = npt.NDArray[np.int16]

FAR: Final = 999
_EMPTY, _EMPTY_CENTRE, _OPPONENT, _PER_LEVEL = 2, 3, 6, 2
_INDEX: Final = np.full(BITS, len(SPACES), dtype=np.int16)
"""By bit: a space's number 0–210; 211, a place beyond the board, where there is none."""
for _number, _space in enumerate(SPACES):
    _INDEX[_space.bit] = _number
_NEIGHBOURS: Final = np.array(
    [[_INDEX[s.bit + step] if 0 <= s.bit + step < BITS else len(SPACES) for step in STEP] for s in SPACES]
)
_EDGES: Final = tuple(
    np.array([_INDEX[bit] for bit in bits_of(side)], dtype=np.intp) for pair in SIDES for side in pair
)  # fmt: skip
_CENTRE: Final = np.array([bool(CENTRE >> s.bit & 1) for s in SPACES])


def distances(costs: Costs) -> Distances:
    """Return by row of costs, side and space the cheapest way from that side to there, the space's own cost included.

    A last column stands for the world beyond the board.
    """
    rows = costs.shape[0]
    cost = costs[:, None, :].astype(np.int16)
    found = np.full((rows, 6, len(SPACES) + 1), FAR, dtype=np.int16)
    for side, edge in enumerate(_EDGES):
        found[:, side, edge] = costs[:, edge]
    while True:
        nearest = found[:, :, _NEIGHBOURS].min(axis=3) + cost
        better = np.minimum(nearest, found[:, :, :-1])
        if np.array_equal(better, found[:, :, :-1]):
            return found
        found[:, :, :-1] = better


def costs_for(own: int, floors: Sequence[int]) -> Costs:
    """Return by space what a player has to pay to show there, given where it shows and how high the spaces are."""
    mine = _flags(own)
    heights = np.zeros(len(SPACES), dtype=np.int16)
    for level, floor in enumerate(floors):
        if level and floor:
            heights[_flags(floor)] = level
    costs = np.where(_CENTRE, _EMPTY_CENTRE, _EMPTY).astype(np.int16)
    taken = heights > 0
    costs[taken] = _OPPONENT + _PER_LEVEL * (heights[taken] - 1)
    costs[mine] = 0
    return costs


def to_go(position: Position, colour: Colour) -> int:
    """Return how far a player is from joining two opposite sides; 0 when they are joined."""
    return int(_shortest(distances(costs_for(position.shown(colour), position.floors)[None]))[0])


class Plans(NamedTuple):
    """Turns of the side to move, with how far it would be from joining two sides after each."""

    moves: list[Move]
    to_go: npt.NDArray[np.int16]
    touching: npt.NDArray[np.bool_]
    """Whether the piece would lie next to, or on, what the player already shows."""


def plans(position: Position, *, adds_only: bool = False) -> Plans:
    """Return every legal turn with the distance it leaves its player, as if the opponent did not exist."""
    colour = position.turn
    shown, floors = position.shown(colour), position.floors
    groups: list[tuple[int, Landings]] = [(0, found) for found in added(position)]
    costs = [costs_for(shown, floors)]
    own = [shown]
    if not adds_only:
        for piece in position.free_pieces(colour):
            bare, below = lifted(position, piece)
            costs.append(costs_for(bare, below))
            own.append(bare)
            groups += [(len(costs) - 1, found) for found in moved(position, piece)]
    table = np.stack(costs)
    ways = distances(table)
    before = _shortest(ways)
    entering = ways[:, :, :-1] - table[:, None, :]  # up to, not including, the space itself
    near = np.stack([_flags(mask | _around(mask)) for mask in own])
    moves: list[Move] = []
    left: list[npt.NDArray[np.int16]] = []
    touching: list[npt.NDArray[np.bool_]] = []
    for row, (piece_lifted, kind, heading, mask) in groups:
        bits = list(bits_of(mask))
        dots = _dots(kind, heading)[bits]
        reach = entering[row][:, dots].min(axis=2)
        after = (reach[0::2] + reach[1::2]).min(axis=0)
        left.append(np.minimum(after, before[row]).astype(np.int16))
        touching.append(near[row][dots].any(axis=1))
        moves.extend(_named(piece_lifted, kind, heading, bits))
    if not moves:
        return Plans([], np.zeros(0, dtype=np.int16), np.zeros(0, dtype=np.bool_))
    return Plans(moves, np.concatenate(left), np.concatenate(touching))


def _named(piece: Piece | None, kind: Kind, heading: Heading, bits: list[int]) -> Iterator[Move]:
    for bit in bits:
        space = SPACE_AT[bit]
        yield Move.add(kind, space, heading) if piece is None else Move.shift(piece.space, space, heading)


def _shortest(ways: Distances) -> npt.NDArray[np.int16]:
    across = [ways[:, 2 * pair, _EDGES[2 * pair + 1]] for pair in range(3)]
    shortest: npt.NDArray[np.int16] = np.concatenate(across, axis=1).min(axis=1)
    return shortest


def _around(mask: int) -> int:
    return around(mask) & BOARD


def _flags(mask: int) -> npt.NDArray[np.bool_]:
    """Return by space whether it is in the mask."""
    octets = np.frombuffer(mask.to_bytes((BITS + 7) // 8, "little"), dtype=np.uint8)
    flags: npt.NDArray[np.bool_] = np.unpackbits(octets, bitorder="little")[_BITS_OF_SPACES].astype(np.bool_)
    return flags


_BITS_OF_SPACES: Final = np.array([space.bit for space in SPACES])


@cache
def _dots(kind: Kind, heading: Heading) -> npt.NDArray[np.int16]:
    """By the PÜNCT's bit: the three spaces' numbers."""
    first, second = OFFSETS[kind][heading]
    table = np.zeros((BITS, 3), dtype=np.int16)
    for bit in bits_of(FITS[kind][heading]):
        table[bit] = _INDEX[bit], _INDEX[bit + first], _INDEX[bit + second]
    return table
