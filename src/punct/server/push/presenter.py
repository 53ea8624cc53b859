"""JSON of Web Push subscriptions: addresses and keys stay with the server."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.http.encoding import Json, format_time
from punct.server.push.model import StoredSubscription


def device(stored: StoredSubscription) -> Json:
    """Return a browser that gets notifications."""
    return {
        "id": stored.id,
        "name": stored.device,
        "created": format_time(stored.created),
        "used": format_time(stored.used),
    }


def devices(stored: Iterable[StoredSubscription]) -> Json:
    """Return a player's browsers."""
    return {"devices": [device(each) for each in stored]}
