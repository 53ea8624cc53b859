"""Links that work once, told to whoever runs the server: to become its administrator, to set a lost password.

The secret follows a ``#``: that part of an address a browser keeps to itself, so no proxy writes it down.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from punct.server.accounts.store import AccountStore
from punct.server.auth.sessions import hash_secret

RESET_LINK_DURATION: Final = timedelta(days=1)
"""So long a password may be set by a link."""
_SECRET_BYTES: Final = 24


def create_adoption_link(store: AccountStore) -> str | None:
    """Return where somebody becomes the administrator, and whoever had the last such link no longer does.

    None if there is one. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    return f"/admin/adopt#{secret}" if store.store_adoption_secret(hash_secret(secret)).result() else None


def create_reset_link(store: AccountStore, player_id: str, now: datetime) -> str | None:
    """Return where an account holder sets a new password, and whoever had the last such link no longer does.

    None for a player without an account. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    offered = store.store_reset_link(player_id, hash_secret(secret), now + RESET_LINK_DURATION).result()
    return f"/reset#{player_id}/{secret}" if offered else None
