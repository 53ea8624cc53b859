"""Presence: which players are connected to a game, how many spectators, and each player's network lag.

Every process counts its own connections, and announces the counts to the other processes through the broker.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import orjson

from punct.piece import Colour
from punct.server.clock import Now
from punct.server.events import EventBus
from punct.server.games import messages
from punct.server.games.events import PresenceChanged
from punct.server.live.hub import Hub
from punct.server.live.subscriber import Subscriber

ANNOUNCE_SECONDS: Final = 20.0
"""How often a process announces who is connected to it."""
_BATCH_SIZE: Final = 20
"""Games announced at a time: the event loop serves nothing else meanwhile."""
PRESENCE_TTL: Final = timedelta(seconds=50)
"""How long an announcement is valid: a process that was killed does not take it back."""
UPDATE_SECONDS: Final = 0.5
"""How often at most a new number of spectators is published; the more connections there are, the more seldom: a hundred
messages a second in all, however many spectators a game has."""
_UPDATE_SECONDS_PER_CONNECTION: Final = 0.01
_ANNOUNCEMENT, _QUERY = "here", "who"
"""The kinds of messages between processes: who is connected here; who is connected to you?"""


@dataclass(slots=True)
class _Connection:
    """One live connection."""

    seats: tuple[Colour, ...]
    lag: timedelta | None = None
    """The shortest round-trip time that was measured."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """Who is connected to a game in one process."""

    spectators: int = 0
    lags: dict[Colour, float | None] = field(default_factory=dict)
    """The lag in seconds by colour, for players who are connected; None if it is not measured yet."""
    received_at: datetime | None = None
    """When another process announced it."""


@dataclass(slots=True)
class _GamePresence:
    """The connections to one game in this process, and what was last sent about it."""

    connections: dict[Subscriber, _Connection] = field(default_factory=dict)
    seated: dict[Subscriber, _Connection] = field(default_factory=dict)
    """The connections of players."""
    published: str = ""
    """The message that was last sent to all subscribers; empty if they have got different ones."""
    published_players: frozenset[Colour] | None = None
    """The players in that message."""
    announced: _Counts | None = None
    """What was last announced to the other processes."""
    timer: asyncio.TimerHandle | None = None
    """For the next update of the number of spectators."""

    def counts(self) -> _Counts:
        lags: dict[Colour, float | None] = {}
        for connection in self.seated.values():
            for colour in connection.seats:
                measured = [lag for lag in (lags.get(colour), connection.lag and connection.lag.total_seconds()) if lag]
                lags[colour] = min(measured, default=None)
        return _Counts(len(self.connections) - len(self.seated), lags)


class Presence:
    """Who is connected to which game.

    A player who connects or disconnects is published at once. The number of spectators is published only now and then:
    if every new spectator were announced to all the others, a thousand of them would cause a million messages.
    """

    def __init__(self, hub: Hub, now: Now, bus: EventBus | None = None) -> None:
        """Publish through a hub."""
        self._hub, self._now, self._bus = hub, now, bus or EventBus()
        self._local: dict[str, _GamePresence] = {}
        self._remote: dict[str, dict[str, _Counts]] = {}
        self._connections = 0
        hub.on_process_message(_ANNOUNCEMENT, self._receive)
        hub.on_process_message(_QUERY, lambda game_id, _: self._announce(game_id) if game_id in self._local else None)

    @property
    def connections(self) -> int:
        """The number of connections to games in this process."""
        return self._connections

    def enter(self, game_id: str, subscriber: Subscriber, seats: tuple[Colour, ...]) -> None:
        """Add a connection to a game, of a player with seats or of a spectator. Must be called on the event loop."""
        game = self._local.get(game_id)
        if game is None:
            game = self._local[game_id] = _GamePresence()
            self._hub.send_to_processes(game_id, _QUERY, "")
        game.connections[subscriber] = _Connection(seats)
        if seats:
            game.seated[subscriber] = game.connections[subscriber]
        self._count(1)
        self._update(game_id, game)
        message, _ = self._message(game_id)
        if message != game.published:
            game.published = ""  # the subscribers have got different messages: the next one is new to some of them
        subscriber.put_if_absent("presence", message)

    def leave(self, game_id: str, subscriber: Subscriber) -> None:
        """Remove a connection."""
        game = self._local.get(game_id)
        if game is None or game.connections.pop(subscriber, None) is None:
            return
        game.seated.pop(subscriber, None)
        self._count(-1)
        if game.connections:
            self._update(game_id, game)
            return
        if game.timer is not None:
            game.timer.cancel()
        del self._local[game_id]
        self._remote.pop(game_id, None)
        self._announce(game_id)

    def record_lag(self, game_id: str, subscriber: Subscriber, lag: timedelta) -> None:
        """Record a measured round-trip time. The shortest counts, so that replying late to probes gains nothing."""
        game = self._local.get(game_id)
        connection = game and game.connections.get(subscriber)
        if connection and (connection.lag is None or lag < connection.lag):
            connection.lag = lag
            self._announce(game_id)

    def lag(self, game_id: str, colour: Colour) -> timedelta:
        """Return the round-trip time to a player, as measured by any process; zero if none has."""
        lags = [counts.lags[colour] for counts in self._counts(game_id) if colour in counts.lags]
        return timedelta(seconds=min((lag for lag in lags if lag is not None), default=0.0))

    async def run(self) -> None:
        """Announce all games to the other processes again and again, in batches, until cancelled."""
        while self._hub.is_shared:
            games = list(self._local)
            batches = [games[first : first + _BATCH_SIZE] for first in range(0, len(games), _BATCH_SIZE)] or [[]]
            for batch in batches:
                for game_id in batch:
                    if game_id in self._local:
                        self._announce(game_id)
                        self._publish(game_id)
                await asyncio.sleep(ANNOUNCE_SECONDS / len(batches))

    def _count(self, change: int) -> None:
        self._connections += change
        self._bus.publish(PresenceChanged())

    def _update(self, game_id: str, game: _GamePresence) -> None:
        """Send a change: of the players at once, of the number of spectators together with later ones."""
        if self._message(game_id)[1] != game.published_players:
            self._send(game_id)
        elif game.timer is None:
            delay = UPDATE_SECONDS + _UPDATE_SECONDS_PER_CONNECTION * len(game.connections)
            game.timer = asyncio.get_running_loop().call_later(delay, self._send, game_id)

    def _send(self, game_id: str) -> None:
        """Send what has changed to the other processes, and to the subscribers here."""
        game = self._local.get(game_id)
        if game is None:
            return
        if game.timer is not None:
            game.timer.cancel()
            game.timer = None
        if game.counts() != game.announced:
            self._announce(game_id)
        self._publish(game_id)

    def _announce(self, game_id: str) -> None:
        """Send the counts of this process to the other processes."""
        if not self._hub.is_shared:
            return
        game = self._local.get(game_id)
        counts = _Counts() if game is None else game.counts()
        if game is not None:
            game.announced = counts
        lags = {str(int(colour)): lag for colour, lag in counts.lags.items()}
        content = {"process": self._hub.process, "watchers": counts.spectators, "lags": lags}
        self._hub.send_to_processes(game_id, _ANNOUNCEMENT, orjson.dumps(content).decode())

    def _receive(self, game_id: str, message: str) -> None:
        """Store the counts of another process."""
        game = self._local.get(game_id)
        if game is None:
            return
        content: dict[str, Any] = orjson.loads(message)
        lags = {Colour(int(number)): lag for number, lag in content["lags"].items()}
        counts = _Counts(content["watchers"], lags, self._now())
        self._remote.setdefault(game_id, {})[content["process"]] = counts
        self._update(game_id, game)

    def _publish(self, game_id: str) -> None:
        """Send the presence to the subscribers in this process, if it has changed."""
        game = self._local[game_id]
        message, game.published_players = self._message(game_id)
        if game.published != message:
            game.published = message
            self._hub.publish_locally(game_id, "presence", message)

    def _message(self, game_id: str) -> tuple[str, frozenset[Colour]]:
        """Return the message about a game, and the players who are connected."""
        all_counts = self._counts(game_id)
        players = frozenset(colour for counts in all_counts for colour in counts.lags)
        return messages.presence_message(players, sum(counts.spectators for counts in all_counts)), players

    def _counts(self, game_id: str) -> list[_Counts]:
        """Return the counts of this process, and the valid ones of the others."""
        oldest = self._now() - PRESENCE_TTL
        game = self._local.get(game_id)
        local = [] if game is None else [game.counts()]
        remote = self._remote.get(game_id, {}).values()
        return [*local, *(counts for counts in remote if counts.received_at is None or counts.received_at >= oldest)]
