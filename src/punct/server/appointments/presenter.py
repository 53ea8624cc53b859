"""JSON of appointments."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from punct.server.appointments.model import StoredAppointment
from punct.server.games.presenter import player
from punct.server.http.encoding import COLOUR_LETTERS, Json, format_time


def appointment(stored: StoredAppointment, now: datetime) -> Json:
    """Return an appointment as it is at a time."""
    return {
        "id": stored.id,
        "link": f"/date/{stored.id}",
        "state": stored.state(now),
        "proposer": player(stored.proposer),
        "to": player(stored.to),
        "rules": stored.rules,
        "colour": None if stored.colour is None else COLOUR_LETTERS[stored.colour],
        "time": stored.time,
        "rated": stored.rated,
        "dates": [format_time(date) for date in stored.dates],
        "words": stored.words,
        "zones": {"proposer": stored.zone, "to": stored.to_zone},
        "created": format_time(stored.created),
        "expires": format_time(stored.expires),
        "date": format_time(stored.date),
        "opens": format_time(stored.opens),
        "here": {
            "proposer": stored.is_here(stored.proposer.id, now),
            "to": stored.is_here(stored.to.id, now),
        },
        "ended_by": stored.ended_by,
        "reply": stored.reply,
        "replaces": stored.replaces,
        "replaced_by": stored.replaced_by,
        "game": stored.game_id,
    }


def own_appointments(stored: Iterable[StoredAppointment], now: datetime) -> Json:
    """Return the appointments of a player."""
    return {"appointments": [appointment(each, now) for each in stored]}
