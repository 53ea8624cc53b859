"""The feed of the lobby: sends open challenges and running games to everybody, and to each player their own games."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import Final

from punct.server.appointments.events import AppointmentsChanged
from punct.server.appointments.service import Appointments
from punct.server.auth.actor import Actor
from punct.server.auth.events import CachesInvalidated
from punct.server.broker.broker import Broker
from punct.server.challenges.events import ChallengeChanged
from punct.server.challenges.service import Challenges
from punct.server.clock import Now
from punct.server.db.errors import StoreError
from punct.server.events import EventBus
from punct.server.games.events import GameChanged, GameRemoved, PresenceChanged
from punct.server.games.presence import Presence
from punct.server.games.service import Games
from punct.server.http import encoding
from punct.server.live.subscriber import Subscriber
from punct.server.lobby import presenter
from punct.server.lobby.connection_count import ConnectionCount

_log = logging.getLogger(__name__)
UPDATE_SECONDS: Final = 0.5
"""Between two updates: changes in between are sent together."""
_COUNT_SECONDS_PER_CONNECTION: Final = 0.01
"""How much longer a new number of connections waits for each subscriber: whoever comes or goes would cost a message to
everybody, and so a thousand of them a million. So there are a hundred such messages a second, however many are here."""
MAX_GAMES: Final = 50
"""In the list of running games, and in that of a player's own."""
_TOPIC: Final = "lobby"
_EVERYBODY: Final = ""
"""In place of a player's id: what everybody sees has changed."""


