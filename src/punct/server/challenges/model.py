"""Challenges, as the store returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from punct.piece import Colour
from punct.server.games.model import SeatedPlayer

MAX_WORDS_LENGTH: Final = 200
"""Of the words with which a challenge is declined."""


@dataclass(frozen=True, slots=True)
class StoredChallenge:
    """A challenge, open or accepted."""

    id: str
    challenger: SeatedPlayer
    rules: str
    start: str | None
    """The initial position; None for the usual one."""
    colour: Colour | None
    """The challenger's colour; None for a random one."""
    time: str | None
    rated: bool
    listed: bool
    created: datetime
    expires: datetime
    game_id: str | None = None
    """The game it has become; None while it is open."""
    to: SeatedPlayer | None = None
    """The only player who may accept it; None for anybody."""
    places: int | None = None
    """Of a standing challenge: how many games from it may be running at once; it opens again when it is accepted."""
    running: int = 0
    """How many games from a standing challenge are running."""
    declined: datetime | None = None
    words: str | None = None
    """With which it was declined."""
    replaces: str | None = None
    """The challenge that it answers with other terms."""

    def is_visible_to(self, player_id: str | None) -> bool:
        """Tell whether a player may see it: a challenge to somebody is between the two."""
        return self.to is None or player_id in (self.challenger.id, self.to.id)
