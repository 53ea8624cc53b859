"""Mail addresses as JSON."""

from __future__ import annotations

from punct.server.http.encoding import Json
from punct.server.mail.model import StoredAddress


def mail_view(address: StoredAddress | None, *, offered: bool = True) -> Json:
    """Return a player's address."""
    return {
        "offered": offered,
        "address": None if address is None else address.address,
        "verified": address is not None and address.verified is not None,
    }
