"""What a broker does, and the one of a process that is alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from secrets import token_urlsafe
from typing import Final

OnMessage = Callable[[str, bytes], None]
"""Called with the topic and the message."""


class BrokerError(Exception):
    """The broker cannot be used. The message is for people."""


class Broker(ABC):
    """Passes messages between processes. It may lose them: what must not be lost is in the store.

    Topics are words divided by colons, as ``game:Xy1``. A process hears of those it follows, and never of what it
    published itself: that it knows already.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.process: Final = token_urlsafe(9)
        """This process, for the others."""
        self._subscribers: list[tuple[str, OnMessage]] = []
        self._when_back: list[Callable[[], None]] = []

    def subscribe(self, prefix: str, callback: OnMessage) -> None:
        """Have a function called with every message of the topics that begin so, as far as they are followed."""
        self._subscribers.append((prefix, callback))

    def when_back(self, callback: Callable[[], None]) -> None:
        """Have a function called when the connection was lost and is there again: something may have been missed."""
        self._when_back.append(callback)

    def _heard(self, topic: str, message: bytes) -> None:
        for prefix, callback in self._subscribers:
            if topic.startswith(prefix):
                callback(topic, message)

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether there may be other processes."""

    @abstractmethod
    async def start(self) -> None:
        """Connect. Raises BrokerError if there is nothing at the address."""

    @abstractmethod
    async def close(self) -> None:
        """Disconnect, after what was published has been sent."""

    @abstractmethod
    def publish(self, topic: str, message: bytes) -> None:
        """Tell the other processes; returns at once. Messages of one process arrive in their order, if they do."""

    @abstractmethod
    async def follow(self, topic: str) -> None:
        """Hear of a topic: of everything that is published once this returns. To be left as often as followed.

        Raising anything, as when cancelled, it has not begun: then there is nothing to leave.
        """

    @abstractmethod
    def leave(self, topic: str) -> None:
        """Hear no more of a topic."""

    @abstractmethod
    async def claim(self, name: str, seconds: float) -> bool:
        """Be the one process that does something, for so long, or again for so long; False if another one is."""

    @abstractmethod
    async def release(self, name: str) -> None:
        """Let another process do it."""

    @abstractmethod
    async def is_claimed(self, name: str) -> bool:
        """Tell whether another process does it."""

    @abstractmethod
    async def is_reachable(self) -> bool:
        """Tell whether it answers now."""


class LocalBroker(Broker):
    """For a process that is alone: there is nobody to tell anything, and nobody to take work away."""

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

    async def follow(self, topic: str) -> None:
        """Do nothing."""

    def leave(self, topic: str) -> None:
        """Do nothing."""

    async def claim(self, name: str, seconds: float) -> bool:
        """Be the one."""
        return True

    async def release(self, name: str) -> None:
        """Do nothing."""

    async def is_claimed(self, name: str) -> bool:
        """There is no other."""
        return False

    async def is_reachable(self) -> bool:
        """It cannot go away."""
        return True
