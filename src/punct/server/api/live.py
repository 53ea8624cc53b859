"""Live connections: whoever watches a game is told every change, and a slow watcher holds up nobody."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from punct.server.api import present, schemas
from punct.server.api.message import Message
from punct.server.broker import Broker, LocalBroker
from punct.server.play.clock import Now

PROBE_SECONDS: Final = (2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""How long after the last the way to a player is measured again; the last of these for ever. The shortest way counts,
and is mostly found at once."""
MOST_FAULTS: Final = 20
"""So much nonsense is answered before the connection is closed."""
UNKNOWN_GAME, TOO_MUCH_NONSENSE, LOGGED_OUT = 4404, 4400, 4401
"""Why the server closes a connection."""
_TOPIC: Final = "game:"
"""Of a game, between processes: the topic is this and its id."""


class Watcher:
    """One live connection's letter box. It holds the newest message of each type: older ones are of no use."""

    def __init__(self) -> None:
        self._box: dict[str, Message] = {}
        self._filled = asyncio.Event()

    def put(self, kind: str, message: str) -> None:
        """Leave a message, in place of an older one of its type."""
        self._box.pop(kind, None)
        self._box[kind] = message if isinstance(message, Message) else Message(message)
        self._filled.set()

    def begin(self, kind: str, message: str) -> None:
        """Leave a message, unless there is one of its type: that came later, and is news."""
        if kind not in self._box:
            self.put(kind, message)

    async def take(self) -> Message:
        """Wait for the oldest message in the box."""
        while not self._box:
            self._filled.clear()
            await self._filled.wait()
        return self._box.pop(next(iter(self._box)))


class Hub:
    """Who watches which game, and what they are told: by this process, and through the broker by all others."""

    def __init__(self, broker: Broker | None = None) -> None:
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._revisions: dict[str, int] = {}
        self._left: list[Callable[[str], None]] = []
        self._handlers: dict[str, Callable[[str, str], None]] = {}
        self._broker = broker or LocalBroker()
        self._broker.subscribe(_TOPIC, self._from_elsewhere)

    @property
    def process(self) -> str:
        """This process, for the others."""
        return self._broker.process

    @property
    def is_shared(self) -> bool:
        """Whether there may be other processes."""
        return self._broker.is_shared

    def on(self, kind: str, handler: Callable[[str, str], None]) -> None:
        """Have a function called with a game's id and what other processes share of it, which no watcher is told."""
        self._handlers[kind] = handler

    def share(self, game_id: str, kind: str, message: str) -> None:
        """Tell the other processes something of a game, which is for them and for no watcher."""
        if self._broker.is_shared:
            self._broker.publish(_TOPIC + game_id, f"{kind} 0 {message}".encode())

    def when_left(self, listener: Callable[[str], None]) -> None:
        """Have a function called with a game's id when its last watcher here has gone."""
        self._left.append(listener)

    def is_watched(self, game_id: str) -> bool:
        """Tell whether anybody watches a game here."""
        return game_id in self._watchers

    def may_be_watched(self, game_id: str) -> bool:
        """Tell whether anybody may watch a game, here or in another process."""
        return self._broker.is_shared or game_id in self._watchers

    @property
    def watched(self) -> list[str]:
        """The games that are watched here."""
        return list(self._watchers)

    async def join(self, game_id: str) -> Watcher:
        """Begin to watch a game: from now on nothing is missed, whichever process does it."""
        watcher = Watcher()
        self._watchers[game_id].add(watcher)
        try:
            await self._broker.follow(_TOPIC + game_id)
        except BaseException:
            self._remove(game_id, watcher)  # the topic is not followed
            raise
        return watcher

    def leave(self, game_id: str, watcher: Watcher) -> None:
        """Stop watching it."""
        if watcher in self._watchers.get(game_id, ()):
            self._broker.leave(_TOPIC + game_id)
            self._remove(game_id, watcher)

    def _remove(self, game_id: str, watcher: Watcher) -> None:
        watchers = self._watchers.get(game_id, set())
        watchers.discard(watcher)
        if not watchers and self._watchers.pop(game_id, None) is not None:
            self._revisions.pop(game_id, None)
            for listener in self._left:
                listener(game_id)

    def publish(self, game_id: str, kind: str, message: str, revision: int = 0) -> None:
        """Tell everybody who watches a game. Of messages with a revision none comes after a later one."""
        self._tell(game_id, kind, message, revision)
        if self._broker.is_shared:
            self._broker.publish(_TOPIC + game_id, f"{kind} {revision} {message}".encode())

    def tell_here(self, game_id: str, kind: str, message: str, revision: int = 0) -> None:
        """Tell those who watch a game here: what the others know already."""
        self._tell(game_id, kind, message, revision)

    def note(self, game_id: str, revision: int) -> None:
        """Remember that whoever begins to watch a game here is shown this revision: nothing older may follow."""
        if game_id in self._watchers and self.is_news(game_id, revision):
            self._revisions[game_id] = revision

    def is_news(self, game_id: str, revision: int) -> bool:
        """Tell whether those who watch a game here have not been told of a revision."""
        return revision > self._revisions.get(game_id, 0)

    def _from_elsewhere(self, topic: str, content: bytes) -> None:
        kind, revision, message = content.decode().split(" ", 2)
        game_id = topic.removeprefix(_TOPIC)
        if kind in self._handlers:
            self._handlers[kind](game_id, message)
        else:
            self._tell(game_id, kind, message, int(revision))

    def _tell(self, game_id: str, kind: str, message: str, revision: int) -> None:
        watchers = self._watchers.get(game_id, ())
        if revision and watchers:
            if revision < self._revisions.get(game_id, 0):
                return  # two processes changed the game one after the other, and this is the first one's word
            self._revisions[game_id] = revision
        shared = message if isinstance(message, Message) else Message(message)
        for watcher in watchers:
            watcher.put(kind, shared)


