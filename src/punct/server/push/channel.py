"""Sends messages by Web Push (RFC 8030): encrypted here, posted by a worker, and never on the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, ClassVar, Final, Literal, NamedTuple

from punct.errors import PunctError
from punct.server.clock import Now
from punct.server.db.database import Connection
from punct.server.db.errors import StoreError
from punct.server.db.outbox import NoticeKind
from punct.server.notifications.model import Channel, Delivered, Delivery, Failed, SendResult, TargetGone
from punct.server.push.encryption import MAX_CONTENT_BYTES, ServerKey, encrypt, to_base64url
from punct.server.push.model import StoredSubscription
from punct.server.push.store import CHANNEL, PushStore, subscriptions_of
from punct.server.workers.outbound import AddressRules, PostJob, PostResult
from punct.server.workers.pool import JobError, JobNotStartedError, WorkerPool, run_with_queue_timeout

_log = logging.getLogger(__name__)
PUSH_HOSTS: Final = (
    "*.push.services.mozilla.com",  # Firefox
    "fcm.googleapis.com",  # Chrome, Edge on phones, Samsung, Opera
    "*.push.apple.com",  # Safari, and all browsers of iPhones
    "*.notify.windows.com",  # Edge
)
"""The push services of browsers: a server posts to no others. ``PUNCT_PUSH_HOSTS`` adds to them."""


class Priority(NamedTuple):
    """How long a push service keeps a message for a browser that is away, and whether it wakes a sleeping phone."""

    lifetime: timedelta
    urgency: Literal["low", "normal", "high"]


TEST_PRIORITY: Final = Priority(timedelta(minutes=5), "high")
_PRIORITIES: Final[Mapping[NoticeKind, Priority]] = {
    "turn": Priority(timedelta(days=7), "normal"),
    "time": Priority(timedelta(days=1), "high"),
    "seat": Priority(timedelta(days=3), "high"),
    "challenge": Priority(timedelta(days=3), "normal"),
    "offer": Priority(timedelta(days=2), "normal"),
    "plan": Priority(timedelta(days=3), "normal"),
    "wanted": Priority(timedelta(hours=2), "normal"),
    "appointment": Priority(timedelta(days=3), "normal"),
    "reminder": Priority(timedelta(hours=6), "high"),
    "declined": Priority(timedelta(days=3), "low"),
    "over": Priority(timedelta(days=7), "low"),
    "aborted": Priority(timedelta(days=7), "low"),
    "vacation": Priority(timedelta(days=3), "low"),
}


class PushChannel(Channel):
    """Delivers messages to the browsers that a player has subscribed."""

    name: ClassVar[str] = CHANNEL

    def __init__(self, store: PushStore, pool: WorkerPool, key: ServerKey, rules: AddressRules, now: Now) -> None:
        """Post by a pool of workers, to addresses that the rules allow."""
        self._store, self._pool, self._key, self._rules, self._now = store, pool, key, rules, now

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        """Return the ids of a player's subscriptions."""
        return subscriptions_of(connection, player_id)

    async def send(self, delivery: Delivery) -> SendResult:
        """Post a message to the push service of its browser."""
        subscription = await asyncio.to_thread(self._store.get, delivery.target)
        if subscription is None or subscription.player_id != delivery.player_id:
            return Failed("this browser is not the player's any more", is_final=True)
        return await self.post(subscription, delivery.payload, _PRIORITIES[delivery.kind])

    async def post(
        self, subscription: StoredSubscription, payload: Mapping[str, Any], priority: Priority
    ) -> SendResult:
        """Encrypt and post a payload; later ones about the same subject replace it until the browser has it."""
        job = await asyncio.to_thread(self._job, subscription, payload, priority)
        try:
            response = await run_with_queue_timeout(self._pool, job)
        except JobNotStartedError:
            raise
        except (PunctError, JobError) as error:  # the former says that it may never be called, or could not be now
            return Failed(str(error), is_final=getattr(error, "code", None) in _FINAL_CODES)
        result = _result(response)
        if isinstance(result, Delivered) and (touch := self._store.touch(subscription, self._now())) is not None:
            with contextlib.suppress(StoreError):  # it has arrived; that is noted the next time
                await asyncio.wrap_future(touch)
        return result

    async def forget(self, target: str) -> None:
        """Delete a subscription that the push service does not know any more."""
        await asyncio.wrap_future(self._store.forget(target))

    def refuse_waiting(self) -> None:
        """Begin to post nothing more."""
        self._pool.refuse_waiting()

    async def close(self) -> None:
        """Stop the workers."""
        await self._pool.close()

    def _job(self, stored: StoredSubscription, payload: Mapping[str, Any], priority: Priority) -> PostJob:
        headers = {
            "Authorization": self._key.authorization(stored.subscription.endpoint, self._now()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(priority.lifetime.total_seconds())),
            "Urgency": priority.urgency,
            "Topic": topic_of(payload["subject"]),
        }
        body = encrypt(_content(payload), stored.subscription)
        return PostJob(stored.subscription.endpoint, headers, body, self._rules)


def topic_of(subject: str) -> str:
    """Return the ``Topic`` of messages about a subject: it tells the push service nothing about the game."""
    return to_base64url(hashlib.sha256(b"punct topic " + subject.encode()).digest()[:24])


def push_rules() -> AddressRules:
    """Return which push services may be called, as the operator has it."""
    added = [name.strip().lower() for name in os.environ.get("PUNCT_PUSH_HOSTS", "").split(",")]
    return AddressRules.from_environment((*PUSH_HOSTS, *(name for name in added if name)))


def contact_of(origins: Collection[str] | None) -> str:
    """Return where operators of push services reach the server's: its site, or what ``PUNCT_PUSH_CONTACT`` says."""
    sites = sorted((origin for origin in origins or () if origin.startswith("https://")), key=len)
    return os.environ.get("PUNCT_PUSH_CONTACT") or (sites[0] if sites else "https://localhost")


def _content(payload: Mapping[str, Any]) -> bytes:
    """Return the JSON for the service worker; a text that is too long is cut."""
    content = {name: payload[name] for name in ("kind", "subject", "title", "body", "path", "at", "game")}
    encoded = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    if len(encoded) > MAX_CONTENT_BYTES:
        content["title"], content["body"] = content["title"][:100], content["body"][:200]
        encoded = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return encoded


def _result(response: PostResult) -> SendResult:
    """Return what a push service's response means."""
    status = response.status
    if 200 <= status < 300:
        return Delivered()
    if status in (404, 410):
        return TargetGone()
    if status == 429 or status >= 500:
        retry_after = None if response.retry_after is None else timedelta(seconds=response.retry_after)
        return Failed(f"it answers {status}", retry_after=retry_after)
    _log.warning("a push service refuses a message with status %d", status)
    return Failed(f"it answers {status}", is_final=True)


_FINAL_CODES: Final = frozenset({"url", "https", "port", "host", "list"})
"""Of addresses that no later call may reach either; where a name leads may change."""
