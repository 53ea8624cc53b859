"""The two themes, and the colours a caller may name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from punct.errors import PunctError, shorten
from punct.piece import Colour


@dataclass(frozen=True, slots=True)
class Stone:
    """The colours of one player's pieces."""

    rim: str
    edge: str
    """The bevel between rim and top: darker below on ivory, lighter above on charcoal, to separate stacked pieces."""
    bevel: float
    """How far down the top is shifted, to show more of the bevel on the other side."""
    top: str
    fleck: str
    fleck_two: str
    dot: str
    dot_rim: str
    digit: str
    ring: str
    """The dashed ring of a bridge's unsupported dot."""
    punct: str
    punct_rim: str
    pip: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a whole picture."""

    name: str
    page: str
    board: str
    board_rim: str
    space: str
    space_lip: str
    centre: str
    centre_line: str
    text: str
    shadow: str
    shadow_opacity: float
    panel: str
    last: str
    """The last move: glow, former place, path."""
    chain: str
    chain_casing: str
    mark: str
    """Highlights and arrows without a colour of their own."""
    blocked: tuple[str, str]
    """The hatching of blocked pieces, by colour."""
    stones: tuple[Stone, Stone]

    def stone(self, colour: Colour) -> Stone:
        """Return the colours of this player's pieces."""
        return self.stones[colour]


_IVORY: Final = Stone(
    rim="#6f6550",
    edge="#ddd4c0",
    bevel=-0.9,
    top="#f7f3ea",
    fleck="#bfb49c",
    fleck_two="#a89b80",
    dot="#dfd7c5",
    dot_rim="#b4a98f",
    digit="#4b4436",
    ring="#6d6350",
    punct="#c5402b",
    punct_rim="#8a2818",
    pip="#fff6ea",
)
_CHARCOAL: Final = Stone(
    rim="#101216",
    edge="#8a909e",
    bevel=0.6,
    top="#363a44",
    fleck="#7b8290",
    fleck_two="#9fa6b3",
    dot="#1d2026",
    dot_rim="#555b68",
    digit="#eceff4",
    ring="#c3c8d2",
    punct="#e6a32e",
    punct_rim="#97640c",
    pip="#241a08",
)

LIGHT: Final = Theme(
    name="light",
    page="#f1eee6",
    board="#dcd5c4",
    board_rim="#c9c0ab",
    space="#c6bda8",
    space_lip="#e9e4d8",
    centre="#cfc6af",
    centre_line="#74694e",
    text="#5c5343",
    shadow="#3a3222",
    shadow_opacity=0.34,
    panel="#e6e1d4",
    last="#2f7fb5",
    chain="#18a06a",
    chain_casing="#f4fff9",
    mark="#7b4fb3",
    blocked=("#8f8571", "#aeb5c2"),
    stones=(_IVORY, _CHARCOAL),
)
# The board stays a mid tone: on a near-black one the charcoal pieces vanish.
DARK: Final = Theme(
    name="dark",
    page="#1e2024",
    board="#72767c",
    board_rim="#5d6167",
    space="#60646a",
    space_lip="#83878d",
    centre="#666a71",
    centre_line="#1b1d20",
    text="#ffffff",
    shadow="#0b0c0e",
    shadow_opacity=0.5,
    panel="#3f4247",
    last="#7cc4f2",
    chain="#2fd18e",
    chain_casing="#0d3a28",
    mark="#d3b0ff",
    blocked=("#8f8571", "#aeb5c2"),
    stones=(_IVORY, _CHARCOAL),
)

THEMES: Final = {theme.name: theme for theme in (LIGHT, DARK)}
"""By name, as callers choose them."""

COLOURS: Final = {
    "red": "#c8412b",
    "orange": "#dd8a1f",
    "yellow": "#d9bb28",
    "green": "#2f9a5b",
    "teal": "#1f9393",
    "blue": "#2f7fb5",
    "purple": "#7b4fb3",
    "pink": "#cf5a91",
    "grey": "#82827e",
    "white": "#ffffff",
    "black": "#000000",
}
"""The colours that may be named in highlights and arrows."""

_HEX: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def read_theme(name: str) -> Theme:
    """Return the theme of that name."""
    theme = THEMES.get(name) if isinstance(name, str) else None
    if theme is None:
        raise PunctError(f"{shorten(name)} is not a theme: choose {' or '.join(THEMES)}")
    return theme


def read_colour(text: str) -> str:
    """Return a colour as ``#…``, from one of our names or a hexadecimal one; nothing else is put into a picture."""
    if isinstance(text, str):
        if text in COLOURS:
            return COLOURS[text]
        if _HEX.fullmatch(text):
            return text.lower()
    raise PunctError(f"{shorten(text)} is not a colour: write #rgb, #rrggbb or one of {', '.join(COLOURS)}")