class Lobby:
    """The subscribers of the lobby, and what they are sent.

    What has changed is collected, by player or for everybody, and read from the store every half second. Changes in
    other processes come through the broker: ``news PLAYER``, ``challenges PLAYER``, ``dates PLAYER``,
    ``accepted PLAYER CHALLENGE GAME``, ``gone GAME``.
    """

    def __init__(
        self,
        challenges: Challenges,
        appointments: Appointments,
        games: Games,
        presence: Presence,
        broker: Broker,
        bus: EventBus,
        now: Now,
    ) -> None:
        """Subscribe to all changes of challenges, appointments and games."""
        self._appointments, self._now = appointments, now
        self._challenges, self._games, self._presence, self._broker = challenges, games, presence, broker
        self._subscribers: defaultdict[str | None, set[Subscriber]] = defaultdict(set)
        self._without_games: set[Subscriber] = set()
        self._last_message = ""
        self._listed_games: dict[str, frozenset[str]] = {}
        self._changed: set[str] = set()
        self._changed_challenges: set[str] = set()
        """The players whose own challenges, or challenges to whom, have changed."""
        self._changed_appointments: set[str] = set()
        """The players of whose appointments one has changed."""
        self._has_changed = asyncio.Event()
        self._count = ConnectionCount(broker, self._count_local, self._count_changed)
        self._count_timer: asyncio.TimerHandle | None = None
        broker.on_message(_TOPIC, self._on_broker_message)
        bus.subscribe(ChallengeChanged, self._on_challenge)
        bus.subscribe(AppointmentsChanged, self._on_appointments)
        bus.subscribe(GameChanged, self._on_game)
        bus.subscribe(GameRemoved, self._on_removal)
        bus.subscribe(PresenceChanged, lambda _: self._count_changed())
        bus.subscribe(CachesInvalidated, lambda _: self._everybody_changed())  # perhaps somebody was blocked

    async def start(self) -> None:
        """Ask the other processes how many are connected to them."""
        await self._count.start()

    async def run(self) -> None:
        """Send updates, and announce the number of connections, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._send_updates())
            tasks.create_task(self._count.run())

    # ------------------------------------------------------------------ subscribers

    async def subscribe(self, player_id: str | None, *, can_read: bool = True) -> Subscriber:
        """Return a new subscriber. Its first messages are the lobby, and the player's own games if they may be read."""
        subscriber = Subscriber()
        await self._broker.subscribe(_TOPIC)
        self._subscribers[player_id].add(subscriber)
        if not can_read:
            self._without_games.add(subscriber)
        self._count_changed()
        try:
            message = await self._message()
            if message != self._last_message:
                self._last_message = ""  # not all have got the same message last: the next one is sent in any case
            subscriber.put_if_absent("lobby", message)
            if player_id is not None and can_read:
                subscriber.put_if_absent("yours", await self._own_games_message(player_id))
                own_challenges = await self._challenges.of_player(player_id)
                if any(own_challenges):
                    subscriber.put_if_absent("challenges", presenter.challenges_message(*own_challenges))
                appointments = await self._appointments.of_player(player_id)
                if appointments:
                    subscriber.put_if_absent("dates", presenter.appointments_message(appointments, self._now()))
        except BaseException:  # the store may fail, and the client may disconnect meanwhile
            self.unsubscribe(player_id, subscriber)
            raise
        return subscriber

    def unsubscribe(self, player_id: str | None, subscriber: Subscriber) -> None:
        """Send nothing to a subscriber any more."""
        if subscriber not in self._subscribers.get(player_id, ()):
            return
        self._subscribers[player_id].discard(subscriber)
        self._without_games.discard(subscriber)
        if not self._subscribers[player_id]:
            del self._subscribers[player_id]
            self._listed_games.pop(player_id or "", None)
        self._broker.unsubscribe(_TOPIC)
        self._count_changed()

    async def snapshot(self) -> encoding.Json:
        """Return what everybody sees."""
        challenges, running = await asyncio.gather(self._challenges.listed(), self._games.list_public(MAX_GAMES))
        return presenter.lobby(challenges, running, self._count.total())

    def _count_local(self) -> int:
        return self._presence.connections + sum(map(len, self._subscribers.values()))

    # ------------------------------------------------------------------ updates

    async def _send_updates(self) -> None:
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            changed, self._changed = self._changed, set()
            changed_challenges, self._changed_challenges = self._changed_challenges, set()
            changed_appointments, self._changed_appointments = self._changed_appointments, set()
            try:
                await self._send(changed)
                await self._send_challenges(changed_challenges)
                await self._send_appointments(changed_appointments)
            except StoreError:
                _log.exception("the lobby cannot be read; it will be tried again")
                self._changed |= changed
                self._changed_challenges |= changed_challenges
                self._changed_appointments |= changed_appointments
                self._has_changed.set()
            await asyncio.sleep(UPDATE_SECONDS)

    async def _send(self, changed: set[str]) -> None:
        if _EVERYBODY in changed and self._subscribers:
            message = await self._message()
            if message != self._last_message:
                self._last_message = message
                for subscribers in self._subscribers.values():
                    for subscriber in subscribers:
                        subscriber.put("lobby", message)
        for player_id in changed - {_EVERYBODY}:
            if self._subscribers.get(player_id, set()) - self._without_games:
                message = await self._own_games_message(player_id)
                for subscriber in self._subscribers.get(player_id, set()) - self._without_games:
                    subscriber.put("yours", message)

    async def _send_challenges(self, changed: set[str]) -> None:
        for player_id in changed:
            if self._subscribers.get(player_id, set()) - self._without_games:
                message = presenter.challenges_message(*await self._challenges.of_player(player_id))
                for subscriber in self._subscribers.get(player_id, set()) - self._without_games:
                    subscriber.put("challenges", message)

    async def _send_appointments(self, changed: set[str]) -> None:
        for player_id in changed:
            if self._subscribers.get(player_id, set()) - self._without_games:
                appointments = await self._appointments.of_player(player_id)
                message = presenter.appointments_message(appointments, self._now())
                for subscriber in self._subscribers.get(player_id, set()) - self._without_games:
                    subscriber.put("dates", message)

    async def _message(self) -> str:
        return presenter.lobby_message(await self.snapshot())

    async def _own_games_message(self, player_id: str) -> str:
        actor = Actor(player_id)
        games, _ = await self._games.list_for(0, MAX_GAMES, actor, running=True)
        if player_id in self._subscribers:
            self._listed_games[player_id] = frozenset(game.id for game in games)
        return presenter.yours_message(games, actor)

    # ------------------------------------------------------------------ changes

    def _on_challenge(self, event: ChallengeChanged) -> None:
        challenge = event.challenge
        self._publish(f"challenges {challenge.challenger.id}")
        if challenge.to is not None:
            self._publish(f"challenges {challenge.to.id}")
        if challenge.listed:
            self._publish(f"news {_EVERYBODY}")
        if challenge.game_id is not None:
            self._publish(f"accepted {challenge.challenger.id} {challenge.id} {challenge.game_id}")

    def _on_appointments(self, event: AppointmentsChanged) -> None:
        for player_id in event.player_ids:
            self._publish(f"dates {player_id}")

    def _on_removal(self, event: GameRemoved) -> None:
        self._publish(f"news {_EVERYBODY}")
        self._publish(f"gone {event.game_id}")

    def _on_game(self, event: GameChanged) -> None:
        game = event.game
        if game.stored.listed:
            self._publish(f"news {_EVERYBODY}")
        for player_id in {seat.player.id for seat in game.seats.values() if seat.player is not None}:
            self._publish(f"news {player_id}")

    def _publish(self, message: str) -> None:
        """Handle a change in this process, and publish it to the others."""
        self._handle(message)
        if self._broker.is_shared:
            self._broker.publish(_TOPIC, message.encode())

    def _on_broker_message(self, topic: str, content: bytes) -> None:
        if topic == _TOPIC:
            self._handle(content.decode())

    def _handle(self, message: str) -> None:
        match message.split(" "):
            case ["accepted", player_id, challenge_id, game_id]:
                for subscriber in self._subscribers.get(player_id, ()):
                    subscriber.put(f"accepted {challenge_id}", presenter.accepted_message(challenge_id, game_id))
            case ["challenges", player_id]:
                if player_id in self._subscribers:
                    self._changed_challenges.add(player_id)
                    self._has_changed.set()
            case ["dates", player_id]:
                if player_id in self._subscribers:
                    self._changed_appointments.add(player_id)
                    self._has_changed.set()
            case ["gone", game_id]:  # the store no longer knows whose it was
                for player_id in [player for player, games in self._listed_games.items() if game_id in games]:
                    self._player_changed(player_id)
            case ["news", player_id]:
                if player_id == _EVERYBODY:
                    self._everybody_changed()
                else:
                    self._player_changed(player_id)

    def _count_changed(self) -> None:
        """Update the number of connections soon."""
        if self._count_timer is None:
            delay = _COUNT_SECONDS_PER_CONNECTION * sum(map(len, self._subscribers.values()))
            self._count_timer = asyncio.get_running_loop().call_later(delay, self._update_count)

    def _update_count(self) -> None:
        self._count_timer = None
        self._everybody_changed()

    def _everybody_changed(self) -> None:
        self._changed.add(_EVERYBODY)
        self._has_changed.set()

    def _player_changed(self, player_id: str) -> None:
        if player_id in self._subscribers:
            self._changed.add(player_id)
            self._has_changed.set()
