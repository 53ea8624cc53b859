"""The players' sets, as small pieces with their number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from punct.geometry import Heading, Space
from punct.picture.glyphs import write
from punct.picture.layout import SPACING, Box, View
from punct.picture.markup import Point, number
from punct.picture.stones import body, dot
from punct.picture.theme import Theme
from punct.piece import Colour, Kind, footprint

PANEL_HEIGHT: Final = 2.75 * SPACING
"""The height of a panel at scale 1, where its pieces have the size they have on a board at half scale."""
_MIDDLE: Final = Space("i9")
_HEADINGS: Final = {
    Kind.T: Heading.NE,
    Kind.C: Heading.N,
    Kind.E: Heading.N,
    Kind.M: Heading.N,
    Kind.L: Heading.N,
    Kind.R: Heading.N,
}


def panel(
    box: Box, colour: Colour, counts: Mapping[Kind, int], theme: Theme, *, to_move: bool, letters: bool = False
) -> str:
    """Return one player's set in a box: the six kinds, how many are left of each, and a mark on the side to move."""
    parts = [
        f'<rect x="{number(box.left)}" y="{number(box.top)}" width="{number(box.width)}" height="{number(box.height)}" '
        f'rx="12" fill="{theme.board}"'
        + (f' stroke="{theme.last}" stroke-width="2.4" data-mark="to-move"/>' if to_move else "/>")
    ]
    cell = box.width / len(Kind)
    scale = min(cell / (2.35 * SPACING), box.height / ((5.0 if letters else 3.9) * SPACING))
    for index, kind in enumerate(Kind):
        x = box.left + (index + 0.5) * cell
        count = counts[kind]
        note = f' data-set="{colour.letter}{kind}" data-count="{count}"'
        piece = example(kind, colour, theme, flecks=letters)
        middle = box.top + box.height * (0.5 if letters else 0.4)
        faded = "" if count else ' opacity="0.22"'
        parts.append(
            f'<g{note}><g transform="translate({number(x)} {number(middle)}) scale({scale:.3f})"{faded}>{piece}</g>'
        )
        text = f"{count}" if not letters else f"×{count}"
        parts.append(
            write(
                text,
                (x, box.bottom - (0.1 if letters else 0.13) * box.height),
                (0.085 if letters else 0.12) * box.height,
                theme.text,
            )
            + "</g>"
        )
        if letters:
            parts.append(write(kind.value, (x, box.top + 0.11 * box.height), 0.1 * box.height, theme.text))
    return f'<g data-panel="{colour.letter}">{"".join(parts)}</g>'


def example(kind: Kind, colour: Colour, theme: Theme, *, flecks: bool) -> str:
    """Return a piece of this kind about the origin, as tall as it is on the board."""
    view = View(flipped=False, coordinates=False, crop=None)
    spaces = footprint(kind, _MIDDLE, _HEADINGS[kind])
    assert spaces is not None
    points = [view.at(space) for space in spaces]
    x = (min(px for px, _ in points) + max(px for px, _ in points)) / 2
    y = (min(py for _, py in points) + max(py for _, py in points)) / 2
    centred: list[Point] = [(px - x, py - y) for px, py in points]
    dots = "".join(
        dot(point, 1, punct=index == 0, colour=colour, theme=theme, note="", hangs=False)
        for index, point in enumerate(centred)
    )
    stones = body(kind, centred, theme.stone(colour), f"{colour.letter}{kind}" if flecks else None)
    return stones + dots
