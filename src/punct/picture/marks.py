"""Marks on a position: the last move, the winning chain, highlights, arrows, candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from punct.errors import PunctError, shorten
from punct.geometry import Space
from punct.move import Move, MoveLike
from punct.notation import read_move
from punct.picture.glyphs import write
from punct.picture.layout import SPACING, View
from punct.picture.markup import Point, circle, number, pair, polyline
from punct.picture.stones import BODY, DOT_RADIUS, PUNCT_RADIUS, body, outline, stroke
from punct.picture.theme import Theme, read_colour
from punct.piece import Piece, shared_piece

if TYPE_CHECKING:
    from punct.contract import PositionLike

_HEAD: Final = 9.0
"""The length of an arrow's head."""


class LastMove(NamedTuple):
    """A move in the position it led to: the piece, and the piece before the move if that is known."""

    move: Move
    after: Piece
    before: Piece | None


class Arrow(NamedTuple):
    """An arrow from space to space; without a colour it has the theme's."""

    start: Space
    end: Space
    colour: str | None


class Ghost(NamedTuple):
    """A candidate: the piece as it would lie, and the move's worth as a share of the best."""

    move: Move
    piece: Piece
    share: float


def read_space(space: object) -> Space:
    """Return the space, also from its name."""
    if isinstance(space, Space):
        return space
    if isinstance(space, str):
        return Space(space)
    raise PunctError(f"{shorten(space)} is not a space: give a Space or its name, such as i9")


def read_spaces(spaces: Iterable[Space | str], what: str) -> list[Space]:
    """Return the spaces, also from their names."""
    return [read_space(space) for space in _each(spaces, what, "spaces")]


def read_highlights(spaces: Iterable[Space | str] | Mapping[Space | str, str]) -> dict[Space, str | None]:
    """Return the colour of each highlighted space, None for the theme's own."""
    if isinstance(spaces, Mapping):
        return {read_space(space): read_colour(colour) for space, colour in spaces.items()}
    return dict.fromkeys(read_spaces(spaces, "highlights"))


def read_arrows(arrows: Iterable[Sequence[Space | str]]) -> list[Arrow]:
    """Return the arrows: each one two spaces, and an optional colour."""
    checked = []
    for arrow in _each(arrows, "arrows", "pairs of spaces"):
        if not isinstance(arrow, tuple | list) or len(arrow) not in (2, 3):
            raise PunctError(f"{shorten(arrow)} is not an arrow: give two spaces, and a colour if you like")
        start, end = read_space(arrow[0]), read_space(arrow[1])
        if start is end:
            raise PunctError(f"an arrow cannot start and end on the same space, {start}")
        colour = arrow[2] if len(arrow) == 3 else None
        checked.append(Arrow(start, end, None if colour is None else read_colour(str(colour))))
    return checked


def read_candidates(position: PositionLike, candidates: Iterable[MoveLike | tuple[MoveLike, float]]) -> list[Ghost]:
    """Return legal moves as ghosts, each alone or with a number for its worth."""
    ghosts = []
    for candidate in _each(candidates, "candidates", "moves, or pairs of a move and a number"):
        text, share = candidate if isinstance(candidate, tuple) and len(candidate) == 2 else (candidate, 1.0)
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < float("inf"):
            raise PunctError(f"the worth of {shorten(text)} is a number from 0 on, not {shorten(share)}")
        move = position.parse(cast(MoveLike, text))  # which checks it
        level = 1
        if move.kind is not None:
            kind = move.kind
        else:
            assert move.origin is not None
            piece = position.top(move.origin)
            assert piece is not None
            kind, level = piece.kind, position.destinations(piece)[move.space][move.heading]
        ghosts.append(Ghost(move, shared_piece(position.turn, kind, move.space, move.heading, level), float(share)))
    highest = max((ghost.share for ghost in ghosts), default=1.0) or 1.0
    return [ghost._replace(share=ghost.share / highest) for ghost in ghosts]


def read_last_move(position: PositionLike, move: MoveLike) -> LastMove:
    """Return the last move in the position that it led to; raises if it cannot have led there."""
    move = read_move(move).move
    after = position.top(move.space)
    if (
        after is None
        or after.space is not move.space
        or after.colour is position.turn
        or after.heading is not after.kind.canonical(move.heading)
        or not position.is_free(after)
        or (move.kind is not None and (after.kind is not move.kind or after.level > 1))
    ):
        raise PunctError(f"{move} cannot be the last move of this position: {shorten(position, 200)}")
    before = None
    moves = position.moves
    if move.origin is not None and moves and moves[-1] == move:
        earlier = position.copy()
        earlier.pop()
        before = earlier.top(move.origin)
    return LastMove(move, after, before)


