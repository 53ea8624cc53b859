"""Who is at a board: a player at once, how many watch with as few messages as there are watchers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from punct.piece import Colour
from punct.server.api.live import Hub, Watcher
from punct.server.api.presence import Presence

GAME = "g"


class Counted(Watcher):
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
        async with asyncio.timeout(60):
            hub = Hub()
            await test(hub, Presence(hub, lambda: datetime.now(UTC)))

    asyncio.run(within())


async def come(hub: Hub, presence: Presence, *seats: Colour) -> Counted:
    watcher = Counted()
    hub._watchers[GAME].add(watcher)  # as ``join``, which makes the watcher itself
    presence.enter(GAME, watcher, seats)
    return watcher


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


def test_many_who_come_cost_a_few_messages_each() -> None:
    number = 400

    async def test(hub: Hub, presence: Presence) -> None:
        watchers = [await come(hub, presence) for _ in range(number)]
        await until(lambda: all(watcher.last["watchers"] == number for watcher in watchers))
        assert presence.connections == number
        for watcher in watchers[1:]:
            presence.leave(GAME, watcher)
        await until(lambda: watchers[0].last["watchers"] == 1)
        assert presence.connections == 1
        assert sum(watcher.told for watcher in watchers) <= 5 * number

    run(test)


def test_a_player_is_told_at_once() -> None:
    async def test(hub: Hub, presence: Presence) -> None:
        watcher = await come(hub, presence)
        white = await come(hub, presence, Colour.WHITE)
        assert watcher.last == white.last == {"type": "presence", "w": True, "b": False, "watchers": 1}
        presence.leave(GAME, white)
        assert watcher.last == {"type": "presence", "w": False, "b": False, "watchers": 1}

    run(test)


def test_whoever_was_shown_another_number_learns_the_right_one() -> None:
    async def test(hub: Hub, presence: Presence) -> None:
        first = await come(hub, presence)
        await until(lambda: first.told >= 1)
        second = await come(hub, presence)
        assert second.last["watchers"] == 2
        presence.leave(GAME, first)  # as many as those who are here were told last
        await until(lambda: second.last["watchers"] == 1)

    run(test)
