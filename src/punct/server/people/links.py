"""Links that work once, told to whoever runs the server: to become its administrator, to set a lost password.

The secret follows a ``#``: that part of an address a browser keeps to itself, so no proxy writes it down.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from punct.server.people.players import hashed
from punct.server.store import PlayerStore

RESET: Final = timedelta(days=1)
"""So long a password may be set by a link."""
_SECRET_BYTES: Final = 24


def adoption_link(store: PlayerStore) -> str | None:
    """Return where somebody becomes the administrator, and whoever had the last such link no longer does.

    None if there is one. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    return f"/admin/adopt#{secret}" if store.offer_adoption(hashed(secret)).result() else None


def reset_link(store: PlayerStore, player_id: str, now: datetime) -> str | None:
    """Return where an account holder sets a new password, and whoever had the last such link no longer does.

    None for a player without an account. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    offered = store.offer_reset(player_id, hashed(secret), now + RESET).result()
    return f"/reset#{player_id}/{secret}" if offered else None
