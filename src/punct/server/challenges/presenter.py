"""JSON of challenges."""

from __future__ import annotations

from punct.server.challenges.store import StoredChallenge
from punct.server.games.presenter import player
from punct.server.http.encoding import COLOUR_LETTERS, Json, format_time


def challenge(stored: StoredChallenge) -> Json:
    """Return a challenge."""
    return {
        "id": stored.id,
        "link": f"/join/{stored.id}",
        "challenger": player(stored.challenger),
        "rules": stored.rules,
        "position": stored.start,
        "colour": None if stored.colour is None else COLOUR_LETTERS[stored.colour],
        "time": stored.time or "none",
        "rated": stored.rated,
        "listed": stored.listed,
        "created": format_time(stored.created),
        "expires": format_time(stored.expires),
        "game": stored.game_id,
    }
