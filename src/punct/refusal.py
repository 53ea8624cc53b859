"""Judging one move: whether it is allowed, and if not, which rule it breaks and which spaces are in its way.

Of several rules broken the most telling is named. First what the player chose, then where it goes, then how it would
lie: what no heading could mend comes before what depends on the heading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from punct.geometry import LINES, Space
from punct.move import Move
from punct.outcome import Rules
from punct.piece import Kind, Piece, footprint
from punct.reason import Reason

if TYPE_CHECKING:
    from punct.contract import PositionLike


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not allowed."""

    reason: Reason
    spaces: tuple[Space, ...] = ()
    """What is in the way, or misses its support; nothing where no space is to blame."""


def refuse_add(position: PositionLike, kind: Kind, move: Move) -> Refusal | None:
    """Say why a piece of this kind may not be added so; None if it may (E1, G)."""
    if not position.in_set(position.turn)[kind]:
        return Refusal(Reason.NOT_IN_SET)
    spaces = footprint(kind, move.space, move.heading)
    refusal = Refusal(Reason.OFF_BOARD) if spaces is None else _closed(position, spaces)
    if refusal is None:
        return None
    # A space that is closed to the PÜNCT stays so with every heading.
    always = _closed(position, (move.space,))
    return refusal if always is None or always.reason is refusal.reason else always


def refuse_shift(position: PositionLike, move: Move, stated_kind: Kind | None) -> Refusal | None:
    """Say why a piece on the board may not be moved so; None if it may (E2-E4)."""
    origin, space = move.origin, move.space
    assert origin is not None
    stack = position.stack(origin)
    if not stack:
        return Refusal(Reason.NO_PIECE, (origin,))
    turn = position.turn
    # A covered PÜNCT of one's own is what the player means, before anything that lies on it.
    own = [piece for piece in stack if piece.space is origin and piece.colour is turn]
    if not own:
        reason = Reason.NOT_ITS_PUNCT if stack[-1].colour is turn else Reason.OPPONENTS_PIECE
        return Refusal(reason, (origin,))
    piece = own[-1]
    if stated_kind is not None and stated_kind is not piece.kind:
        return Refusal(Reason.OTHER_KIND, (origin,))
    blockers = position.blockers(piece)
    if blockers:
        hollow = all(blocker.middle is dot and position.is_bridge(blocker) for dot, blocker in blockers.items())
        return Refusal(Reason.UNDER_BRIDGE if hollow else Reason.COVERED, tuple(blockers))
    if origin is not space and not LINES[origin.bit] >> space.bit & 1:
        return Refusal(Reason.NOT_IN_LINE)
    below = floor_below(position, space, piece)
    if below is not None and below.colour is not turn:
        return Refusal(Reason.PUNCT_ON_OPPONENT, (space,))
    if origin is space and piece.kind.canonical(move.heading) is piece.heading:
        return Refusal(Reason.NO_CHANGE)
    return _refuse_landing(position, piece, move)


def shape_fault(kind: Kind, heights: list[int]) -> Reason | None:
    """Return why a piece cannot rest on floors of these levels (PÜNCT first), whoever owns them; None if it can."""
    punct, first, second = heights
    if punct == first == second:
        return None
    match kind.middle:
        case None:
            return Reason.TRIANGLE_BRIDGE
        case 0:
            middle, ends = punct, (first, second)
        case _:
            middle, ends = first, (punct, second)
    if ends[0] != ends[1]:
        return Reason.ENDS_NOT_LEVEL
    return Reason.UNEVEN if middle > ends[0] else None


def floor_below(position: PositionLike, space: Space, lifted: Piece) -> Piece | None:
    """Return what a space shows once a free piece, the very object that lies there, is lifted."""
    stack = position.stack(space)
    if stack and stack[-1] is lifted:
        return stack[-2] if len(stack) > 1 else None
    return stack[-1] if stack else None


# ---------------------------------------------------------------------- within


def _closed(position: PositionLike, spaces: tuple[Space, ...]) -> Refusal | None:
    """Say why a new piece may not lie on all of these spaces of the board."""
    occupied = [space for space in spaces if position.stack(space)]
    if occupied:
        # A space with nothing but the middle of a bridge above it is empty, yet closed (E4.4).
        hollow = all(position.stack(space)[0].level > 1 for space in occupied)
        return Refusal(Reason.SPACE_UNDER_BRIDGE if hollow else Reason.SPACE_TAKEN, tuple(occupied))
    if position.centre_is_closed:
        inside = [space for space in spaces if space.in_centre]
        if inside:
            standard = position.rules is Rules.STANDARD
            return Refusal(Reason.ADDED_IN_CENTRE if standard else Reason.FIRST_PIECE_IN_CENTRE, tuple(inside))
    return None


def _refuse_landing(position: PositionLike, piece: Piece, move: Move) -> Refusal | None:
    """Say why a piece whose PÜNCT may go there cannot rest with this heading."""
    spaces = footprint(piece.kind, move.space, piece.kind.canonical(move.heading))
    if spaces is None:
        return Refusal(Reason.MOVED_OFF_BOARD)
    floors = [floor_below(position, space, piece) for space in spaces]
    heights = [floor.level if floor else 0 for floor in floors]
    fault = shape_fault(piece.kind, heights)
    middle = piece.kind.middle
    if fault is Reason.UNEVEN and middle is not None:
        return Refusal(fault, (spaces[middle],))
    if fault is not None:
        # The player put the PÜNCT there on purpose: what does not fit are the ends that are not level with it.
        ends = [index for index in range(3) if index != middle]
        return Refusal(fault, tuple(spaces[index] for index in ends if heights[index] != heights[0]))
    if floors[0] is None and max(heights) > 0:
        return Refusal(Reason.PUNCT_OVER_EMPTY, (move.space,))
    return None
