"""Pieces: their bodies, shadows and dots, wherever the points are."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from random import Random
from typing import Final

from punct.picture.glyphs import write
from punct.picture.layout import SPACING
from punct.picture.markup import Point, circle, number, polyline, specks
from punct.picture.theme import Stone, Theme
from punct.piece import Colour, Kind

BODY: Final = 0.405 * SPACING
"""Half a piece's breadth."""
PUNCT_RADIUS: Final = 0.275 * SPACING
DOT_RADIUS: Final = 0.2 * SPACING
_RIM: Final = 1.5
_FLECKS: Final = 30


def outline(kind: Kind, points: Sequence[Point]) -> str:
    """Return the path through a piece's dots (the PÜNCT's first): end, middle, end; or round the triangle."""
    if kind is Kind.T:
        return polyline(points, closed=True)
    punct, first, second = points
    return polyline((first, punct, second) if kind.middle == 0 else (punct, first, second))


def stroke(path: str, breadth: float, colour: str, kind: Kind, extra: str = "") -> str:
    """Return the path as a body: a thick line, or a filled triangle."""
    fill = f' fill="{colour}"' if kind is Kind.T else ""
    return f'<path d="{path}"{fill} stroke="{colour}" stroke-width="{number(breadth)}"{extra}/>'


def body(kind: Kind, points: Sequence[Point], stone: Stone, seed: str | None) -> str:
    """Return a piece without its dots: rim, a rounded edge, the lighter top, and with a seed flecks in the stone."""
    path = outline(kind, points)
    raised = outline(kind, [(x + stone.bevel / 3, y + stone.bevel) for x, y in points])
    element = (
        stroke(path, 2 * BODY, stone.rim, kind)
        + stroke(path, 2 * (BODY - _RIM), stone.edge, kind)
        + stroke(raised, 2 * (BODY - 2.6), stone.top, kind)
    )
    if seed is not None:
        fine, coarse = _flecks(kind, points, seed)
        element += f'<path d="{fine}" stroke="{stone.fleck}"/>'
        element += f'<path d="{coarse}" stroke="{stone.fleck_two}" stroke-width="1.5"/>'
    return element


def shadow(kind: Kind, points: Sequence[Point], level: int) -> str:
    """Return the shape a piece's shadow has, further off the higher it lies; the caller blurs and tints it."""
    shift = 0.6 + 1.3 * level
    return stroke(outline(kind, [(x + 0.6 * shift, y + shift) for x, y in points]), 2 * BODY, "#000", kind)


def dot(at: Point, height: int, *, punct: bool, colour: Colour, theme: Theme, note: str, hangs: bool) -> str:
    """Return a showing dot: the PÜNCT's disc with its pip or a minor dot's recess, with a digit above the board."""
    stone = theme.stone(colour)
    if punct:
        element = circle(at, PUNCT_RADIUS, f'fill="{stone.punct}" stroke="{stone.punct_rim}" stroke-width="1.4"')
        ink = stone.pip
        if height == 1:
            element += circle(at, 0.3 * PUNCT_RADIUS, f'fill="{stone.pip}"')
    else:
        element = circle(at, DOT_RADIUS, f'fill="{stone.dot}" stroke="{stone.dot_rim}" stroke-width="1.1"')
        ink = stone.digit
    if height > 1:
        element += write(str(height), at, 10.5 if height < 10 else 9, ink, weight=1.9, note=f' data-digit="{height}"')
    if hangs:
        element += circle(
            at,
            BODY - 3.4,
            f'stroke="{stone.ring}" stroke-width="1.5" stroke-dasharray="1.8 3.6" data-bridge=""',
        )
    return f"<g{note}>{element}</g>"


def _flecks(kind: Kind, points: Sequence[Point], seed: str) -> tuple[str, str]:
    """Return two scatterings within the body, always the same for the same piece in the same place."""
    random = Random(seed)
    places = []
    for _ in range(_FLECKS):
        if kind is Kind.T:
            one, two = sorted((random.random(), random.random()))
            shares = one, two - one, 1 - two
        else:
            along = random.random()
            leg = random.random() < 0.5
            shares = (along, 1 - along, 0.0) if leg else (along, 0.0, 1 - along)
            if kind.middle == 1:
                shares = (along, 1 - along, 0.0) if leg else (0.0, 1 - along, along)
        x = sum(share * px for share, (px, _) in zip(shares, points, strict=True))
        y = sum(share * py for share, (_, py) in zip(shares, points, strict=True))
        reach, angle = (BODY - 3.6) * sqrt(random.random()), 2 * pi * random.random()
        places.append((x + reach * cos(angle), y + reach * sin(angle)))
    return specks(places[: _FLECKS * 2 // 3]), specks(places[_FLECKS * 2 // 3 :])
