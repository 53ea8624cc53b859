"""The browsers that players have told to show them messages."""

from __future__ import annotations

import asyncio
from datetime import datetime

from punct.server.clock import Now
from punct.server.db.errors import ConflictError, MissingPlayerError
from punct.server.games.errors import PlayerRemovedError
from punct.server.notifications.model import Failed, NoticeSettings, TargetGone
from punct.server.notifications.store import NotificationStore
from punct.server.notifications.texts import text
from punct.server.push.channel import TEST_PRIORITY, PushChannel
from punct.server.push.encryption import ServerKey, check_keys
from punct.server.push.errors import (
    BadSubscriptionError,
    NotSentError,
    SubscriptionConflictError,
    SubscriptionGoneError,
    UnknownSubscriptionError,
)
from punct.server.push.model import StoredSubscription, Subscription
from punct.server.push.store import PushStore
from punct.server.workers.outbound import AddressRules, RefusedAddressError, check_url


class Push:
    """Subscriptions of players' browsers."""

    def __init__(
        self,
        store: PushStore,
        notices: NotificationStore,
        channel: PushChannel,
        key: ServerKey,
        rules: AddressRules,
        now: Now,
    ) -> None:
        """Subscriptions are stored if the rules allow their addresses; the channel sends to them."""
        self._store, self._notices, self._channel = store, notices, channel
        self._key, self._rules, self._now = key, rules, now

    async def public_key(self) -> str:
        """Return the server's public key, which a browser needs to subscribe."""
        return await asyncio.to_thread(lambda: self._key.public_key)

    async def subscribe(self, player_id: str, subscription: Subscription, device: str | None) -> StoredSubscription:
        """Send messages for a player to a browser from now on. Doing it again changes nothing."""
        try:
            check_url(subscription.endpoint, self._rules)
        except RefusedAddressError as error:
            raise BadSubscriptionError(f"This is not a browser's push service that is known here: {error}.") from None
        await asyncio.to_thread(check_keys, subscription)
        try:
            await asyncio.wrap_future(self._store.put(player_id, subscription, device, self._now()))
        except MissingPlayerError:
            raise PlayerRemovedError from None
        except ConflictError:
            raise SubscriptionConflictError from None
        return await self._get_own(player_id, subscription.id)

    async def list_own(self, player_id: str) -> list[StoredSubscription]:
        """Return a player's subscriptions, the oldest first."""
        return await asyncio.to_thread(self._store.list_own, player_id)

    async def unsubscribe(self, player_id: str, subscription_id: str) -> None:
        """Send nothing to a browser of a player any more; raises UnknownSubscriptionError."""
        if not await asyncio.wrap_future(self._store.delete(player_id, subscription_id)):
            raise UnknownSubscriptionError

    async def test(self, player_id: str, subscription_id: str) -> None:
        """Send a message to a browser of a player, now; raises RequestError if it cannot be delivered."""
        subscription = await self._get_own(player_id, subscription_id)
        settings = await asyncio.to_thread(self._notices.settings, player_id) or NoticeSettings({})
        result = await self._channel.post(subscription, _test_payload(settings.language, self._now()), TEST_PRIORITY)
        if isinstance(result, TargetGone):
            await self._channel.forget(subscription_id)
            raise SubscriptionGoneError
        if isinstance(result, Failed):
            raise NotSentError(result.reason)

    async def close(self) -> None:
        """Stop the workers."""
        await self._channel.close()

    async def _get_own(self, player_id: str, subscription_id: str) -> StoredSubscription:
        subscription = await asyncio.to_thread(self._store.get, subscription_id)
        if subscription is None or subscription.player_id != player_id:
            raise UnknownSubscriptionError
        return subscription


def _test_payload(language: str, now: datetime) -> dict[str, object]:
    return {
        "kind": "test",
        "subject": "test",
        "title": text(language, "test.title"),
        "body": text(language, "test.body"),
        "path": "/settings",
        "at": now.isoformat(),
        "game": None,
    }
