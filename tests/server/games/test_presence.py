"""Presence at a game: a player's at once, the number of watchers with few messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any
from unittest import mock

from tests.polling import wait_until_async

from punct.piece import Colour
from punct.server.broker import open_broker
from punct.server.clock import utc_now
from punct.server.games.presence import Presence
from punct.server.live.hub import Hub
from punct.server.live.subscriber import Subscriber
from punct.server.lobby.feed import Lobby

GAME = "g"


class Counted(Subscriber):
    """Counts what it is told, and remembers the last of it."""

    def __init__(self) -> None:
        super().__init__()
        self.told = 0
        self.last: dict[str, object] = {}

    def put(self, kind: str, message: str) -> None:
        super().put(kind, message)
        self.told += 1
        self.last = json.loads(message)


def run(test: Callable[[Hub, Presence], Awaitable[None]]) -> None:
    async def within() -> None:
        hub = Hub()
        await test(hub, Presence(hub, lambda: datetime.now(UTC)))

    asyncio.run(within())


async def come(hub: Hub, presence: Presence, *seats: Colour) -> Counted:
    watcher = Counted()
    hub._subscribers[GAME].add(watcher)  # as ``subscribe``, which makes the watcher itself
    presence.enter(GAME, watcher, seats)
    return watcher


def test_many_watchers_cost_few_messages() -> None:
    number = 400

    async def test(hub: Hub, presence: Presence) -> None:
        watchers = [await come(hub, presence) for _ in range(number)]
        await wait_until_async(lambda: all(watcher.last["watchers"] == number for watcher in watchers))
        assert presence.connections == number
        for watcher in watchers[1:]:
            presence.leave(GAME, watcher)
        await wait_until_async(lambda: watchers[0].last["watchers"] == 1)
        assert presence.connections == 1
        assert sum(watcher.told for watcher in watchers) <= 5 * number

    run(test)


def test_the_presence_of_a_player_is_sent_at_once() -> None:
    async def test(hub: Hub, presence: Presence) -> None:
        watcher = await come(hub, presence)
        white = await come(hub, presence, Colour.WHITE)
        assert watcher.last == white.last == {"type": "presence", "w": True, "b": False, "watchers": 1}
        presence.leave(GAME, white)
        assert watcher.last == {"type": "presence", "w": False, "b": False, "watchers": 1}

    run(test)


def test_an_outdated_watcher_count_is_corrected() -> None:
    async def test(hub: Hub, presence: Presence) -> None:
        first = await come(hub, presence)
        await wait_until_async(lambda: first.told >= 1)
        second = await come(hub, presence)
        assert second.last["watchers"] == 2
        presence.leave(GAME, first)  # as many as those who are here were told last
        await wait_until_async(lambda: second.last["watchers"] == 1)

    run(test)


def test_the_lobby_is_notified_of_presence() -> None:
    """By an event: counted now and then, whoever went before the next count was shown as there for ever."""

    async def test(hub: Hub, presence: Presence) -> None:
        empty = mock.AsyncMock(return_value=[])
        nothing: Any = mock.Mock(listed=empty, list_public=empty)
        lobby = Lobby(nothing, nothing, nothing, presence, open_broker(None), presence._bus, utc_now)
        telling = asyncio.create_task(lobby.run())
        visitor = await lobby.subscribe(None)
        assert (await shown(visitor))["players"] == 1
        watcher = await come(hub, presence)
        while (await shown(visitor))["players"] != 2:
            pass
        presence.leave(GAME, watcher)
        assert (await shown(visitor))["players"] == 1
        telling.cancel()

    run(test)


async def shown(watcher: Subscriber) -> dict[str, Any]:
    """Return the next message to somebody."""
    message: dict[str, Any] = json.loads(await watcher.take())
    return message
