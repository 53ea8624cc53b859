"""Who is at the board: which players, how many watch, and how long the network takes to them; in all processes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import orjson

from punct.piece import Colour
from punct.server.api import present
from punct.server.api.live import Hub, Watcher
from punct.server.play.clock import Now

SAY_SECONDS: Final = 20.0
"""How often a process tells the others who is with it."""
_TOGETHER: Final = 20
"""Of how many games at a time: nobody else is answered meanwhile."""
_BELIEVED: Final = timedelta(seconds=50)
"""So long that is believed: a process that was killed says no goodbye."""
_HERE, _WHO = "here", "who"
"""What processes tell each other of a game: who is with me; who is with you?"""


@dataclass(slots=True)
class _AtBoard:
    """One live connection."""

    seats: tuple[Colour, ...]
    lag: timedelta | None = None
    """The shortest way there and back that was measured."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """Who is with one process."""

    watchers: int = 0
    lags: dict[Colour, float | None] = field(default_factory=dict)
    """By colour, if its player is there: seconds."""
    at: datetime | None = None


class Presence:
    """Who is at which board."""

    def __init__(self, hub: Hub, now: Now) -> None:
        """Tell it through this hub."""
        self._hub, self._now = hub, now
        self._here: dict[str, dict[Watcher, _AtBoard]] = {}
        self._elsewhere: dict[str, dict[str, _Seen]] = {}
        self._told: dict[str, str] = {}
        hub.on(_HERE, self._heard)
        hub.on(_WHO, lambda game_id, _: self._say(game_id) if game_id in self._here else None)

    @property
    def connections(self) -> int:
        """How many are at boards here."""
        return sum(map(len, self._here.values()))

    def enter(self, game_id: str, watcher: Watcher, seats: tuple[Colour, ...]) -> None:
        """Somebody has come to a board, in these seats or in none."""
        at_board = self._here.setdefault(game_id, {})
        is_first = not at_board
        at_board[watcher] = _AtBoard(seats)
        if is_first:
            self._hub.share(game_id, _WHO, "")
        self._changed(game_id)
        watcher.begin("presence", self._told[game_id])

    def leave(self, game_id: str, watcher: Watcher) -> None:
        """Somebody has gone."""
        at_board = self._here.get(game_id, {})
        if at_board.pop(watcher, None) is None:
            return
        if at_board:
            self._changed(game_id)
            return
        del self._here[game_id]
        self._elsewhere.pop(game_id, None)
        self._told.pop(game_id, None)
        self._say(game_id)

    def measured(self, game_id: str, watcher: Watcher, lag: timedelta) -> None:
        """Note how long the way to somebody and back took. The shortest counts: nothing is gained by answering late."""
        at_board = self._here.get(game_id, {}).get(watcher)
        if at_board is not None and (at_board.lag is None or lag < at_board.lag):
            at_board.lag = lag
            self._say(game_id)

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return how long the network takes to a player and back, as far as anybody has measured it."""
        found = [seen.lags[colour] for seen in self._seen(game_id) if colour in seen.lags]
        return timedelta(seconds=min((lag for lag in found if lag is not None), default=0.0))

    async def run(self) -> None:
        """Tell the others again and again who is here, a few games at a time, until cancelled."""
        while self._hub.is_shared:
            games = list(self._here)
            parts = [games[first : first + _TOGETHER] for first in range(0, len(games), _TOGETHER)] or [[]]
            for part in parts:
                for game_id in part:
                    if game_id in self._here:
                        self._changed(game_id)
                await asyncio.sleep(SAY_SECONDS / len(parts))

    # ------------------------------------------------------------------ within

    def _changed(self, game_id: str) -> None:
        self._say(game_id)
        self._tell(game_id)

    def _say(self, game_id: str) -> None:
        """Tell the other processes who is here."""
        if not self._hub.is_shared:
            return
        seen = self._seen_here(game_id)
        lags = {str(int(colour)): lag for colour, lag in seen.lags.items()}
        content = {"process": self._hub.process, "watchers": seen.watchers, "lags": lags}
        self._hub.share(game_id, _HERE, orjson.dumps(content).decode())

    def _heard(self, game_id: str, message: str) -> None:
        if game_id not in self._here:
            return
        told: dict[str, Any] = orjson.loads(message)
        lags = {Colour(int(number)): lag for number, lag in told["lags"].items()}
        self._elsewhere.setdefault(game_id, {})[told["process"]] = _Seen(told["watchers"], lags, self._now())
        self._tell(game_id)

    def _tell(self, game_id: str) -> None:
        """Tell those who are here, if anything has changed for them."""
        seen = self._seen(game_id)
        players = {colour for found in seen for colour in found.lags}
        message = present.presence_message(players, sum(found.watchers for found in seen))
        if self._told.get(game_id) != message:
            self._told[game_id] = message
            self._hub.tell_here(game_id, "presence", message)

    def _seen(self, game_id: str) -> list[_Seen]:
        oldest = self._now() - _BELIEVED
        others = self._elsewhere.get(game_id, {}).values()
        return [self._seen_here(game_id), *(seen for seen in others if seen.at is None or seen.at >= oldest)]

    def _seen_here(self, game_id: str) -> _Seen:
        watchers, lags = 0, dict[Colour, float | None]()
        for at_board in self._here.get(game_id, {}).values():
            watchers += not at_board.seats
            for colour in at_board.seats:
                known = [lag for lag in (lags.get(colour), at_board.lag and at_board.lag.total_seconds()) if lag]
                lags[colour] = min(known, default=None)
        return _Seen(watchers, lags)
