"""Live connections end with what they came by, a session or a token: whoever logs out everywhere is out everywhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from punct.server.people.players import Player, Players
from punct.server.store import StoredSession, StoredToken, StoreError

LOOK_SECONDS: Final = 120.0
"""How often it is looked whether anything has expired by which somebody came: nobody tells that."""


class _Door(NamedTuple):
    player: str
    proof: StoredSession | StoredToken


class Doors:
    """Every live connection of somebody known. What they may hear was decided when they came in."""

    def __init__(self, players: Players) -> None:
        """Hear of these players' sessions and tokens."""
        self._players = players
        self._open: dict[asyncio.Event, _Door] = {}
        self._looking: set[asyncio.Task[None]] = set()
        players.when_forgotten(self._forgotten)

    @contextlib.contextmanager
    def open(self, player: Player | None, proof: StoredSession | StoredToken | None) -> Iterator[asyncio.Event]:
        """Keep a door open; the event is set once what opened it has ended. Somebody unknown came by nothing."""
        ended = asyncio.Event()
        if player is not None and proof is not None:
            self._open[ended] = _Door(player.id, proof)
        try:
            yield ended
        finally:
            self._open.pop(ended, None)

    async def run(self) -> None:
        """Look at every door now and then, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._look(dict(self._open))

    def _forgotten(self, player_id: str | None) -> None:
        """Look at a player's doors, at all of them if None: something about them has changed."""
        whose = {ended: door for ended, door in self._open.items() if player_id in (None, door.player)}
        if whose:
            task = asyncio.create_task(self._look(whose))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look(self, doors: dict[asyncio.Event, _Door]) -> None:
        for ended, door in doors.items():
            with contextlib.suppress(StoreError):  # as long as nobody can look, nothing is said to have ended
                if not await self._players.lasts(door.proof):
                    ended.set()
