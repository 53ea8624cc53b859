"""Small helpers for writing SVG."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

Point: TypeAlias = tuple[float, float]

GROUP: Final = '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
"""Opens the group everything in a picture stands in: said once here, not on every path."""
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float, decimals: int = 2) -> str:
    """Write a number with at most two decimals and nothing superfluous."""
    text = f"{value:.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def pair(point: Point) -> str:
    """Write a point as path data; a tenth of a unit is finer than anybody sees."""
    x, y = number(point[0], 1), number(point[1], 1)
    return f"{x}{y}" if y.startswith("-") else f"{x} {y}"


def polyline(points: Iterable[Point], *, closed: bool = False) -> str:
    """Return path data through the points."""
    return "M" + "L".join(map(pair, points)) + ("Z" if closed else "")


def specks(points: Iterable[Point]) -> str:
    """Return path data of lines without length: with round caps, one path draws any number of discs."""
    written, x, y = [], 0.0, 0.0
    for point in points:
        there = round(point[0], 1), round(point[1], 1)
        written.append(f"m{pair((there[0] - x, there[1] - y))}h0")
        x, y = there
    return "".join(written)


def circle(at: Point, radius: float, attributes: str) -> str:
    """Return a circle."""
    return f'<circle cx="{number(at[0], 1)}" cy="{number(at[1], 1)}" r="{number(radius)}" {attributes}/>'


def plain(text: str) -> str:
    """Return any text safe as XML content: escaped, and characters XML forbids replaced."""
    return escape(_NOT_XML.sub("\ufffd", text))
