"""What shows that no game can lead to a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from punct.piece import SET_SIZE, Colour, Piece

if TYPE_CHECKING:
    from punct.contract import PositionLike


def impossible(position: PositionLike) -> Iterator[str]:
    """Yield, in words, what cannot have come about by legal moves. Not everything impossible is found."""
    yield from _beginning(position)
    mover, waiting = position.turn, position.turn.other
    if position.on_board(mover) == SET_SIZE:
        yield f"{mover} is to move but has added all {SET_SIZE} pieces: the last one ends the game"
    for piece in position.pieces:
        if piece.level > 1:
            below = _right_below(position, piece)
            if below is None:
                yield f"{piece} at level {piece.level} has its PÜNCT over an empty space"
            elif below.colour is not piece.colour:
                yield f"{piece} at level {piece.level} has its PÜNCT on a piece of {below.colour}, {below}"
    # Only a move brings another's chain to light, and the piece that moved last is free.
    if position.chain(mover) and not position.chain(waiting) and not position.free_pieces(waiting):
        yield f"{mover}'s chain ended the game before, for {waiting} has no free piece that could have uncovered it"


def _beginning(position: PositionLike) -> Iterator[str]:
    """Yield what is wrong with who has pieces at all: White begins, and the first move of each player is an add."""
    white, black = position.on_board(Colour.WHITE), position.on_board(Colour.BLACK)
    if position.turn is Colour.WHITE:
        if black and not white:
            yield "Black has pieces on the board, but White, who begins, has none"
        elif white and not black:
            yield "White is to move and has pieces on the board, but Black has none: Black would have had to add one"
    elif not white:
        yield "Black is to move, but White, who begins, has no piece on the board"
    elif not black and white > 1:
        yield f"White has {white} pieces on the board before Black has added one"
    elif not black:
        (first,) = position.pieces
        if any(space.in_centre for space in first.spaces):
            yield f"White's first piece, {first}, touches the central hexagon"


def _right_below(position: PositionLike, piece: Piece) -> Piece | None:
    stack = position.stack(piece.space)
    index = stack.index(piece)
    return stack[index - 1] if index else None
