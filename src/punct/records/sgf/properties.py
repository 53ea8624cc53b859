"""Names of SGF properties: Boardspace's, and further ones in its style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from punct.piece import Colour

GAME_NUMBER: Final = "25"
"""The value of ``GM`` for PÜNCT."""

TAG_PROPERTIES: Final = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "GN": "Game"}
"""Properties of the first node that are tags; tags without a property of their own are in ``OTHER_TAGS``."""
OTHER_TAGS: Final = "TG"
START: Final = "SP"
"""A start with pieces on the board. Boardspace stops at names of more than two capitals, so these two have two."""

Seats = Mapping[str, Colour]
"""Each player's colour, by the name of the property with the player's actions."""

DEFAULT_SEATS: Final[Seats] = {"P0": Colour.WHITE, "P1": Colour.BLACK}
