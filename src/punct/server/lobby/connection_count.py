"""How many live connections there are, over all processes of a server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from punct.server.broker.broker import Broker

CHECK_SECONDS: Final = 0.5
"""Between two comparisons of this process's count with what the others know of it."""
ANNOUNCE_SECONDS: Final = 20.0
"""Between two announcements to the other processes of a count that has not changed."""
EXPIRY_SECONDS: Final = 50.0
"""After which a process's last announcement counts no more: a process that was killed announces nothing."""
_TOPIC: Final = "here"
_REQUEST: Final = b"who"
"""Published by a process that starts: all others announce their counts."""


class ConnectionCount:
    """Adds this process's live connections to those that the other processes announce."""

    def __init__(self, broker: Broker, count_local: Callable[[], int], on_change: Callable[[], None]) -> None:
        """Count with ``count_local`` in this process; call ``on_change`` when the count of another one changes."""
        self._broker, self._count_local, self._on_change = broker, count_local, on_change
        self._remote: dict[str, tuple[int, float]] = {}
        self._announced = (0, -ANNOUNCE_SECONDS)
        broker.on_message(_TOPIC, self._on_message)

    def total(self) -> int:
        """Return the number of connections to all processes."""
        return self._count_local() + sum(count for count, _ in self._remote.values())

    async def start(self) -> None:
        """Ask the other processes for their counts."""
        if self._broker.is_shared:
            await self._broker.subscribe(_TOPIC)
            self._broker.publish(_TOPIC, _REQUEST)

    async def run(self) -> None:
        """Announce this process's count when it changes, and regularly; drop expired ones. Until cancelled."""
        while True:
            self._drop_expired()
            count, (last, at) = self._count_local(), self._announced
            if count != last or time.monotonic() - at >= ANNOUNCE_SECONDS:
                self._announce()
            await asyncio.sleep(CHECK_SECONDS)

    def _announce(self) -> None:
        count = self._count_local()
        self._announced = count, time.monotonic()
        if self._broker.is_shared:
            self._broker.publish(_TOPIC, f"{self._broker.process} {count}".encode())

    def _on_message(self, topic: str, content: bytes) -> None:
        if topic != _TOPIC:
            return
        if content == _REQUEST:
            self._announce()
            return
        process, count = content.decode().split(" ")
        last, _ = self._remote.get(process, (0, 0.0))
        self._remote[process] = int(count), time.monotonic()
        if int(count) != last:
            self._on_change()

    def _drop_expired(self) -> None:
        oldest = time.monotonic() - EXPIRY_SECONDS
        expired = {process: count for process, (count, at) in self._remote.items() if at < oldest}
        for process in expired:
            del self._remote[process]
        if any(expired.values()):
            self._on_change()
