"""How Boardspace, and what we write in its manner, calls things in a game's nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from punct.piece import Colour

GAME_NUMBER: Final = "25"
"""What ``GM`` says of PÜNCT."""

TAG_PROPERTIES: Final = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round", "GN": "Game"}
"""Properties of the first node that are tags; what has no property of its own stands in ``OTHER_TAGS``."""
OTHER_TAGS: Final = "TG"
START: Final = "SP"
"""A start with pieces on the board. Boardspace stops at names of more than two capitals, so these two have two."""

Seats = Mapping[str, Colour]
"""Which colour each player has, by the name of the property that tells what the player did."""

USUAL_SEATS: Final[Seats] = {"P0": Colour.WHITE, "P1": Colour.BLACK}
