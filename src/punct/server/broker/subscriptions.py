"""Which topics a process wants to hear of, and which of them a connection to Redis is known to carry.

Nothing here talks to Redis. Whoever follows or leaves a topic changes only what is wanted; the one task that owns the
connection asks for the difference and counts the replies. So it does not matter in which order topics are followed and
left: what is wanted last is what the connection ends up with.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import NamedTuple


class Difference(NamedTuple):
    """What is to be asked of Redis, each topic in at most one of the two."""

    subscribe: list[str]
    unsubscribe: list[str]


class Subscriptions:
    """The wanted topics, and how far the present connection has come with them."""

    def __init__(self) -> None:
        """Want nothing; must be called on the event loop."""
        self.changed = asyncio.Event()
        """Set when what is wanted may differ from what was asked for."""
        self._wanted: Counter[str] = Counter()
        self._requested: set[str] = set()
        """Topics whose last command on this connection was SUBSCRIBE."""
        self._unanswered: Counter[str] = Counter()
        """How many commands about a topic Redis has not answered yet. It answers them in their order."""
        self._waiting: dict[str, asyncio.Future[None]] = {}

    def want(self, topic: str) -> None:
        """Want a topic, once more if it is wanted already."""
        self._wanted[topic] += 1
        if self._wanted[topic] == 1:
            self.changed.set()

    def drop(self, topic: str) -> None:
        """Want a topic once less."""
        self._wanted[topic] -= 1
        if self._wanted[topic] <= 0:
            del self._wanted[topic]
            self._waiting.pop(topic, None)  # whoever waits wants the topic: nobody does
            self.changed.set()

    def begin(self) -> None:
        """Forget what was asked for: the connection is a new one."""
        self._requested.clear()
        self._unanswered.clear()
        self.changed.set()

    def take_difference(self) -> Difference:
        """Return what is to be asked for now, and count it as asked."""
        self.changed.clear()
        difference = Difference(
            [topic for topic in self._wanted if topic not in self._requested],
            [topic for topic in self._requested if topic not in self._wanted],
        )
        self._requested.update(difference.subscribe)
        self._requested.difference_update(difference.unsubscribe)
        self._unanswered.update(difference.subscribe)
        self._unanswered.update(difference.unsubscribe)
        return difference

    def confirm(self, topic: str) -> None:
        """Note that Redis has answered one command about a topic."""
        self._unanswered[topic] -= 1
        if self._unanswered[topic] > 0:
            return
        del self._unanswered[topic]
        if topic in self._requested and (future := self._waiting.pop(topic, None)) is not None and not future.done():
            future.set_result(None)

    def is_certain(self, topic: str) -> bool:
        """Tell whether everything published in a topic from now on is heard, as long as the connection holds."""
        return topic in self._requested and topic not in self._unanswered

    def is_wanted(self, topic: str) -> bool:
        """Tell whether anybody wants a topic."""
        return topic in self._wanted

    async def wait_until_certain(self, topic: str) -> None:
        """Wait until a wanted topic is certain to be heard."""
        while not self.is_certain(topic):
            future = self._waiting.get(topic)
            if future is None:
                future = self._waiting[topic] = asyncio.get_running_loop().create_future()
            await asyncio.shield(future)
