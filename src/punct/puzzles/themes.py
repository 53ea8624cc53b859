"""What a puzzle is about, told by what happens in its main line.

========  ======================================================================================================
bridge    the turn that wins is a bridge
uncover   the chain that wins runs through a space which the piece just moved has left: its own dot shows there now
rotate    the turn that wins turns a piece in place
count     it is won by the count in the central hexagon
jump      the first turn takes a piece on top of others, where it lies flat
double    the first turn threatens in two places at once, and no single reply meets both
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
from punct.outcome import Ending
from punct.piece import footprints
from punct.puzzles.puzzle import Goal, Theme


def themes_of(position: Position, goal: Goal, line: Sequence[str]) -> tuple[Theme, ...]:
    """Return what this line from a position is about."""
    board = position.copy()
    found = set(_first(board, goal, line[0], len(line)))
    for turn in line[:-1]:
        board.push(turn)
    if goal is Goal.WIN:
        found.update(_last(board, line[-1]))
    return tuple(theme for theme in Theme if theme in found)


def _first(board: Position, goal: Goal, text: str, length: int) -> Iterator[Theme]:
    """Yield what the first turn shows, and what stood against it."""
    me, turn = board.turn, Move.pack(text, board)
    if goal is Goal.HOLD:
        if board.winning_moves(~me):
            yield Theme.DEFENCE
        if last_piece_wins(board, ~me):
            yield Theme.CENTRE
    bridged = _kernel.is_bridge(board.track, turn)
    board.push(text)
    placed = board.top(turn.unpacked.space)
    if turn.unpacked.kind is None and turn.unpacked.origin is not turn.unpacked.space and not bridged:
        assert placed is not None
        if placed.level > 1:
            yield Theme.JUMP
    if length == 3 and _threatens_twice(board):
        yield Theme.DOUBLE
    board.pop()


def _threatens_twice(board: Position) -> bool:
    """Tell whether whoever has just moved could win next in two places that have no space in common."""
    winning = set(_kernel.wins(board.track, ~board.turn))
    spaces = {landing_of(Move(turn)) for turn in winning}
    return any(not one & other for one, other in combinations(spaces, 2))


def _last(board: Position, text: str) -> Iterator[Theme]:
    """Yield what the turn that wins shows."""
    turn = Move.pack(text, board)
    move = turn.unpacked
    if _kernel.is_bridge(board.track, turn):
        yield Theme.BRIDGE
    if move.origin is move.space:
        yield Theme.ROTATE
    moved = board.top(move.origin) if move.origin is not None else None
    board.push(text)
    outcome = board.outcome()
    if outcome is not None and outcome.reason is Ending.CENTRE_COUNT:
        yield Theme.COUNT
    elif moved is not None:
        left = set(moved.spaces) - landing_of(turn)
        if not left.isdisjoint(board.winning_chain):
            yield Theme.UNCOVER
    board.pop()


def landing_of(turn: Move) -> frozenset[Space]:
    """Return the three spaces a piece comes to lie on; turns of different pieces may share them."""
    move = turn.unpacked
    return frozenset(footprints(turn.kind, move.heading)[move.space])
