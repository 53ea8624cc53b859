"""Redis: fan-out between processes, on this machine or on several."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, deque
from typing import Any, Final

from punct.server.broker.broker import Broker, BrokerError

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
MOST_UNSENT: Final = 10_000
"""Messages that wait to be sent while Redis is away; further ones push the oldest out."""
_TOGETHER: Final = 200
"""Messages sent in one go."""
_BEAT_SECONDS: Final = 5.0
"""How often the connection is tried when nothing comes."""
_FOLLOW_SECONDS: Final = 1.0
"""How long to wait until following is certain. If it never is, whoever follows is told when the connection is back."""
_PAUSE_SECONDS: Final = 0.2
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
    """Return Redis's client, which connects when it is used; a patient one tries a few times before it gives up."""
    retry = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3) if patient else Retry(NoBackoff(), 0)
    try:
        return driver.from_url(
            address, retry=retry, socket_connect_timeout=3, socket_timeout=None, health_check_interval=0
        )
    except ValueError:
        raise BrokerError("that is no address of a Redis: redis://HOST:PORT/NUMBER") from None


class RedisBroker(Broker):
    """Tells and hears by Redis's channels. A lost connection is made again, and what was followed is followed again."""

    def __init__(self, address: str) -> None:
        """Make it; it connects when it is started."""
        super().__init__()
        self.client = connect(address)
        self._heard_by = connect(address, patient=False)
        self._mark = self.process.encode() + b" "
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MOST_UNSENT)
        self._filled = asyncio.Event()
        self._followed: Counter[str] = Counter()
        self._certain: dict[str, asyncio.Future[None]] = {}
        self._ear: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._is_up = False

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
        self._followed[f"process:{self.process}"] += 1
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
        self._filled.set()

    async def follow(self, topic: str) -> None:
        """Hear of a topic."""
        self._followed[topic] += 1
        if self._followed[topic] > 1 and topic not in self._certain:
            return
        certain = self._certain.get(topic)
        if certain is None:
            certain = self._certain[topic] = asyncio.get_running_loop().create_future()
            if self._ear is not None and self._is_up:
                with contextlib.suppress(*FAULTS):
                    await self._ear.subscribe(PREFIX + topic)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FOLLOW_SECONDS):
                await asyncio.shield(certain)

    def leave(self, topic: str) -> None:
        """Hear no more of a topic."""
        self._followed[topic] -= 1
        if self._followed[topic] <= 0:
            del self._followed[topic]
            self._certain.pop(topic, None)
            if self._ear is not None and self._is_up:
                self._later(self._ear.unsubscribe(PREFIX + topic))

    async def claim(self, name: str, seconds: float) -> bool:
        """Be the one process that does something. Without Redis everybody is: the store decides who was first."""
        try:
            keys, mine, long = PREFIX + name, self.process, int(seconds * 1000)
            return bool(await self.client.eval(_CLAIM, 1, keys, mine, long))
        except FAULTS:
            return True

    async def release(self, name: str) -> None:
        """Let another process do it."""
        with contextlib.suppress(*FAULTS):
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

    def _later(self, work: Any) -> None:
        async def attempt() -> None:
            with contextlib.suppress(*FAULTS):
                await work

        task = asyncio.create_task(attempt())
        self._tasks.append(task)
        task.add_done_callback(self._tasks.remove)

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
                        self._waiting.popleft()

    async def _listen(self, up: asyncio.Event) -> None:
        """Hear what others publish; connect again whenever that is needed."""
        was_lost = False
        while True:
            self._ear = ear = self._heard_by.pubsub()
            try:
                followed = [PREFIX + topic for topic in self._followed]
                await ear.subscribe(*followed)
                self._is_up = True
                missing = [PREFIX + topic for topic in self._followed if PREFIX + topic not in followed]
                if missing:  # asked for while the first ones were
                    await ear.subscribe(*missing)
                up.set()
                if was_lost:
                    _log.warning("Redis is there again")
                    for callback in self._when_back:
                        callback()
                    was_lost = False
                await self._take(ear)
            except FAULTS as error:
                self._is_up = False
                if not was_lost:
                    _log.warning("Redis is away: %s", type(error).__name__)
                was_lost = True
                await asyncio.sleep(_PAUSE_SECONDS)
            finally:
                self._is_up = False
                with contextlib.suppress(*FAULTS):
                    await ear.aclose()

    async def _take(self, ear: Any) -> None:
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
            if kind == "subscribe":
                certain = self._certain.pop(message["channel"].decode()[len(PREFIX) :], None)
                if certain is not None and not certain.done():
                    certain.set_result(None)
            elif kind == "message":
                sender, _, content = message["data"].partition(b" ")
                if sender + b" " != self._mark:
                    try:
                        self._heard(message["channel"].decode()[len(PREFIX) :], content)
                    except Exception:  # one message that makes no sense must not end all others
                        _log.exception("a message of another process could not be taken in")
