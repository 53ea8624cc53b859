"""The outgoing messages of one live connection."""

from __future__ import annotations

import asyncio

from punct.server.live.frames import Message


class Subscriber:
    """A queue that holds only the newest message of each kind: a slow client skips older ones."""

    def __init__(self) -> None:
        self._queue: dict[str, Message] = {}
        self._has_message = asyncio.Event()

    def put(self, kind: str, message: str) -> None:
        """Queue a message, in place of an older one of its kind."""
        self._queue.pop(kind, None)
        self._queue[kind] = message if isinstance(message, Message) else Message(message)
        self._has_message.set()

    def put_if_absent(self, kind: str, message: str) -> None:
        """Queue a message, unless there is one of its kind: that was published later, and is newer."""
        if kind not in self._queue:
            self.put(kind, message)

    async def take(self) -> Message:
        """Wait for the oldest message, and remove it."""
        while not self._queue:
            self._has_message.clear()
            await self._has_message.wait()
        return self._queue.pop(next(iter(self._queue)))
