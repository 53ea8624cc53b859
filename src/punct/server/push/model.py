"""Subscriptions: browsers that take Web Push messages for a player."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import NamedTuple


class Subscription(NamedTuple):
    """A browser's subscription, as the browser made it."""

    endpoint: str
    """The address at the browser's push service that takes its messages; a secret of browser and server."""
    p256dh: str
    """The browser's public key, in base64url."""
    auth: str
    """The secret for encryption that only browser and server share, in base64url."""

    @property
    def id(self) -> str:
        """The hash of the address: no secret."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class StoredSubscription(NamedTuple):
    """A subscription of a player."""

    id: str
    player_id: str
    subscription: Subscription
    device: str | None
    """The browser and its system, for the player's list."""
    created: datetime
    used: datetime | None
    """When a message last arrived, to the day."""
