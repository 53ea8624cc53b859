"""JSON of challenges."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.challenges.alert_store import SeatAlert
from punct.server.challenges.model import StoredChallenge
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
        "to": None if stored.to is None else player(stored.to),
        "places": stored.places,
        "running": stored.running,
        "declined": format_time(stored.declined),
        "words": stored.words,
        "replaces": stored.replaces,
    }


def seat_alert(alert: SeatAlert) -> Json:
    """Return a seat alert."""
    return {**alert._asdict(), "expires": format_time(alert.expires)}


def seat_alerts(alerts: Iterable[SeatAlert]) -> Json:
    """Return the seat alerts of a player."""
    return {"alerts": [seat_alert(each) for each in alerts]}


def own_challenges(received: Iterable[StoredChallenge], sent: Iterable[StoredChallenge]) -> Json:
    """Return the challenges to a player, and the player's own."""
    return {"received": [challenge(each) for each in received], "sent": [challenge(each) for each in sent]}
