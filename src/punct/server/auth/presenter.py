"""JSON of players as anybody sees them."""

from __future__ import annotations

from datetime import datetime

from punct.server.auth.model import PlayerKind
from punct.server.http.encoding import Json, format_time


def public_player(player_id: str, name: str | None, handle: str | None, kind: PlayerKind, created: datetime) -> Json:
    """Return a player as anybody sees them."""
    return {"id": player_id, "name": name, "handle": handle, "kind": kind, "created": format_time(created)}
