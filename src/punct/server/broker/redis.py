"""Redis: fan-out between processes, on this machine or on several."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import Any, Final

from punct.server.broker.broker import Broker, BrokerError
from punct.server.broker.subscriptions import Subscriptions

try:
    from redis import asyncio as driver
    from redis.asyncio.retry import Retry
    from redis.backoff import ExponentialBackoff, NoBackoff
    from redis.exceptions import RedisError
except ImportError as missing:
    raise BrokerError("Redis needs two more packages: pip install 'punct[cluster]'") from missing

_log = logging.getLogger(__name__)
PREFIX: Final = "punct:"
"""Of all keys and topics: others may use the same Redis."""
MAX_UNSENT_BYTES: Final = 32 * 1024 * 1024
"""Of messages that wait to be sent while Redis is away; further ones push the oldest out."""
_TOGETHER: Final = 200
"""Messages sent in one go."""
_BEAT_SECONDS: Final = 5.0
"""How often the connection is tried when nothing comes."""
_FOLLOW_SECONDS: Final = 1.0
"""How long to wait until following is certain. If it is later, whoever follows is told as after a lost connection."""
_ANSWER_SECONDS: Final = 3.0
"""How long Redis may take to answer a command: a connection that stays silent for longer is given up."""
_PAUSE_SECONDS: Final = 0.2
_ALL: Final = b"all"
"""Sent after the first commands of a connection: Redis answers in order, so once it comes back all are in force."""
FAULTS: Final = (RedisError, OSError, TimeoutError)
"""What the client raises when Redis is away."""
_CLAIM: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_RELEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


def connect(address: str, *, patient: bool = True) -> Any:
    """Return Redis's client, which connects when it is used; a patient one tries a few times before it gives up.

    No command may take longer to be answered than a moment, nor may one that waits at Redis itself.
    """
    retry = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3) if patient else Retry(NoBackoff(), 0)
    try:
        return driver.from_url(
            address, retry=retry, socket_connect_timeout=3, socket_timeout=_ANSWER_SECONDS, health_check_interval=0
        )
    except ValueError:
        raise BrokerError("that is no address of a Redis: redis://HOST:PORT/NUMBER") from None


def _size(message: tuple[str, bytes]) -> int:
    """Return about how much memory a message that waits takes."""
    return len(message[0]) + len(message[1]) + 200


class RedisBroker(Broker):
    """Tells and hears by Redis's channels. A lost connection is made again, and what was followed is followed again."""

    def __init__(self, address: str) -> None:
        """Make it; it connects when it is started."""
        super().__init__()
        self.client = connect(address)
        self._heard_by = connect(address, patient=False)
        self._mark = self.process.encode() + b" "
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._unsent_bytes = 0
        self._filled = asyncio.Event()
        self._subscriptions = Subscriptions()
        self._late: set[str] = set()
        """Topics that somebody follows without having been certain of them: something may have been missed."""
        self._tasks: list[asyncio.Task[None]] = []
        self._is_up = False
        self._was_lost = False

    @property
    def is_shared(self) -> bool:
        """There may be other processes."""
        return True

    async def start(self) -> None:
        """Connect."""
        try:
            await self.client.ping()
        except FAULTS as error:
            raise BrokerError(f"Redis cannot be reached: {type(error).__name__}") from error
        # Somebody must be heard of for the connection to stay: this process's own topic, always.
        self._subscriptions.want(f"process:{self.process}")
        up = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen(up)), asyncio.create_task(self._send())]
        await up.wait()

    async def close(self) -> None:
        """Disconnect, after what was published has been sent."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                while self._waiting:
                    await asyncio.sleep(0.01)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for client in (self.client, self._heard_by):
            with contextlib.suppress(*FAULTS):
                await client.aclose()

    def publish(self, topic: str, message: bytes) -> None:
        """Tell the other processes."""
        self._waiting.append((PREFIX + topic, self._mark + message))
        self._unsent_bytes += _size(self._waiting[-1])
        while self._unsent_bytes > MAX_UNSENT_BYTES:
            self._unsent_bytes -= _size(self._waiting.popleft())
        self._filled.set()

    async def follow(self, topic: str) -> None:
        """Hear of a topic. Interrupted, it is not followed."""
        self._subscriptions.want(topic)
        try:
            async with asyncio.timeout(_FOLLOW_SECONDS):
                await self._subscriptions.wait_until_certain(topic)
        except TimeoutError:
            if not self._subscriptions.is_certain(topic):
                self._late.add(topic)
        except BaseException:
            self._subscriptions.drop(topic)
            raise

    def leave(self, topic: str) -> None:
        """Hear no more of a topic."""
        self._subscriptions.drop(topic)
        if not self._subscriptions.is_wanted(topic):
            self._late.discard(topic)

    async def claim(self, name: str, seconds: float) -> bool:
        """Be the one process that does something. Without Redis everybody is: the store decides who was first."""
        try:
            keys, mine, long = PREFIX + name, self.process, int(seconds * 1000)
            async with asyncio.timeout(_ANSWER_SECONDS):
                return bool(await self.client.eval(_CLAIM, 1, keys, mine, long))
        except FAULTS:
            return True

    async def release(self, name: str) -> None:
        """Let another process do it."""
        with contextlib.suppress(*FAULTS):
            async with asyncio.timeout(_ANSWER_SECONDS):
                await self.client.eval(_RELEASE, 1, PREFIX + name, self.process)

    async def is_claimed(self, name: str) -> bool:
        """Tell whether another process does it; nobody as far as is known, without Redis."""
        try:
            async with asyncio.timeout(_FOLLOW_SECONDS):
                holder = await self.client.get(PREFIX + name)
        except FAULTS:
            return False
        return holder is not None and holder.decode() != self.process

    async def is_reachable(self) -> bool:
        """Tell whether it answers now."""
        try:
            async with asyncio.timeout(1.0):
                await self.client.ping()
        except FAULTS:
            return False
        return self._is_up

    async def _send(self) -> None:
        """Send what is published, as much as waits in one go; while Redis is away it waits."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            while self._waiting:
                together = [self._waiting[i] for i in range(min(_TOGETHER, len(self._waiting)))]
                try:
                    pipe = self.client.pipeline(transaction=False)
                    for topic, message in together:
                        pipe.publish(topic, message)
                    await pipe.execute()
                except FAULTS:
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                for sent in together:  # unless they were pushed out meanwhile
                    if self._waiting and self._waiting[0] is sent:
                        self._unsent_bytes -= _size(self._waiting.popleft())

    async def _listen(self, up: asyncio.Event) -> None:
        """Hear what others publish; connect again whenever that is needed."""
        while True:
            ear = self._heard_by.pubsub()
            self._subscriptions.begin()
            try:
                await self._subscribe(ear)  # connects: before that there is nothing to be read
                await ear.ping(_ALL)
                tasks = [asyncio.create_task(self._take(ear, up)), asyncio.create_task(self._keep_subscribed(ear))]
                try:
                    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                for task in done:
                    task.result()
            except FAULTS as error:
                if not self._was_lost:
                    _log.warning("Redis is away: %s", type(error).__name__)
                self._was_lost = True
                self._is_up = False
                await asyncio.sleep(_PAUSE_SECONDS)
            finally:
                self._is_up = False
                with contextlib.suppress(*FAULTS):
                    await ear.aclose()

    async def _keep_subscribed(self, ear: Any) -> None:
        """Ask Redis for what is wanted and for nothing else, whenever that changes, until cancelled."""
        while True:
            await self._subscriptions.changed.wait()
            await self._subscribe(ear)

    async def _subscribe(self, ear: Any) -> None:
        difference = self._subscriptions.take_difference()
        if difference.subscribe:
            await ear.subscribe(*(PREFIX + topic for topic in difference.subscribe))
        if difference.unsubscribe:
            await ear.unsubscribe(*(PREFIX + topic for topic in difference.unsubscribe))

    def _confirm(self, topic: str) -> None:
        """Take in that Redis has answered a command; whoever was not certain of the topic may have missed something."""
        self._subscriptions.confirm(topic)
        if self._is_up and topic in self._late and self._subscriptions.is_certain(topic):
            self._late.discard(topic)
            self._call_back()

    def _come_up(self, up: asyncio.Event) -> None:
        """Take in that Redis has everything this process wanted when the connection was made."""
        self._is_up = True
        up.set()
        if self._was_lost:
            _log.warning("Redis is there again")
        if self._was_lost or self._late:
            self._was_lost = False
            self._late.clear()
            self._call_back()

    def _call_back(self) -> None:
        for callback in self._when_back:
            callback()

    async def _take(self, ear: Any, up: asyncio.Event) -> None:
        answered = True
        while True:
            message = await ear.get_message(timeout=_BEAT_SECONDS)
            if message is None:
                if not answered:
                    raise TimeoutError("no answer")
                answered = False
                await ear.ping()
                continue
            answered = True
            kind = message["type"]
            if kind in ("subscribe", "unsubscribe"):
                self._confirm(message["channel"].decode()[len(PREFIX) :])
            elif kind == "pong" and message["data"] == _ALL:
                self._come_up(up)
            elif kind == "message":
                sender, _, content = message["data"].partition(b" ")
                if sender + b" " != self._mark:
                    try:
                        self._heard(message["channel"].decode()[len(PREFIX) :], content)
                    except Exception:  # one message that makes no sense must not end all others
                        _log.exception("a message of another process could not be taken in")
