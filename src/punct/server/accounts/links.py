"""Links that work once, printed for the server's operator: to become its administrator, to reset a password.

The secret is in the fragment, after ``#``: browsers do not send it, so no proxy logs it.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Final

from punct.server.accounts.store import AccountStore
from punct.server.auth.sessions import hash_secret

RESET_LINK_DURATION: Final = timedelta(days=1)
"""How long a link may reset a password."""
_SECRET_BYTES: Final = 24


def create_adoption_link(store: AccountStore) -> str | None:
    """Return a link by which an account holder becomes the administrator; the previous such link becomes invalid.

    None if there is an administrator. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    return f"/admin/adopt#{secret}" if store.store_adoption_secret(hash_secret(secret)).result() else None


def create_reset_link(store: AccountStore, player_id: str, now: datetime) -> str | None:
    """Return a link by which an account holder sets a new password; the previous such link becomes invalid.

    None for a player without an account. Blocks.
    """
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    is_stored = store.store_reset_link(player_id, hash_secret(secret), now + RESET_LINK_DURATION).result()
    return f"/reset#{player_id}/{secret}" if is_stored else None
