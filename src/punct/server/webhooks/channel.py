"""The channel that carries messages to webhooks."""

from __future__ import annotations

from punct.server.db.database import Connection
from punct.server.db.outbox import NoticeKind
from punct.server.notifications.model import Channel, Delivery, SendResult
from punct.server.webhooks.service import Webhooks
from punct.server.webhooks.store import CHANNEL, working_hooks


class WebhookChannel(Channel):
    """Calls the webhooks of account holders."""

    name = CHANNEL

    def __init__(self, webhooks: Webhooks) -> None:
        """Send by these."""
        self._webhooks = webhooks

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        """Return the ids of a player's webhooks that are not off."""
        return working_hooks(connection, player_id)

    async def send(self, delivery: Delivery) -> SendResult:
        """Call a webhook with a message."""
        return await self._webhooks.send(delivery)

    async def forget(self, target: str) -> None:
        """Switch off a webhook that is gone."""
        await self._webhooks.forget(target)

    def refuse_waiting(self) -> None:
        """Begin no further calls."""
        self._webhooks.refuse_waiting()
