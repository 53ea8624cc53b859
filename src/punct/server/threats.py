"""Who could connect with a single turn: found for whole boards at once, for the client's warning.

A piece is three adjacent dots, so it joins two sides exactly when some dot of it is on, or next to a chain from, the
one side, and some dot likewise for the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from punct.connection import shortest_chain
from punct.geometry import SIDES, SPACE_AT, around, bits_of, look, mask_of
from punct.legal import Landings, landings, lifted
from punct.move import Move
from punct.piece import OFFSETS, Colour, footprint
from punct.position import Position
from punct.server.schemas import Threat, Threats

LISTED: Final = 12
"""How many turns a threat names."""


class Winning(NamedTuple):
    """Some turns that connect, and what the player shows besides the piece played."""

    landings: Landings
    shown: int


def threats(position: Position, *, over: bool = False) -> Threats:
    """Return for both players whether they would connect, were it their turn; nothing once the game is over."""
    if over or position.outcome():
        return Threats(w=_threat([]), b=_threat([]))
    other = Position(" ".join([position.rules.value, position.turn.other.letter, *map(str, position.pieces)]))
    found = {side.turn: _threat(list(winning(side))) for side in (position, other)}
    return Threats(w=found[Colour.WHITE], b=found[Colour.BLACK])


def winning(position: Position) -> Iterator[Winning]:
    """Yield the turns of the side to move that connect; the game must not be over."""
    piece, shown = None, position.shown(position.turn)
    reach = _reach(shown)
    for found in landings(position):
        if found.piece is not None and found.piece is not piece:
            piece = found.piece
            shown, _ = lifted(position, piece)
            reach = _reach(shown)
        first, second = OFFSETS[found.kind][found.heading]
        mask = 0
        for near, far in reach:
            mask |= (near | look(near, first) | look(near, second)) & (far | look(far, first) | look(far, second))
        if mask & found.mask:
            yield Winning(found._replace(mask=mask & found.mask), shown)


def _reach(shown: int) -> list[tuple[int, int]]:
    """Return for each pair of sides the spaces where one more dot would be joined to the one, and to the other."""
    return [(_joined(shown, near), _joined(shown, far)) for near, far in SIDES]


def _joined(shown: int, side: int) -> int:
    """Return a side together with its chains and everything next to them."""
    chain = edge = shown & side
    while edge:
        edge = around(edge) & shown & ~chain
        chain |= edge
    return side | chain | around(chain)


def _threat(found: list[Winning]) -> Threat:
    chain: list[str] = []
    if found:
        (_, kind, heading, mask), shown = found[0]
        dots = footprint(kind, SPACE_AT[next(bits_of(mask))], heading)
        assert dots is not None
        chain = [space.name for space in shortest_chain(shown | mask_of(dots))]
    return Threat(
        count=sum(won.landings.mask.bit_count() for won in found),
        turns=[str(move) for move in islice(_moves(found), LISTED)],
        chain=chain,
    )


def _moves(found: list[Winning]) -> Iterator[Move]:
    for (piece, kind, heading, mask), _ in found:
        for bit in bits_of(mask):
            if piece is None:
                yield Move.add(kind, SPACE_AT[bit], heading)
            else:
                yield Move.shift(piece.space, SPACE_AT[bit], heading)
