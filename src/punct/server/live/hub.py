"""The hub of live connections: sends every change of a game to its subscribers. A slow one delays no other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from punct.server.broker.broker import Broker, LocalBroker
from punct.server.events import EventBus
from punct.server.live.events import GameUnwatched
from punct.server.live.frames import Message
from punct.server.live.subscriber import Subscriber

_TOPIC: Final = "game:"
"""Between processes: the topic of a game is this and its id."""


class Hub:
    """The subscribers of games in this process. Messages from other processes come through the broker."""

    def __init__(self, broker: Broker | None = None, bus: EventBus | None = None) -> None:
        self._subscribers: defaultdict[str, set[Subscriber]] = defaultdict(set)
        self._revisions: dict[str, int] = {}
        self._bus = bus or EventBus()
        self._handlers: dict[str, Callable[[str, str], None]] = {}
        self._broker = broker or LocalBroker()
        self.is_shared: Final = self._broker.is_shared
        """Whether there may be other processes."""
        self._broker.on_message(_TOPIC, self._on_broker_message)

    @property
    def process(self) -> str:
        """The id of this process among those that share the broker."""
        return self._broker.process

    # ------------------------------------------------------------------ messages between processes

    def on_process_message(self, kind: str, handler: Callable[[str, str], None]) -> None:
        """Call a function with the game's id and the text of each message of a kind; subscribers do not get these."""
        self._handlers[kind] = handler

    def send_to_processes(self, game_id: str, kind: str, message: str) -> None:
        """Send the other processes a message about a game that is not for subscribers."""
        if self.is_shared:
            self._broker.publish(_TOPIC + game_id, f"{kind} 0 {message}".encode())

    # ------------------------------------------------------------------ subscribers

    def is_watched(self, game_id: str) -> bool:
        """Return whether a game has subscribers in this process."""
        return game_id in self._subscribers

    def may_be_watched(self, game_id: str) -> bool:
        """Return whether a game may have subscribers, in this process or in another."""
        return self.is_shared or game_id in self._subscribers

    @property
    def watched_games(self) -> list[str]:
        """The ids of the games that have subscribers in this process."""
        return list(self._subscribers)

    async def subscribe(self, game_id: str) -> Subscriber:
        """Return a new subscriber, which gets everything that any process publishes of a game from now on."""
        subscriber = Subscriber()
        self._subscribers[game_id].add(subscriber)
        try:
            await self._broker.subscribe(_TOPIC + game_id)
        except BaseException:
            self._remove(game_id, subscriber)  # it is not subscribed to the topic
            raise
        return subscriber

    def unsubscribe(self, game_id: str, subscriber: Subscriber) -> None:
        """Send nothing to a subscriber any more."""
        if subscriber in self._subscribers.get(game_id, ()):
            self._broker.unsubscribe(_TOPIC + game_id)
            self._remove(game_id, subscriber)

    def _remove(self, game_id: str, subscriber: Subscriber) -> None:
        subscribers = self._subscribers.get(game_id, set())
        subscribers.discard(subscriber)
        if not subscribers and self._subscribers.pop(game_id, None) is not None:
            self._revisions.pop(game_id, None)
            self._bus.publish(GameUnwatched(game_id))

    # ------------------------------------------------------------------ messages to subscribers

    def publish(self, game_id: str, kind: str, message: str, revision: int = 0) -> None:
        """Send a message to all subscribers of a game. One with a revision is never sent after a later revision."""
        self.publish_locally(game_id, kind, message, revision)
        if self.is_shared:
            self._broker.publish(_TOPIC + game_id, f"{kind} {revision} {message}".encode())

    def publish_locally(self, game_id: str, kind: str, message: str, revision: int = 0) -> None:
        """Send a message to the subscribers in this process: those in other processes get it there."""
        subscribers = self._subscribers.get(game_id, ())
        if revision and subscribers:
            if revision < self._revisions.get(game_id, 0):
                return  # two processes have changed the game one after the other, and this is the earlier message
            self._revisions[game_id] = revision
        shared = message if isinstance(message, Message) else Message(message)
        for subscriber in subscribers:
            subscriber.put(kind, shared)

    def record_revision(self, game_id: str, revision: int) -> None:
        """Record the revision that a new subscriber gets first: nothing older may follow."""
        if game_id in self._subscribers and self.is_newer(game_id, revision):
            self._revisions[game_id] = revision

    def is_newer(self, game_id: str, revision: int) -> bool:
        """Return whether a revision is newer than the last that subscribers in this process were sent."""
        return revision > self._revisions.get(game_id, 0)

    def _on_broker_message(self, topic: str, content: bytes) -> None:
        kind, revision, message = content.decode().split(" ", 2)
        game_id = topic.removeprefix(_TOPIC)
        if kind in self._handlers:
            self._handlers[kind](game_id, message)
        else:
            self.publish_locally(game_id, kind, message, int(revision))
