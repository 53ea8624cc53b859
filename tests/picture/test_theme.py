"""The tones of both themes, held to WCAG's ratios: what is drawn can be told from what it is drawn on."""

from __future__ import annotations

import pytest

from punct import Colour
from punct.picture.theme import THEMES, Theme


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as ``#f7f3ea``."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_everything_can_be_told_apart(theme: Theme) -> None:
    ground = (theme.board, theme.centre)
    assert contrast(theme.text, theme.board) >= 4.5
    assert contrast(theme.text, theme.panel) >= 4.5
    for below in ground:
        assert contrast(theme.centre_line, below) >= 3
        for stone in theme.stones:
            assert max(contrast(stone.top, below), contrast(stone.rim, below)) >= 3
    white, black = theme.stone(Colour.WHITE), theme.stone(Colour.BLACK)
    # Stacks of one colour part by the rim on ivory, by the bevel on charcoal.
    assert contrast(white.rim, white.top) >= 3
    assert contrast(black.edge, black.top) >= 3
    for stone in theme.stones:
        assert contrast(stone.digit, stone.dot) >= 4.5
        assert contrast(stone.pip, stone.punct) >= 3
