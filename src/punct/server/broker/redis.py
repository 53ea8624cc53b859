"""Redis: publish/subscribe and leases between processes, on one machine or several."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import Any, Final

from punct.extras import explain_missing
from punct.server.broker.broker import Broker, BrokerError
from punct.server.broker.subscriptions import Subscriptions

_log = logging.getLogger(__name__)

with explain_missing("a broker"):
    from redis import asyncio as driver
    from redis.asyncio.retry import Retry
    from redis.backoff import ExponentialBackoff, NoBackoff
    from redis.exceptions import RedisError

PREFIX: Final = "punct:"
"""The prefix of all keys and channels: other programs may use the same Redis."""
MAX_UNSENT_BYTES: Final = 32 * 1024 * 1024
"""Of messages in the queue while Redis is unreachable; further ones evict the oldest."""
_MAX_BATCH: Final = 200
"""Messages sent in one pipeline."""
_PING_SECONDS: Final = 5.0
"""How often a connection that receives nothing is checked."""
_SUBSCRIBE_SECONDS: Final = 1.0
"""How long to wait for the confirmation of a subscription. If it comes later, the reconnect callbacks are called."""
_REPLY_SECONDS: Final = 3.0
"""The timeout of a command; a connection that exceeds it is closed."""
_RETRY_SECONDS: Final = 0.2
_READY: Final = b"all"
"""The payload of a PING after the first commands of a connection: Redis replies in order, so its PONG confirms all."""
REDIS_ERRORS: Final = (RedisError, OSError, TimeoutError)
"""What the client raises when Redis is unreachable."""
_ACQUIRE_LEASE: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_RELEASE_LEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


def connect(url: str, *, has_retries: bool = True) -> Any:
    """Return a Redis client, which connects when it is used; by default it tries a command a few times.

    The timeout applies to every command, also to those that block in Redis.
    """
    retry = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3) if has_retries else Retry(NoBackoff(), 0)
    try:
        return driver.from_url(
            url, retry=retry, socket_connect_timeout=3, socket_timeout=_REPLY_SECONDS, health_check_interval=0
        )
    except ValueError:
        raise BrokerError("that is no address of a Redis: redis://HOST:PORT/NUMBER") from None


def _size(message: tuple[str, bytes]) -> int:
    """Return the approximate memory of a queued message."""
    return len(message[0]) + len(message[1]) + 200


class RedisBroker(Broker):
    """Publishes and subscribes through Redis's channels; reconnects and resubscribes after a lost connection."""

    def __init__(self, url: str) -> None:
        """Create the broker; it connects when it is started."""
        super().__init__()
        self.client = connect(url)
        self._subscriber = connect(url, has_retries=False)
        self._sender = self.process.encode() + b" "
        self._unsent: deque[tuple[str, bytes]] = deque()
        self._unsent_bytes = 0
        self._has_unsent = asyncio.Event()
        self._subscriptions = Subscriptions()
        self._late: set[str] = set()
        """Topics whose subscription was not confirmed in time: messages may have been missed."""
        self._tasks: list[asyncio.Task[None]] = []
        self._is_connected = False
        self._was_lost = False

    @property
    def is_shared(self) -> bool:
        """There may be other processes."""
        return True

    async def start(self) -> None:
        """Connect."""
        try:
            await self.client.ping()
        except REDIS_ERRORS as error:
            raise BrokerError(f"Redis cannot be reached: {type(error).__name__}") from error
        # A connection needs at least one subscription: this process's own topic is always subscribed.
        self._subscriptions.add(f"process:{self.process}")
        connected = asyncio.Event()
        self._tasks = [asyncio.create_task(self._receive(connected)), asyncio.create_task(self._send())]
        await connected.wait()

    async def close(self) -> None:
        """Disconnect, after published messages have been sent."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                while self._unsent:
                    await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in (self.client, self._subscriber):
            with contextlib.suppress(*REDIS_ERRORS):
                await client.aclose()

    def publish(self, topic: str, message: bytes) -> None:
        """Queue a message to the other processes."""
        self._unsent.append((PREFIX + topic, self._sender + message))
        self._unsent_bytes += _size(self._unsent[-1])
        while self._unsent_bytes > MAX_UNSENT_BYTES:
            self._unsent_bytes -= _size(self._unsent.popleft())
        self._has_unsent.set()

    async def subscribe(self, topic: str) -> None:
        """Subscribe to a topic; if cancelled, there is no subscription."""
        self._subscriptions.add(topic)
        try:
            async with asyncio.timeout(_SUBSCRIBE_SECONDS):
                await self._subscriptions.wait_until_confirmed(topic)
        except TimeoutError:
            if not self._subscriptions.is_confirmed(topic):
                self._late.add(topic)
        except BaseException:
            self._subscriptions.remove(topic)
            raise

    def unsubscribe(self, topic: str) -> None:
        """Remove one subscription of a topic."""
        self._subscriptions.remove(topic)
        if not self._subscriptions.is_subscribed(topic):
            self._late.discard(topic)

    async def acquire_lease(self, name: str, seconds: float) -> bool:
        """Acquire or renew a lease. Without Redis every process gets it: the database decides who was first."""
        try:
            async with asyncio.timeout(_REPLY_SECONDS):
                arguments = PREFIX + name, self.process, int(seconds * 1000)
                return bool(await self.client.eval(_ACQUIRE_LEASE, 1, *arguments))
        except REDIS_ERRORS:
            return True

    async def release_lease(self, name: str) -> None:
        """Release a lease before it expires."""
        with contextlib.suppress(*REDIS_ERRORS):
            async with asyncio.timeout(_REPLY_SECONDS):
                await self.client.eval(_RELEASE_LEASE, 1, PREFIX + name, self.process)

    async def is_leased_elsewhere(self, name: str) -> bool:
        """Return whether another process holds a lease; without Redis none is known to."""
        try:
            async with asyncio.timeout(_SUBSCRIBE_SECONDS):
                holder = await self.client.get(PREFIX + name)
        except REDIS_ERRORS:
            return False
        return holder is not None and holder.decode() != self.process

    async def is_reachable(self) -> bool:
        """Return whether Redis answers now."""
        try:
            async with asyncio.timeout(1.0):
                await self.client.ping()
        except REDIS_ERRORS:
            return False
        return self._is_connected

    async def _send(self) -> None:
        """Send published messages in batches; while Redis is unreachable they stay queued."""
        while True:
            await self._has_unsent.wait()
            self._has_unsent.clear()
            while self._unsent:
                batch = [self._unsent[i] for i in range(min(_MAX_BATCH, len(self._unsent)))]
                try:
                    pipe = self.client.pipeline(transaction=False)
                    for topic, message in batch:
                        pipe.publish(topic, message)
                    await pipe.execute()
                except REDIS_ERRORS:
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                for sent in batch:  # unless it was evicted meanwhile
                    if self._unsent and self._unsent[0] is sent:
                        self._unsent_bytes -= _size(self._unsent.popleft())

    async def _receive(self, connected: asyncio.Event) -> None:
        """Receive messages of other processes; reconnect whenever needed."""
        while True:
            pubsub = self._subscriber.pubsub()
            self._subscriptions.reset()
            try:
                await self._update_subscriptions(pubsub)  # connects: before that nothing can be read
                await pubsub.ping(_READY)
                tasks = [
                    asyncio.create_task(self._read(pubsub, connected)),
                    asyncio.create_task(self._keep_subscribed(pubsub)),
                ]
                try:
                    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                for task in done:
                    task.result()
            except REDIS_ERRORS as error:
                if not self._was_lost:
                    _log.warning("Redis is unreachable: %s", type(error).__name__)
                self._was_lost = True
                self._is_connected = False
                await asyncio.sleep(_RETRY_SECONDS)
            finally:
                self._is_connected = False
                with contextlib.suppress(*REDIS_ERRORS):
                    await pubsub.aclose()

    async def _keep_subscribed(self, pubsub: Any) -> None:
        """Send SUBSCRIBE and UNSUBSCRIBE whenever the desired topics change, until cancelled."""
        while True:
            await self._subscriptions.changed.wait()
            await self._update_subscriptions(pubsub)

    async def _update_subscriptions(self, pubsub: Any) -> None:
        difference = self._subscriptions.take_difference()
        if difference.subscribe:
            await pubsub.subscribe(*(PREFIX + topic for topic in difference.subscribe))
        if difference.unsubscribe:
            await pubsub.unsubscribe(*(PREFIX + topic for topic in difference.unsubscribe))

    def _confirm(self, topic: str) -> None:
        """Count Redis's reply to a command; a subscription that is confirmed late may have missed messages."""
        self._subscriptions.confirm(topic)
        if self._is_connected and topic in self._late and self._subscriptions.is_confirmed(topic):
            self._late.discard(topic)
            self._call_reconnect_callbacks()

    def _finish_connecting(self, connected: asyncio.Event) -> None:
        """Note that Redis has confirmed every topic desired when the connection was made."""
        self._is_connected = True
        connected.set()
        if self._was_lost:
            _log.warning("Redis is reachable again")
        if self._was_lost or self._late:
            self._was_lost = False
            self._late.clear()
            self._call_reconnect_callbacks()

    def _call_reconnect_callbacks(self) -> None:
        for callback in self._reconnect_callbacks:
            callback()

    async def _read(self, pubsub: Any, connected: asyncio.Event) -> None:
        is_alive = True
        while True:
            message = await pubsub.get_message(timeout=_PING_SECONDS)
            if message is None:
                if not is_alive:
                    raise TimeoutError("no reply")
                is_alive = False
                await pubsub.ping()
                continue
            is_alive = True
            kind = message["type"]
            if kind in ("subscribe", "unsubscribe"):
                self._confirm(message["channel"].decode()[len(PREFIX) :])
            elif kind == "pong" and message["data"] == _READY:
                self._finish_connecting(connected)
            elif kind == "message":
                sender, _, content = message["data"].partition(b" ")
                if sender + b" " != self._sender:
                    try:
                        self._dispatch(message["channel"].decode()[len(PREFIX) :], content)
                    except Exception:  # one invalid message must not stop all others
                        _log.exception("a message of another process could not be handled")
