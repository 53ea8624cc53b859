"""How a server that is online gets its administrator: by a link that works once, told to whoever started it."""

from __future__ import annotations

import secrets

from punct.server.people.players import hashed
from punct.server.store import PlayerStore


def adoption_link(store: PlayerStore) -> str | None:
    """Return where somebody becomes the administrator, and whoever had the last such link no longer does.

    None if there is one. Blocks.
    """
    secret = secrets.token_urlsafe(24)
    return f"/admin/adopt/{secret}" if store.offer_adoption(hashed(secret)).result() else None
