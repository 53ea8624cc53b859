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
PAUSE_SECONDS: Final = 0.5
"""How many watch is told no more often than that, and the more there are to be told, the more seldom."""
_PAUSE_EACH_SECONDS: Final = 0.001
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


@dataclass(slots=True)
class _Board:
    """Who is at one board here, and what was told of it."""

    connections: dict[Watcher, _AtBoard] = field(default_factory=dict)
    seated: dict[Watcher, _AtBoard] = field(default_factory=dict)
    """Those in a seat."""
    told: str = ""
    """What those who are here were told last."""
    players: frozenset[Colour] | None = None
    """The players in that."""
    said: _Seen | None = None
    """What the other processes were told last."""
    timer: asyncio.TimerHandle | None = None
    """For what waits to be told."""

    def seen(self) -> _Seen:
        lags: dict[Colour, float | None] = {}
        for at_board in self.seated.values():
            for colour in at_board.seats:
                known = [lag for lag in (lags.get(colour), at_board.lag and at_board.lag.total_seconds()) if lag]
                lags[colour] = min(known, default=None)
        return _Seen(len(self.connections) - len(self.seated), lags)


class Presence:
    """Who is at which board.

    A player who comes or goes is told to everybody at once. How many watch is told once in a while: were everybody told
    of everybody else who comes, a thousand who come to watch would make a million messages.
    """

    def __init__(self, hub: Hub, now: Now) -> None:
        """Tell it through this hub."""
        self._hub, self._now = hub, now
        self._here: dict[str, _Board] = {}
        self._elsewhere: dict[str, dict[str, _Seen]] = {}
        self._connections = 0
        hub.on(_HERE, self._heard)
        hub.on(_WHO, lambda game_id, _: self._say(game_id) if game_id in self._here else None)

    @property
    def connections(self) -> int:
        """How many are at boards here."""
        return self._connections

    def enter(self, game_id: str, watcher: Watcher, seats: tuple[Colour, ...]) -> None:
        """Somebody has come to a board, in these seats or in none. Must be called on the event loop."""
        board = self._here.get(game_id)
        if board is None:
            board = self._here[game_id] = _Board()
            self._hub.share(game_id, _WHO, "")
        board.connections[watcher] = _AtBoard(seats)
        if seats:
            board.seated[watcher] = board.connections[watcher]
        self._connections += 1
        self._changed(game_id, board)
        message, _ = self._message(game_id)
        if message != board.told:
            board.told = ""  # not everybody was told the same last: whatever comes next is news to somebody
        watcher.begin("presence", message)

    def leave(self, game_id: str, watcher: Watcher) -> None:
        """Somebody has gone."""
        board = self._here.get(game_id)
        if board is None or board.connections.pop(watcher, None) is None:
            return
        board.seated.pop(watcher, None)
        self._connections -= 1
        if board.connections:
            self._changed(game_id, board)
            return
        if board.timer is not None:
            board.timer.cancel()
        del self._here[game_id]
        self._elsewhere.pop(game_id, None)
        self._say(game_id)

    def measured(self, game_id: str, watcher: Watcher, lag: timedelta) -> None:
        """Note how long the way to somebody and back took. The shortest counts: nothing is gained by answering late."""
        board = self._here.get(game_id)
        at_board = board and board.connections.get(watcher)
        if at_board and (at_board.lag is None or lag < at_board.lag):
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
                        self._say(game_id)
                        self._tell(game_id)
                await asyncio.sleep(SAY_SECONDS / len(parts))

    # ------------------------------------------------------------------ within

    def _changed(self, game_id: str, board: _Board) -> None:
        """Tell what has changed: at once if it is a player, and how many watch with whoever else comes soon."""
        if self._message(game_id)[1] != board.players:
            self._spread(game_id)
        elif board.timer is None:
            pause = PAUSE_SECONDS + _PAUSE_EACH_SECONDS * len(board.connections)
            board.timer = asyncio.get_running_loop().call_later(pause, self._spread, game_id)

    def _spread(self, game_id: str) -> None:
        board = self._here.get(game_id)
        if board is None:
            return
        if board.timer is not None:
            board.timer.cancel()
            board.timer = None
        if board.seen() != board.said:
            self._say(game_id)
        self._tell(game_id)

    def _say(self, game_id: str) -> None:
        """Tell the other processes who is here."""
        if not self._hub.is_shared:
            return
        board = self._here.get(game_id)
        seen = _Seen() if board is None else board.seen()
        if board is not None:
            board.said = seen
        lags = {str(int(colour)): lag for colour, lag in seen.lags.items()}
        content = {"process": self._hub.process, "watchers": seen.watchers, "lags": lags}
        self._hub.share(game_id, _HERE, orjson.dumps(content).decode())

    def _heard(self, game_id: str, message: str) -> None:
        board = self._here.get(game_id)
        if board is None:
            return
        told: dict[str, Any] = orjson.loads(message)
        lags = {Colour(int(number)): lag for number, lag in told["lags"].items()}
        self._elsewhere.setdefault(game_id, {})[told["process"]] = _Seen(told["watchers"], lags, self._now())
        self._changed(game_id, board)

    def _tell(self, game_id: str) -> None:
        """Tell those who are here, if anything has changed for them."""
        board = self._here[game_id]
        message, board.players = self._message(game_id)
        if board.told != message:
            board.told = message
            self._hub.tell_here(game_id, "presence", message)

    def _message(self, game_id: str) -> tuple[str, frozenset[Colour]]:
        """Return what is to be told of a board, and the players who are there."""
        seen = self._seen(game_id)
        players = frozenset(colour for found in seen for colour in found.lags)
        return present.presence_message(players, sum(found.watchers for found in seen)), players

    def _seen(self, game_id: str) -> list[_Seen]:
        oldest = self._now() - _BELIEVED
        board = self._here.get(game_id)
        others = self._elsewhere.get(game_id, {}).values()
        here = [] if board is None else [board.seen()]
        return [*here, *(seen for seen in others if seen.at is None or seen.at >= oldest)]
