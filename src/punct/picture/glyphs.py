"""Digits and letters as strokes.

Coordinates and heights must look the same in a browser, in a notebook and in a PNG made on a machine without fonts. So
the few characters a picture needs are drawn here, each one as a path in a box 10 high (descenders go below).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from punct.picture.markup import Point, number


class Glyph(NamedTuple):
    """A character: its width and its strokes, from the top (0) to the baseline (10)."""

    width: float
    strokes: str


_BOWL_LEFT: Final = "M5.4 6.8A2.7 3.2 0 1 0 0 6.8 2.7 3.2 0 1 0 5.4 6.8"
_BOWL_RIGHT: Final = "M0 6.8A2.7 3.2 0 1 1 5.4 6.8 2.7 3.2 0 1 1 0 6.8"

GLYPHS: Final = {
    "0": Glyph(6, "M3 0C1 0 0 2 0 5S1 10 3 10 6 8 6 5 5 0 3 0Z"),
    "1": Glyph(4, "M.6 2.2L3 0V10"),
    "2": Glyph(6, "M.3 2.8C.3 1.1 1.5 0 3 0S5.7 1 5.7 2.7C5.7 5.2 1 7 .2 10H6"),
    "3": Glyph(
        6,
        "M.5 1.2C1.1.4 2 0 3 0 4.6 0 5.6 1 5.6 2.4S4.6 4.7 3 4.7H2.2M3 4.7C4.8 4.7 6 5.7 6 7.3S4.7 10 3 10"
        "C1.8 10 .7 9.5 0 8.6",
    ),
    "4": Glyph(6, "M4.4 10V0L0 6.9H6.2"),
    "5": Glyph(6, "M5.4 0H1.1L.6 4.4C1.2 3.9 2 3.6 2.9 3.6 4.7 3.6 6 4.9 6 6.8S4.7 10 2.9 10C1.7 10 .7 9.6 0 8.7"),
    "6": Glyph(
        6,
        "M5.3.7C4.7.2 4 0 3.3 0 1.2 0 0 2.2 0 5.6 0 8.4 1.2 10 3 10S6 8.7 6 6.8 4.8 3.8 3.1 3.8C1.5 3.8.3 4.8 0 6.2",
    ),
    "7": Glyph(6, "M0 0H6L2.2 10"),
    "8": Glyph(
        6,
        "M3 4.7C1.5 4.7.5 3.7.5 2.3S1.5 0 3 0 5.5 1 5.5 2.3 4.5 4.7 3 4.7 0 5.8 0 7.4 1.3 10 3 10 6 9 6 7.4"
        " 4.7 4.7 3 4.7Z",
    ),
    "9": Glyph(
        6,
        "M.7 9.3C1.3 9.8 2 10 2.7 10 4.8 10 6 7.8 6 4.4 6 1.6 4.8 0 3 0S0 1.3 0 3.2 1.2 6.2 2.9 6.2"
        "C4.5 6.2 5.7 5.2 6 3.8",
    ),
    "a": Glyph(5.4, f"M5.4 3.6V10{_BOWL_LEFT}"),
    "b": Glyph(5.4, f"M0 0V10{_BOWL_RIGHT}"),
    "c": Glyph(5, "M5 4.8C4.4 4 3.6 3.6 2.8 3.6 1.1 3.6 0 4.9 0 6.8S1.1 10 2.8 10C3.6 10 4.4 9.6 5 8.8"),
    "d": Glyph(5.4, f"M5.4 0V10{_BOWL_LEFT}"),
    "e": Glyph(5.4, "M.1 6.7H5.4C5.4 4.8 4.4 3.6 2.8 3.6 1.1 3.6 0 4.9 0 6.8S1.1 10 2.9 10C3.8 10 4.6 9.6 5.1 8.9"),
    "f": Glyph(4, "M4 .2C2.4-.3 1.5.5 1.5 2V10M0 3.6H3.6"),
    "g": Glyph(5.4, f"M5.4 3.6V10.4C5.4 12.2 4.4 13 2.8 13 1.8 13 1 12.7.4 12.1{_BOWL_LEFT}"),
    "h": Glyph(5.1, "M0 0V10M0 6.4C.4 4.6 1.4 3.6 2.8 3.6 4.3 3.6 5.1 4.6 5.1 6.3V10"),
    "i": Glyph(1, "M.5 3.6V10M.5.9V1"),
    "j": Glyph(2.4, "M2 3.6V11C2 12.4 1.3 13 0 12.9M2 .9V1"),
    "k": Glyph(4.9, "M0 0V10M4.6 3.6L0 7.6M1.8 6.2L4.9 10"),
    "l": Glyph(1, "M.5 0V10"),
    "m": Glyph(
        8,
        "M0 3.6V10M0 6.2C.3 4.5 1.1 3.6 2.2 3.6 3.4 3.6 4 4.5 4 6V10M4 6.2C4.3 4.5 5.1 3.6 6.2 3.6"
        " 7.4 3.6 8 4.5 8 6V10",
    ),
    "n": Glyph(5.1, "M0 3.6V10M0 6.4C.4 4.6 1.4 3.6 2.8 3.6 4.3 3.6 5.1 4.6 5.1 6.3V10"),
    "o": Glyph(5.4, _BOWL_LEFT),
    "p": Glyph(5.4, f"M0 3.6V13{_BOWL_RIGHT}"),
    "q": Glyph(5.4, f"M5.4 3.6V13{_BOWL_LEFT}"),
    "r": Glyph(3.4, "M0 3.6V10M0 6.6C.3 4.7 1.5 3.5 3.4 3.7"),
    "s": Glyph(
        4.6,
        "M4.4 4.6C3.8 3.9 3.1 3.6 2.3 3.6 1.1 3.6.3 4.3.3 5.2 .3 7.4 4.6 6"
        " 4.6 8.3 4.6 9.4 3.6 10 2.4 10 1.4 10 .6 9.6 0 8.9",
    ),
    "t": Glyph(3.8, "M1.4 1.2V8C1.4 9.6 2.2 10.2 3.8 9.8M0 3.6H3.6"),
    "u": Glyph(5.1, "M5.1 3.6V10M5.1 7.2C4.7 9 3.7 10 2.3 10 .8 10 0 9 0 7.3V3.6"),
    "v": Glyph(5, "M0 3.6L2.5 10 5 3.6"),
    "w": Glyph(7.6, "M0 3.6L1.9 10 3.8 4.6 5.7 10 7.6 3.6"),
    "y": Glyph(5, "M0 3.6L2.6 9.8M5 3.6L2.4 10.8C1.9 12.3 1.2 13 0 12.9"),
    "T": Glyph(6.4, "M0 0H6.4M3.2 0V10"),
    "C": Glyph(6, "M6 1.6C5.3.6 4.4 0 3.3 0 1.3 0 0 2 0 5S1.3 10 3.3 10C4.4 10 5.3 9.4 6 8.4"),
    "E": Glyph(5.4, "M5.4 0H0V10H5.4M0 4.8H4.6"),
    "M": Glyph(7.6, "M0 10V0L3.8 6 7.6 0V10"),
    "L": Glyph(5, "M0 0V10H5"),
    "R": Glyph(5.8, "M0 10V0H2.8C4.6 0 5.6 1.1 5.6 2.7S4.6 5.4 2.8 5.4H0M3 5.4L5.8 10"),
    "×": Glyph(4.6, "M0 4L4.6 8.6M4.6 4L0 8.6"),
    "-": Glyph(4.4, "M0 5.4H4.4"),
    ".": Glyph(1, "M.5 9.9V10"),
    " ": Glyph(2.4, ""),
}
"""Every character a picture can write."""

_GAP: Final = 2.6
_WEIGHT: Final = 1.45


def write(text: str, at: Point, height: float, colour: str, *, weight: float = _WEIGHT, note: str = "") -> str:
    """Write characters with their middle at a point; ``height`` is a digit's. ``note`` is put on the element.

    They rely on the picture's group without fill and with round caps and joins.
    """
    scale = height / 10
    glyphs = [GLYPHS[character] for character in text]
    width = sum(glyph.width for glyph in glyphs) + _GAP * (len(glyphs) - 1)
    # Lower-case letters have their visual middle between x-height and baseline.
    middle = 6.8 if text.islower() else 5
    left = at[0] - width * scale / 2
    top = at[1] - middle * scale
    paths = []
    for glyph in glyphs:
        paths.append(
            f'<path transform="translate({number(left)} {number(top)}) scale({number(scale)})" d="{glyph.strokes}"/>'
        )
        left += (glyph.width + _GAP) * scale
    return f'<g stroke="{colour}" stroke-width="{number(weight)}"{note}>{"".join(paths)}</g>'
