"""Who could connect with a single turn, for the client's warning. The kernel knows; here it is put into words."""

from __future__ import annotations

from typing import Final

from punct import kernel
from punct.connection import shortest_chain
from punct.geometry import mask_of
from punct.legal import lifted
from punct.move import Move
from punct.piece import Colour, footprint
from punct.position import Position
from punct.server.api.schemas import Threat, Threats

LISTED: Final = 12
"""How many turns a threat names."""


def threats(position: Position, *, over: bool = False) -> Threats:
    """Return for both players whether they would connect, were it their turn; nothing once the game is over."""
    if over or position.outcome():
        nothing = Threat(count=0, turns=[], chain=[])
        return Threats(w=nothing, b=nothing)
    fast = kernel.Position(str(position))
    white, black = (_threat(position, colour, fast.winning_moves(colour)) for colour in Colour)
    return Threats(w=white, b=black)


def _threat(position: Position, colour: Colour, wins: list[Move]) -> Threat:
    chain = shortest_chain(_shown_after(position, colour, wins[0])) if wins else ()
    return Threat(
        count=len(wins),
        turns=[str(move) for move in wins[:LISTED]],
        chain=[space.name for space in chain],
    )


def _shown_after(position: Position, colour: Colour, move: Move) -> int:
    """Return the spaces that show the player's colour once a turn is played."""
    shown, kind = position.shown(colour), move.kind
    if move.origin is not None:
        piece = position.stack(move.origin)[-1]
        shown, kind = lifted(position, piece)[0], piece.kind
    assert kind is not None
    dots = footprint(kind, move.space, move.heading)
    assert dots is not None
    return shown | mask_of(dots)