Answered = Callable[[int], None]
"""Called with the number of a probe when its answer comes."""


async def serve(
    socket: WebSocket, watcher: Watcher, answered: Answered | None = None, ended: asyncio.Event | None = None
) -> None:
    """Send what the watcher is told, and answer what the client says, until either is done or the session ended."""
    # Tasks of asyncio's own: a group of tasks keeps what cancelled them in a circle with everything they knew, and only
    # a search through all of the memory would find it.
    works = [_send(socket, watcher), _receive(socket, watcher, answered)]
    if ended is not None:
        works.append(_wait(ended))
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    errors = [error for task in tasks if not task.cancelled() and (error := task.exception()) is not None]
    for error in errors:
        if not isinstance(error, _HUNG_UP):
            raise error
    if not errors:
        with contextlib.suppress(*_HUNG_UP):
            if ended is not None and ended.is_set():
                await socket.close(LOGGED_OUT, "the session has ended")
            else:
                await socket.close(TOO_MUCH_NONSENSE, "too much that could not be understood")


_HUNG_UP: Final = (WebSocketDisconnect, TimeoutError, RuntimeError, OSError)
"""The other side may vanish at any moment, in the middle of a message too."""


async def _wait(ended: asyncio.Event) -> None:
    await ended.wait()


async def _send(socket: WebSocket, watcher: Watcher) -> None:
    while True:
        # Whoever takes nothing is hung up on by the connection itself.
        await socket.send_text(await watcher.take())


async def _receive(socket: WebSocket, watcher: Watcher, answered: Answered | None) -> None:
    """Answer pings; come to an end when there was too much that could not be understood."""
    faults = 0
    while faults < MOST_FAULTS:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        try:
            said = _SAID.validate_json(received.get("text") or received.get("bytes") or b"")
        except ValidationError:
            faults += 1
            watcher.put("error", present.error_message("malformed", _NOT_UNDERSTOOD))
        else:
            if isinstance(said, schemas.LivePing):
                watcher.put("pong", present.PONG_MESSAGE)
            elif answered is not None:
                answered(said.n)


_SAID: Final[TypeAdapter[schemas.LivePing | schemas.LiveAnswer]] = TypeAdapter(schemas.LiveSaid)
_NOT_UNDERSTOOD: Final = 'Only {"type": "ping"} and the answers to probes are understood here.'


class Probes:
    """Measures how long the way to a player and back takes, now and then."""

    def __init__(
        self,
        watcher: Watcher,
        now: Now,
        measured: Callable[[timedelta], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Send probes through a watcher, and tell what was measured: by a clock that nobody sets."""
        self._watcher, self._now, self._measured, self._monotonic = watcher, now, measured, monotonic
        self._number = 0
        self._sent: float | None = None

    def send(self) -> None:
        """Send one. What comes late to an earlier one counts no more."""
        self._number += 1
        self._sent = self._monotonic()
        self._watcher.put("probe", present.probe_message(self._number, self._now()))

    def answered(self, number: int) -> None:
        """Take an answer in."""
        if number == self._number and self._sent is not None:
            self._measured(timedelta(seconds=self._monotonic() - self._sent))
            self._sent = None

    async def run(self) -> None:
        """Send one after another, until cancelled."""
        for seconds in itertools.chain(PROBE_SECONDS, itertools.repeat(PROBE_SECONDS[-1])):
            self.send()
            await asyncio.sleep(seconds)
