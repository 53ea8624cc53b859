"""Live connections end with the session they came by: whoever logs out everywhere is out everywhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator

from punct.server.people.players import Players
from punct.server.store import StoredSession, StoreError


class Doors:
    """Every live connection of somebody known. What they may hear was decided when they came in."""

    def __init__(self, players: Players) -> None:
        """Hear of these players' sessions."""
        self._players = players
        self._open: dict[asyncio.Event, StoredSession] = {}
        self._looking: set[asyncio.Task[None]] = set()
        players.when_forgotten(self._forgotten)

    @contextlib.contextmanager
    def open(self, session: StoredSession | None) -> Iterator[asyncio.Event]:
        """Keep a door open; the event is set once its session has ended. Somebody unknown has none that could."""
        ended = asyncio.Event()
        if session is not None:
            self._open[ended] = session
        try:
            yield ended
        finally:
            self._open.pop(ended, None)

    def _forgotten(self, player_id: str | None) -> None:
        """Look whether a player's sessions have ended, of all players if None: something about them has changed."""
        whose = {door: session for door, session in self._open.items() if player_id in (None, session.player.id)}
        if whose:
            task = asyncio.create_task(self._look(whose))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look(self, doors: dict[asyncio.Event, StoredSession]) -> None:
        for ended, session in doors.items():
            with contextlib.suppress(StoreError):  # as long as nobody can look, nothing is said to have ended
                if not await self._players.lasts(session):
                    ended.set()
