"""The curve of a game: White's winning chance from the first move to the last, as a picture."""

from __future__ import annotations

from typing import Final

from punct.analysis.review import Analysis
from punct.analysis.scale import Judgement
from punct.errors import expect
from punct.picture.glyphs import write
from punct.picture.markup import plain, rasterize
from punct.picture.theme import read_theme
from punct.piece import Colour

_WIDTH, _HEIGHT = 760.0, 280.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 16.0, 16.0, 34.0
_DIGIT: Final = 9.0
_GRAVE: Final = (Judgement.BLUNDER, Judgement.MISSED_WIN, Judgement.GIVES_WIN)


def svg(analysis: Analysis, *, theme: str = "light", title: str = "") -> str:
    """Return the curve as an SVG document: White's share of the chances in ivory below, Black's in charcoal above.

    Bad moves are dots on the curve, grave ones larger and red. The description has the chances in words.
    """
    expect(title, str, "the title of a curve is a text")
    tones = read_theme(theme)
    white, black = tones.stone(Colour.WHITE), tones.stone(Colour.BLACK)
    curve = analysis.curve
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    last = max(1, len(curve) - 1)
    points = [(_LEFT + wide * i / last, _TOP + high * (1.0 - chance)) for i, chance in enumerate(curve)]
    if len(points) == 1:
        points.append((_LEFT + wide, points[0][1]))
    path = " ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    floor = _TOP + high
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" width="{_WIDTH:.0f}"'
        f' height="{_HEIGHT:.0f}" role="img" aria-labelledby="curve-title curve-words">',
        f'<title id="curve-title">{plain(title or "Winning chances, move by move")}</title>',
        f'<desc id="curve-words">{plain(_words(analysis))}</desc>',
        f'<rect width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" fill="{tones.page}"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{wide}" height="{high}" fill="{black.top}"/>',
        f'<path d="M{_LEFT} {floor} L{path} L{points[-1][0]:.1f} {floor} Z" fill="{white.top}"/>',
        f'<g fill="none" stroke-linecap="round" stroke-linejoin="round" stroke="{tones.centre_line}">',
    ]
    for share in (0, 25, 50, 75, 100):
        y = _TOP + high * (100 - share) / 100
        dash = "" if share == 50 else ' stroke-dasharray="2 5"'
        parts.append(f'<path d="M{_LEFT} {y:.1f} H{_LEFT + wide:.1f}" stroke-width="1"{dash}/>')
        parts.append(write(str(share), (_LEFT - 20, y), _DIGIT, tones.text))
    step = _step(last)
    for ply in range(0, last + 1, step):
        x = _LEFT + wide * ply / last
        parts.append(f'<path d="M{x:.1f} {floor} v5" stroke-width="1"/>')
        parts.append(write(str(ply), (x, floor + 18), _DIGIT, tones.text))
    parts.append(f'<path d="M{path}" stroke="{tones.last}" stroke-width="2.2"/></g>')
    for remark in analysis.remarks:
        if remark.judgement is not None and remark.judgement is not Judgement.INACCURACY:
            grave = remark.judgement in _GRAVE
            x, y = points[remark.ply]
            fill, size = (white.punct, 5.0) if grave else (black.punct, 4.0)
            note = f"{remark.ply}. {remark.move}: {remark.judgement}"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{fill}" stroke="{tones.page}" stroke-width="1.5">'
                f"<title>{plain(note)}</title></circle>"
            )
    return "\n".join((*parts, "</svg>\n"))


def png(analysis: Analysis, *, theme: str = "light", title: str = "") -> bytes:
    """Return the curve as a PNG image."""
    return rasterize(svg(analysis, theme=theme, title=title))


def _step(last: int) -> int:
    """Return how many plies apart the numbers below the picture are."""
    return next((step for step in (1, 2, 5, 10, 20, 50, 100) if last / step <= 14), max(1, last // 10))


def _words(analysis: Analysis) -> str:
    chances = ", ".join(f"{100 * chance:.0f}" for chance in analysis.curve)
    return f"White's winning chance in percent from the start on, after each move: {chances}"
