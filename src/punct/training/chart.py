"""Charts of a training run, drawn like the other pictures: SVG with our own glyphs, the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from punct.picture.glyphs import write
from punct.picture.markup import GROUP, Point, circle, number, plain, polyline
from punct.picture.theme import read_theme

_WIDTH, _HEIGHT = 760.0, 320.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 18.0, 36.0, 46.0
_DIGIT: Final = 9.0
_TICKS: Final = 6
_COLOURS: Final = ("#c8472b", "#2f6f9f", "#d99a2b", "#5b8a4a")
_MAX_POINTS: Final = 600
"""Points of a curve: there are no pixels for more."""


class Curve(NamedTuple):
    """A named line through points."""

    name: str
    points: Sequence[Point]


class Bar(NamedTuple):
    """A point with its error bar; hollow where the network was not accepted."""

    at: Point
    low: float
    high: float
    is_filled: bool
    note: str


def chart(title: str, description: str, x_label: str, curves: Sequence[Curve], bars: Sequence[Bar] = ()) -> str:
    """Return a chart as an SVG document; ``x_label`` names the horizontal axis."""
    tones = read_theme("light")
    points = [point for curve in curves for point in curve.points] + [bar.at for bar in bars]
    heights = [y for _, y in points] + [end for bar in bars for end in (bar.low, bar.high) if math.isfinite(end)]
    left, right = _span([x for x, _ in points])
    low, high = _span(heights)
    low, high = low - 0.06 * (high - low), high + 0.06 * (high - low)
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(x: float, y: float) -> Point:
        clamped = min(max(y, low), high)
        return _LEFT + width * (x - left) / (right - left), _TOP + height * (high - clamped) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(_WIDTH)} {number(_HEIGHT)}"'
        f' width="{number(_WIDTH)}" height="{number(_HEIGHT)}" role="img">',
        f"<title>{plain(title)}</title><desc>{plain(description)}</desc>",
        f'<rect width="{number(_WIDTH)}" height="{number(_HEIGHT)}" fill="{tones.page}"/>',
        GROUP,
    ]
    for y in _ticks(low, high):
        x0, y0 = place(left, y)
        parts.append(f'<path d="M{number(x0)} {number(y0)}h{number(width)}" stroke="{tones.space_lip}"/>')
        parts.append(write(_label(y), (_LEFT / 2, y0), _DIGIT, tones.text))
    for x in _ticks(left, right):
        if x == int(x):
            x0, y0 = place(x, low)
            parts.append(f'<path d="M{number(x0)} {number(y0)}v5" stroke="{tones.text}"/>')
            parts.append(write(_label(x), (x0, y0 + 16), _DIGIT, tones.text))
    parts.append(write(x_label, (_LEFT + width / 2, _HEIGHT - 10), _DIGIT, tones.text))
    at = _LEFT
    for curve, colour in zip(curves, _COLOURS, strict=False):
        line = polyline(place(x, y) for x, y in _thin(curve.points))
        parts.append(f'<path d="{line}" stroke="{colour}" stroke-width="2"><title>{plain(curve.name)}</title></path>')
        parts.append(f'<path d="M{number(at)} 18h16" stroke="{colour}" stroke-width="3"/>')
        length = 7.0 * len(curve.name)
        parts.append(write(curve.name, (at + 26 + length / 2, 18), _DIGIT, tones.text))
        at += 50 + length
    for bar in bars:
        x, y = place(*bar.at)
        ends = [place(bar.at[0], end)[1] for end in (bar.low, bar.high)]
        parts.append(f'<path d="{polyline([(x, ends[0]), (x, ends[1])])}" stroke="{tones.text}" stroke-width="1.2"/>')
        fill = _COLOURS[0] if bar.is_filled else tones.page
        parts.append(f"<g><title>{plain(bar.note)}</title>")
        parts.append(circle((x, y), 4.5, f'fill="{fill}" stroke="{_COLOURS[0]}" stroke-width="1.6"') + "</g>")
    return "\n".join((*parts, "</g></svg>\n"))


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(low: float, high: float) -> list[float]:
    """Return about six round numbers between two others."""
    rough = (high - low) / _TICKS
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(nice * scale for nice in (1, 2, 5, 10) if nice * scale >= rough)
    return [round(k * step, 9) for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _label(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".") if value else "0"


def _thin(points: Sequence[Point]) -> Sequence[Point]:
    """Return means of neighbours where there are more points than pixels."""
    size = math.ceil(len(points) / _MAX_POINTS)
    if size <= 1:
        return points
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [(group[-1][0], sum(y for _, y in group) / len(group)) for group in groups]