def _each(values: object, what: str, of: str) -> Iterable[object]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise PunctError(f"{what} must be {of}, not {shorten(values)}")
    return values


def glow(piece: Piece, points: Sequence[Point], theme: Theme) -> str:
    """Return the quiet halo round the piece that was just played."""
    path = outline(piece.kind, points)
    wide = stroke(path, 2 * BODY + 13, theme.last, piece.kind, ' opacity="0.3"')
    return f'<g data-mark="stands">{wide}{stroke(path, 2 * BODY + 5, theme.last, piece.kind)}</g>'


def former_place(last: LastMove, view: View, theme: Theme) -> str:
    """Return the outline of where a moved piece lay; only a ring at its PÜNCT if its heading is not known."""
    origin = last.move.origin
    if origin is None:
        return ""
    ink = f'stroke="{theme.last}" stroke-width="1.8" stroke-dasharray="1 4.2"'
    if last.before is None:
        return circle(view.at(origin), BODY, f'{ink} data-mark="origin"')
    points = [view.at(space, last.before.level) for space in last.before.spaces]
    edge = _around(last.before, points)
    ring = circle(points[0], PUNCT_RADIUS, f'stroke="{theme.last}" stroke-width="1.8"')
    return f'<g data-mark="origin"><path d="{edge}" {ink}/>{ring if origin is not last.move.space else ""}</g>'


def move_path(last: LastMove, view: View, theme: Theme, origin_level: int) -> str:
    """Return the way of the PÜNCT, or the rotation of the piece about it."""
    move = last.move
    if move.origin is None:
        return ""
    if move.origin is not move.space:
        start, end = view.at(move.origin, origin_level), view.at(move.space, last.after.level)
        return arrow(start, end, theme.last, 3.2, PUNCT_RADIUS + 1, PUNCT_RADIUS + 6.5, ' data-mark="path"')
    if last.before is None:
        return ""
    # Rotated in place: an arc about the PÜNCT from the old heading to the new, the shorter way round.
    middle = view.at(move.space, last.after.level)
    first = view.at(last.before.spaces[1], last.before.level)
    second = view.at(last.after.spaces[1], last.after.level)
    begin = atan2(first[1] - middle[1], first[0] - middle[0])
    sweep = (atan2(second[1] - middle[1], second[0] - middle[0]) - begin + pi) % (2 * pi) - pi
    radius = 0.7 * SPACING
    tip = begin + sweep - (0.2 if sweep > 0 else -0.2)
    head_angle = tip - (0.3 if sweep > 0 else -0.3)
    points = [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in (begin, head_angle, tip)]
    side = 1 if sweep > 0 else -1
    direction = (-side * sin(tip), side * cos(tip))
    arc = f"M{pair(points[0])}A{number(radius)} {number(radius)} 0 0 {int(sweep > 0)} {pair(points[1])}"
    return (
        f'<g data-mark="path"><path d="{arc}" stroke="{theme.last}" stroke-width="3.2"/>'
        f"{_head(points[2], direction, theme.last)}</g>"
    )


def ghost(ghost: Ghost, rank: int, count: int, view: View, theme: Theme, top: Callable[[Space], Point]) -> str:
    """Return a candidate: a translucent piece in a dashed outline, its rank on the PÜNCT, and the way it would go."""
    piece = ghost.piece
    points = [view.at(space, piece.level) for space in piece.spaces]
    stone = theme.stone(piece.colour)
    ink = f'stroke="{theme.mark}" stroke-width="1.8" stroke-dasharray="4.5 3.2"'
    element = body(piece.kind, points, stone, None)
    element += "".join(circle(at, DOT_RADIUS, f'fill="{stone.dot}"') for at in points[1:])
    element += circle(points[0], PUNCT_RADIUS, f'fill="{stone.punct}" stroke="{stone.punct_rim}" stroke-width="1.4"')
    way = ""
    origin = ghost.move.origin
    if origin is not None and origin is not ghost.move.space:
        way = arrow(top(origin), points[0], theme.mark, 2.4, PUNCT_RADIUS + 1, PUNCT_RADIUS + 3)
    number_of = write(str(rank), points[0], 11, stone.pip, weight=2) if count > 1 else ""
    return (
        f'<g data-candidate="{ghost.move}" data-rank="{rank}">{way}'
        f'<g opacity="{number(0.3 + 0.45 * ghost.share)}">{element}</g>'
        f'<path d="{_around(piece, points)}" {ink} opacity="{number(0.45 + 0.55 * ghost.share)}"/>{number_of}</g>'
    )


