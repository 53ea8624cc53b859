"""The timekeeper: ends games whose time is up, whoever is there, and gives back time in which nobody could play."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Final

from punct.server.play.clock import Now, after_outage, utc_now
from punct.server.play.deadlines import UNBEGUN, Deadlines
from punct.server.play.games import Games
from punct.server.store import NEVER, Lapsed, PulseStore

_log = logging.getLogger(__name__)
LOOK_SECONDS: Final = 0.5
"""How often it looks at the clocks."""
BEAT: Final = timedelta(seconds=2)
"""How often it notes that the server runs."""
OUTAGE: Final = timedelta(seconds=6)
"""After so long a silence the server did not run, or could not reach the games: that time is nobody's."""
RESTART: Final = BEAT + timedelta(seconds=LOOK_SECONDS)
"""At its start a process need not wait and see: after so long a silence no other one has run either."""
SET_BACK: Final = timedelta(minutes=1)
"""If at its start the server last ran so long in the future, the system's clock was set back: those of machines differ
by less."""
TIDY: Final = timedelta(minutes=1)
SWEEP: Final = timedelta(hours=1)
KEYS_KEPT: Final = timedelta(days=1)
"""So long it is remembered what was asked with a key."""
NEW_GAMES_KEPT: Final = timedelta(days=400)
"""The same of new games: a browser that was offline keeps its games, and brings one again whenever it is back."""
TURNS_KEPT: Final = timedelta(hours=1)
"""The same of turns: there are very many, and nobody sends one again so late."""
CHALLENGES_KEPT: Final = timedelta(days=14)
"""So long after it expired a challenge still leads to its game."""


class Timekeeper:
    """Looks at all clocks. Each process of a server has one, and whichever comes first does what is to be done."""

    def __init__(
        self, store: PulseStore, games: Games, deadlines: Deadlines, now: Now = utc_now, *, outage: timedelta = OUTAGE
    ) -> None:
        """Keep the time of these games."""
        self._store, self._games, self._deadlines = store, games, deadlines
        self._now, self._outage = now, outage
        self._beaten: datetime | None = None
        self._begun = self._tidied = self._swept = now()
        self._lapsed = NEVER

    async def look(self) -> None:
        """Give back what an outage took, then end what is overdue."""
        now = self._now()
        if self._beaten is None or now - self._beaten >= BEAT:
            await self._beat(now)
        if self._now() - now > BEAT:
            return  # this process stood still just now: what that took is given back first
        await self._deadlines.end_overdue(now)
        # Nobody could play before this process did run: games wait for players from then on.
        if now - self._tidied >= TIDY and now - self._begun >= UNBEGUN:
            self._tidied = now
            await self._deadlines.abort_unbegun(now)
        if now - self._swept >= SWEEP:
            self._swept = now
            await self._deadlines.end_left_alone(now)
            lapsed = Lapsed(now - TURNS_KEPT, now - NEW_GAMES_KEPT, now - KEYS_KEPT)
            await asyncio.wrap_future(self._store.sweep(lapsed, self._lapsed, now - CHALLENGES_KEPT))
            self._lapsed = lapsed
            await asyncio.wrap_future(self._store.sweep_people(now))

    async def arrival(self) -> datetime:
        """Return the moment at which a move arrives: after this process stood still, once what that took is back."""
        now = self._now()
        if self._beaten is not None and now - self._beaten > self._outage:
            await self._beat(now)
        return now

    async def close(self) -> None:
        """Note to the very end that the server runs: what comes then is nobody's time."""
        if self._beaten is not None:
            await self._beat(self._now())

    async def _beat(self, now: datetime) -> None:
        outage = min(self._outage, RESTART) if self._beaten is None else self._outage
        set_back = SET_BACK if self._beaten is None else None  # later, time goes on whatever the system's clock does
        pardoned = await asyncio.wrap_future(self._store.beat(now, outage, after_outage, set_back))
        self._beaten = now
        if pardoned:
            _log.info("the server was away; the clocks of %d games were put back", len(pardoned))
            await self._games.tell_again(pardoned)

    async def run(self) -> None:
        """Look again and again, until cancelled: whatever goes wrong, time goes on."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Exception:
                _log.exception("the clocks cannot be looked at")
