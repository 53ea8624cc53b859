"""The onlooker: notices what was changed past its process: by ``punct admin``, or in all games' clocks at once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from punct.server.store import PulseStore

_log = logging.getLogger(__name__)
LOOK_SECONDS: Final = 2.0
"""How often it looks."""


class Onlooker:
    """Looks whether anything was changed past the server. Each process of a server has one."""

    def __init__(self, store: PulseStore, changed: Callable[[], Awaitable[None]]) -> None:
        """Have a function called whenever something was."""
        self._store, self._changed = store, changed
        self._last = store.touched()

    async def look(self) -> None:
        """Look once."""
        touched = await asyncio.to_thread(self._store.touched)
        if touched != self._last:
            await self._changed()
            self._last = touched  # not before: whatever goes wrong is tried again

    async def run(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Exception:
                _log.exception("what others have changed cannot be looked at")