def chain_line(dots: Sequence[tuple[Point, float]], theme: Theme) -> str:
    """Return a winning chain through dots of these radii: a cased line from side to side, widened at every space."""
    line = polyline(point for point, _ in dots)
    halos = "".join(circle(point, radius + 3.6, f'fill="{theme.chain}"') for point, radius in dots)
    casing = "".join(circle(point, radius + 5.2, f'fill="{theme.chain_casing}"') for point, radius in dots)
    return (
        f'<g data-mark="chain"><path d="{line}" stroke="{theme.chain_casing}" stroke-width="8.6"/>{casing}'
        f'<path d="{line}" stroke="{theme.chain}" stroke-width="5.4"/>{halos}</g>'
    )


def highlight(at: Point, colour: str, name: str) -> str:
    """Return a marked space."""
    ink = f'fill="{colour}" fill-opacity="0.18" stroke="{colour}" stroke-width="1.9"'
    return circle(at, 0.42 * SPACING, f'{ink} data-highlight="{name}"')


def arrow(start: Point, end: Point, colour: str, breadth: float, gap: float, end_gap: float, note: str = "") -> str:
    """Return an arrow that keeps clear of the dots at both ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    direction = (dx / length, dy / length)
    begin = (start[0] + direction[0] * gap, start[1] + direction[1] * gap)
    tip = (end[0] - direction[0] * end_gap, end[1] - direction[1] * end_gap)
    neck = (tip[0] - direction[0] * _HEAD * 0.8, tip[1] - direction[1] * _HEAD * 0.8)
    return (
        f'<g opacity="0.92"{note}><path d="{polyline((begin, neck))}" stroke="{colour}" '
        f'stroke-width="{number(breadth)}"/>{_head(tip, direction, colour)}</g>'
    )


def _head(tip: Point, direction: Point, colour: str) -> str:
    x, y = direction
    back = (tip[0] - x * _HEAD, tip[1] - y * _HEAD)
    half = 0.62 * _HEAD
    corners = (tip, (back[0] - y * half, back[1] + x * half), (back[0] + y * half, back[1] - x * half))
    return f'<path d="{polyline(corners, closed=True)}" fill="{colour}" stroke="{colour}" stroke-width="1.6"/>'


def _around(piece: Piece, points: Sequence[Point]) -> str:
    """Return path data round a piece's whole body: straight sides, and an arc about each dot at a corner."""
    punct, first, second = points
    ring: list[Point]
    if piece.middle is None:
        ring = [punct, first, second]
        if _cross(*ring) < 0:
            ring.reverse()
    else:
        one, middle, two = (first, punct, second) if piece.kind.middle == 0 else (punct, first, second)
        if _cross(one, middle, two) < 0:
            one, two = two, one
        ring = [one, middle, two, middle]
    radius = BODY + 1
    data = []
    for index, here in enumerate(ring):
        before, after = ring[index - 1], ring[(index + 1) % len(ring)]
        arrive, leave = _offset(before, here, radius), _offset(after, here, -radius)
        if _cross(before, here, after) < -1e-6:  # an inner corner: the two sides meet at a point
            inner = _meeting(before, here, after, radius)
            data.append(f"L{pair(inner)}")
        else:
            data.append(f"L{pair(arrive)}A{number(radius)} {number(radius)} 0 0 1 {pair(leave)}")
    return "M" + "".join(data)[1:] + "Z"


def _cross(a: Point, b: Point, c: Point) -> float:
    """Return the cross product of a–b and b–c: positive if the path bends clockwise on the screen."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _offset(other: Point, here: Point, radius: float) -> Point:
    """Return the point beside ``here``, on the left of the path from ``other`` (on the right if negative)."""
    dx, dy = here[0] - other[0], here[1] - other[1]
    length = hypot(dx, dy)
    return here[0] + dy / length * radius, here[1] - dx / length * radius


def _meeting(before: Point, here: Point, after: Point, radius: float) -> Point:
    """Return where the sides of a bent piece meet in its inner corner of 120 degrees."""
    dx = (before[0] + after[0]) / 2 - here[0]
    dy = (before[1] + after[1]) / 2 - here[1]
    length = hypot(dx, dy)
    reach = radius / sin(pi / 3)
    return here[0] + dx / length * reach, here[1] + dy / length * reach
