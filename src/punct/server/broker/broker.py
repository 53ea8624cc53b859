"""The interface of a broker, and the broker of a single process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Final

OnMessage = Callable[[str, bytes], None]
"""Called with the topic and the message."""


class BrokerError(Exception):
    """The broker cannot be used. The message is for users."""


class Broker(ABC):
    """Passes messages between processes. It may lose them: what must not be lost is in the database.

    Topics are words separated by colons, as ``game:Xy1``. A process receives the messages of topics it has subscribed
    to, except for those it published itself.
    """

    def __init__(self) -> None:
        self.process: Final = token_urlsafe(9)
        """The id of this process."""
        self._message_callbacks: list[tuple[str, OnMessage]] = []
        self._reconnect_callbacks: list[Callable[[], None]] = []

    def on_message(self, prefix: str, callback: OnMessage) -> None:
        """Call a function with every message received whose topic begins with a prefix."""
        self._message_callbacks.append((prefix, callback))

    def on_reconnect(self, callback: Callable[[], None]) -> None:
        """Call a function whenever a lost connection is restored: messages may have been missed."""
        self._reconnect_callbacks.append(callback)

    def _dispatch(self, topic: str, message: bytes) -> None:
        for prefix, callback in self._message_callbacks:
            if topic.startswith(prefix):
                callback(topic, message)

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether there may be other processes."""

    @abstractmethod
    async def start(self) -> None:
        """Connect. Raises BrokerError if nothing answers."""

    @abstractmethod
    async def close(self) -> None:
        """Disconnect, after published messages have been sent."""

    @abstractmethod
    def publish(self, topic: str, message: bytes) -> None:
        """Queue a message to the other processes. Messages of one process arrive in order, if they arrive."""

    @abstractmethod
    async def subscribe(self, topic: str) -> None:
        """Receive everything that is published to a topic once this returns. Subscriptions of a topic are counted.

        If it raises, as when cancelled, there is no subscription, and nothing to unsubscribe.
        """

    @abstractmethod
    def unsubscribe(self, topic: str) -> None:
        """Remove one subscription of a topic; after the last one its messages are no longer received."""

    @abstractmethod
    async def acquire_lease(self, name: str, seconds: float) -> bool:
        """Acquire or renew a lease for this process; False if another process holds it."""

    @abstractmethod
    async def release_lease(self, name: str) -> None:
        """Release a lease before it expires."""

    @abstractmethod
    async def is_leased_elsewhere(self, name: str) -> bool:
        """Return whether another process holds a lease."""

    @abstractmethod
    async def is_reachable(self) -> bool:
        """Return whether the broker answers now."""


class LocalBroker(Broker):
    """The broker of a single process: there are no others to send to or to compete with."""

    @property
    def is_shared(self) -> bool:
        """There are no other processes."""
        return False

    async def start(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""

    def publish(self, topic: str, message: bytes) -> None:
        """Do nothing."""

    async def subscribe(self, topic: str) -> None:
        """Do nothing."""

    def unsubscribe(self, topic: str) -> None:
        """Do nothing."""

    async def acquire_lease(self, name: str, seconds: float) -> bool:
        """Always succeed."""
        return True

    async def release_lease(self, name: str) -> None:
        """Do nothing."""

    async def is_leased_elsewhere(self, name: str) -> bool:
        """There is no other process."""
        return False

    async def is_reachable(self) -> bool:
        """It is always reachable."""
        return True
