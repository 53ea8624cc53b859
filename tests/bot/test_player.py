"""A bot's moves, whatever the order of the messages about its games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from punct.bot.player import Bot, Preferences
from punct.bot.remote import Json, Remote, RemoteError
from punct.match.player import read_entrant

GAME = "g"


def told(revision: int, ply: int, *, turn: str = "w", over: bool = False) -> Json:
    """Return what is heard of a game in which the bot is White."""
    seats = {"w": {"player": {"id": "bot"}}, "b": {"player": {"id": "person"}}}
    outcome = {"winner": "w", "reason": "connection"} if over else None
    game: Json = {"id": GAME, "start": "basic w", "turns": [], "seats": seats, "turn": turn, "offer": None}
    game |= {"clock": None, "time": None, "revision": revision, "ply": ply}
    game |= {"outcome": outcome, "result": "1-0" if over else "*"}
    return {"type": "game", "game": game}


class Program:
    """Something that has a turn ready."""

    name = "ready"

    async def move(self, *_: Any) -> str:
        return "Ed5ne"


class Elsewhere(Remote):
    """A server on which everything happens as it is written down."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.heard: asyncio.Queue[Json] = asyncio.Queue()
        self.asked: list[int] = []
        self._refuses = refuses

    async def listen(self, path: str) -> AsyncGenerator[Json]:
        while True:
            yield await self.heard.get()

    async def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Take a turn; the other side's reply is heard before the answer is."""
        assert body is not None
        self.asked.append(body["ply"])
        last = body["ply"] == 2
        self.heard.put_nowait(told(10 * body["ply"] + 3, body["ply"] + 2, over=last))
        for _ in range(20):
            await asyncio.sleep(0)
        if self._refuses:
            raise RemoteError("the game went on", 409)
        return {"revision": 10 * body["ply"] + 2}


async def play(server: Elsewhere) -> None:
    """Have the bot play its game to the end."""
    bot = Bot(server, read_entrant("1 @ nodes=1"), Preferences())
    bot._me = "bot"
    server.heard.put_nowait(told(0, 0))
    async with asyncio.timeout(60):
        await bot._play_with(Program(), GAME)  # type: ignore[arg-type]


@pytest.mark.parametrize("refuses", [False, True])
def test_a_reply_that_is_heard_before_the_answer_is_not_missed(refuses: bool) -> None:
    """It was: a bot whose opponent was quick never played again."""
    server = Elsewhere(refuses=refuses)
    asyncio.run(play(server))
    assert server.asked == [0, 2]


class Offering(Elsewhere):
    """The other side offers something while a turn is on its way, and replies to nothing."""

    async def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Take a turn; the offer is heard before the answer is."""
        assert body is not None
        self.asked.append(body["ply"])
        self.heard.put_nowait(told(1, 0))
        asyncio.get_running_loop().call_later(0.05, self.heard.put_nowait, told(3, 2, over=True))
        return {"revision": 2}


def test_what_is_older_than_the_answer_is_not_played_again() -> None:
    server = Offering()
    asyncio.run(play(server))
    assert server.asked == [0]
