"""Small helpers for writing SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from punct.extras import explain_missing

Point: TypeAlias = tuple[float, float]

GROUP: Final = '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
"""Opens the group of everything in a picture, so that not every path repeats these attributes."""
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float, decimals: int = 2) -> str:
    """Write a number with at most two decimals and nothing superfluous."""
    text = f"{value:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def pair(point: Point) -> str:
    """Write a point as path data; a tenth of a unit is finer than a pixel."""
    x, y = number(point[0], 1), number(point[1], 1)
    return f"{x}{y}" if y.startswith("-") else f"{x} {y}"


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return path data through the points."""
    return "M" + "L".join(map(pair, points)) + ("Z" if closed else "")


def specks(points: Iterable[Point]) -> str:
    """Return path data of lines without length: with round caps, one path draws any number of discs."""
    parts, x, y = [], 0.0, 0.0
    for point in points:
        rounded = round(point[0], 1), round(point[1], 1)
        parts.append(f"m{pair((rounded[0] - x, rounded[1] - y))}h0")
        x, y = rounded
    return "".join(parts)


def circle(at: Point, radius: float, attributes: str) -> str:
    """Return a circle."""
    return f'<circle cx="{number(at[0], 1)}" cy="{number(at[1], 1)}" r="{number(radius)}" {attributes}/>'


def rasterize(svg: str) -> bytes:
    """Return an SVG document as a PNG image."""
    with explain_missing("a picture as PNG"):
        from resvg_py import svg_to_bytes  # loaded for a PNG alone

    return svg_to_bytes(svg_string=svg, skip_system_fonts=True)


def plain(text: str) -> str:
    """Return any text safe as XML content: escaped, and characters XML forbids replaced."""
    return escape(_NOT_XML.sub("\ufffd", text))
