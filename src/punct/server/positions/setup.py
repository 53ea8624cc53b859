"""Positions set up from texts, and the manner in which moves are made. Views are made by the kernel."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from punct import kernel
from punct.geometry import SPACES
from punct.kernel.packed import ORIENTATIONS
from punct.move import Move
from punct.piece import Kind


def position_after(start: str, texts: Iterable[str]) -> kernel.Position:
    """Return the position after some moves, which are its history; raises PunctError if one is invalid or illegal."""
    position = canonical_position(start)
    for text in texts:
        position.push(text)
    return position


def canonical_position(start: str) -> kernel.Position:
    """Return a position with its pieces in canonical order, by which they are named."""
    return kernel.Position(str(kernel.Position(start)))


_NUMBERS: Final = {space: number for number, space in enumerate(SPACES)}


class Manner(StrEnum):
    """How a piece was played: from the set; along the board; rotated in place; onto other pieces; as a bridge."""

    ADD = "add"
    MOVE = "move"
    ROTATE = "turn"
    JUMP = "jump"
    BRIDGE = "bridge"


def manner_of(move: Move, position: kernel.Position) -> tuple[Kind, Manner, int]:
    """Return the kind of the piece that the last move of a position played, how it was played, and its level."""
    piece = position.track.piece(_NUMBERS[move.space])
    assert piece is not None
    _, orientation, _, level, bridge, _, _ = piece
    return ORIENTATIONS[orientation][0], _manner(move, level, bridge), level


def _manner(move: Move, level: int, bridge: bool) -> Manner:
    if move.is_add:
        return Manner.ADD
    if bridge:
        return Manner.BRIDGE
    if move.is_rotation:
        return Manner.ROTATE
    return Manner.JUMP if level > 1 else Manner.MOVE
