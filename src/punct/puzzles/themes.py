"""The themes of a puzzle, derived from its main line.

========  ======================================================================================================
bridge    the winning move is a bridge
uncover   the winning chain runs through a space which the piece just moved has left: its own dot shows there now
rotate    the winning move rotates a piece in place
count     it is won by the count in the central hexagon
jump      the first move takes a piece on top of others, where it lies flat
double    the first move threatens in two places at once, and no single reply meets both
defence   a connection is to be stopped
centre    the last piece is about to win by the count, and that is to be stopped
========  ======================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from punct import _kernel
from punct.analysis import last_piece_wins
from punct.geometry import Space
from punct.kernel import Position
from punct.kernel.packed import Move
from punct.move import MoveLike
from punct.outcome import Ending
from punct.piece import footprints
from punct.puzzles.puzzle import Goal, Theme


def themes_of(position: Position, goal: Goal, variation: Sequence[MoveLike]) -> tuple[Theme, ...]:
    """Return the themes of a variation from a position."""
    board = position.copy()
    themes = set(_themes_of_first(board, goal, variation[0], len(variation)))
    for move in variation[:-1]:
        board.push(move)
    if goal is Goal.WIN:
        themes.update(_themes_of_last(board, variation[-1]))
    return tuple(theme for theme in Theme if theme in themes)


def _themes_of_first(board: Position, goal: Goal, played: MoveLike, length: int) -> Iterator[Theme]:
    """Yield the themes of the first move, and those of the threat it meets."""
    me, packed = board.turn, Move.pack(played, board)
    move = packed.unpacked
    if goal is Goal.HOLD:
        if board.winning_moves(~me):
            yield Theme.DEFENCE
        if last_piece_wins(board, ~me):
            yield Theme.CENTRE
    is_bridge = _kernel.is_bridge(board.track, packed)
    board.push(played)
    piece = board.top(move.space)
    if move.kind is None and move.origin is not move.space and not is_bridge:
        assert piece is not None
        if piece.level > 1:
            yield Theme.JUMP
    if length == 3 and _threatens_twice(board):
        yield Theme.DOUBLE
    board.pop()


def _threatens_twice(board: Position) -> bool:
    """Return whether the player who has just moved could win next in two places without a common space."""
    winning = set(_kernel.wins(board.track, ~board.turn))
    spaces = {landing_of(Move(number)) for number in winning}
    return any(not one & other for one, other in combinations(spaces, 2))


def _themes_of_last(board: Position, played: MoveLike) -> Iterator[Theme]:
    """Yield the themes of the winning move."""
    packed = Move.pack(played, board)
    move = packed.unpacked
    if _kernel.is_bridge(board.track, packed):
        yield Theme.BRIDGE
    if move.origin is move.space:
        yield Theme.ROTATE
    piece = board.top(move.origin) if move.origin is not None else None
    board.push(played)
    outcome = board.outcome()
    if outcome is not None and outcome.reason is Ending.CENTRE_COUNT:
        yield Theme.COUNT
    elif piece is not None:
        uncovered = set(piece.spaces) - landing_of(packed)
        if not uncovered.isdisjoint(board.winning_chain):
            yield Theme.UNCOVER
    board.pop()


def landing_of(packed: Move) -> frozenset[Space]:
    """Return the three spaces a piece comes to lie on; moves of different pieces may share them."""
    move = packed.unpacked
    return frozenset(footprints(packed.kind, move.heading)[move.space])
