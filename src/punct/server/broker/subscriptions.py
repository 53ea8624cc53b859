"""The topics a process has subscribed to, and which of them a connection to Redis is confirmed to receive.

Nothing here talks to Redis. ``add`` and ``remove`` change only the desired topics; the one task that owns the
connection sends the difference and counts the replies. So the order in which topics are added and removed does not
matter: the connection ends up with the topics that are desired last.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import NamedTuple


class Difference(NamedTuple):
    """The topics of the commands to send to Redis; each is in at most one of the two."""

    subscribe: list[str]
    unsubscribe: list[str]


class Subscriptions:
    """The desired topics, and the state of the current connection with regard to them."""

    def __init__(self) -> None:
        """Begin without topics; must be called on the event loop."""
        self.changed = asyncio.Event()
        """Set when the desired topics may differ from the requested ones."""
        self._desired: Counter[str] = Counter()
        self._requested: set[str] = set()
        """Topics whose last command on this connection was SUBSCRIBE."""
        self._unanswered: Counter[str] = Counter()
        """The number of commands about a topic that Redis has not answered yet. It answers them in order."""
        self._confirmations: dict[str, asyncio.Future[None]] = {}

    def add(self, topic: str) -> None:
        """Add a subscription of a topic."""
        self._desired[topic] += 1
        if self._desired[topic] == 1:
            self.changed.set()

    def remove(self, topic: str) -> None:
        """Remove one subscription of a topic."""
        self._desired[topic] -= 1
        if self._desired[topic] <= 0:
            del self._desired[topic]
            self._confirmations.pop(topic, None)  # only subscribers wait for it, and none is left
            self.changed.set()

    def reset(self) -> None:
        """Forget the commands that were sent: the connection is a new one."""
        self._requested.clear()
        self._unanswered.clear()
        self.changed.set()

    def take_difference(self) -> Difference:
        """Return the commands to send now, and count them as sent."""
        self.changed.clear()
        difference = Difference(
            [topic for topic in self._desired if topic not in self._requested],
            [topic for topic in self._requested if topic not in self._desired],
        )
        self._requested.update(difference.subscribe)
        self._requested.difference_update(difference.unsubscribe)
        self._unanswered.update(difference.subscribe)
        self._unanswered.update(difference.unsubscribe)
        return difference

    def confirm(self, topic: str) -> None:
        """Count Redis's reply to one command about a topic."""
        self._unanswered[topic] -= 1
        if self._unanswered[topic] > 0:
            return
        del self._unanswered[topic]
        if topic not in self._requested:
            return
        confirmation = self._confirmations.pop(topic, None)
        if confirmation is not None and not confirmation.done():
            confirmation.set_result(None)

    def is_confirmed(self, topic: str) -> bool:
        """Return whether everything published to a topic from now on is received, as long as the connection holds."""
        return topic in self._requested and topic not in self._unanswered

    def is_subscribed(self, topic: str) -> bool:
        """Return whether a topic has a subscription."""
        return topic in self._desired

    async def wait_until_confirmed(self, topic: str) -> None:
        """Wait until a subscribed topic is confirmed."""
        while not self.is_confirmed(topic):
            confirmation = self._confirmations.get(topic)
            if confirmation is None:
                confirmation = self._confirmations[topic] = asyncio.get_running_loop().create_future()
            await asyncio.shield(confirmation)
