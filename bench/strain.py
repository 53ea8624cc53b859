"""Pages that are loaded again and again, and very many that come and go: nobody goes deaf, and nothing is left of them.

``python -m bench.strain`` starts PostgreSQL, Redis and a ``punct serve --online`` of two processes. At each of several
boards pages are loaded again, some at the same moment, so that processes leave and follow one game in quick
succession; then a turn is played, and every page that is open must hear of it. After that it has thousands of live
connections opened and closed on a server in this very process, with Python's search for circles turned off, and counts
what is left of them in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.chaos import COOKIE, Cluster
from bench.http import Client, Live
from tests.connection_leaks import serve_in_thread, track_connections, wait_until_gone
from tests.databases import run_postgresql, run_redis

from punct import kernel
from punct.server.db.database import open_database

PATIENCE = 60.0
"""Seconds after which a page that has heard nothing is deaf."""
PAGES = 6
AT_ONCE = 50


@dataclass
class Figures:
    """What was counted."""

    turns: int = 0
    reloads: int = 0
    heard: int = 0
    deaf: int = 0
    connections: int = 0
    left: int = 0
    """Things in memory that belong to connections which have ended."""

    @property
    def faults(self) -> int:
        """What must be zero."""
        return self.deaf + self.left

    def __str__(self) -> str:
        return (
            f"reloaded: {self.reloads} pages under {self.turns} turns, heard {self.heard} times, deaf: {self.deaf}\n"
            f"opened and closed: {self.connections} live connections, things left in memory: {self.left}"
        )


class Page:
    """A page at a board, which may be loaded again."""

    def __init__(self, host: str, game_id: str) -> None:
        self._where = host, f"/api/v1/games/{game_id}/live", ""  # a player may not connect so often
        self._live: Live | None = None
        self._ply = -1
        self._came = asyncio.Event()

    async def load(self) -> None:
        """Connect; the page that was there before hangs up in the same moment."""
        if self._live is not None:
            self._live.close()
        self._ply = -1
        self._live = await Live.open(*self._where, self._hear, 0)

    async def hears(self, ply: int) -> bool:
        """Wait until the game is known to have come to a ply; tell whether it was in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self._ply < ply:
                    self._came.clear()
                    await self._came.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Hang up."""
        if self._live is not None:
            self._live.close()

    def _hear(self, live: Live, message: bytes) -> None:
        if live is self._live or self._live is None:
            told = json.loads(message)
            if told["type"] == "game":
                self._ply = told["game"]["ply"]
                self._came.set()


async def reload(host: str, turns: int, seed: int, figures: Figures) -> None:
    """Play one game, and load all pages at its board again before each turn, in one moment or one after another."""
    lot, client = random.Random(seed), Client(host, 4)
    begun = await _until_answered(lambda: client.ask("POST", "/api/v1/games", {}))
    game = begun.json()
    cookie = _cookie(begun.head)
    pages = [Page(host, game["id"]) for _ in range(PAGES)]
    for page in pages:
        await page.load()
    position = kernel.Position()
    for ply in range(turns):
        for _ in range(lot.randint(1, 3)):
            some = lot.sample(pages, lot.randint(1, PAGES))
            await asyncio.gather(*(page.load() for page in some))
            figures.reloads += len(some)
        moves = list(position.legal_moves)
        if not moves:
            break
        text = str(lot.choice(moves))
        position.push(text)
        answer = await client.ask(
            "POST", f"/api/v1/games/{game['id']}/turns", {"text": text, "ply": ply}, {"Cookie": cookie}
        )
        assert answer.status == 200, answer
        figures.turns += 1
        heard = await asyncio.gather(*(page.hears(ply + 1) for page in pages))
        figures.heard += sum(heard)
        figures.deaf += heard.count(False)
        if answer.json()["outcome"] is not None:
            break
    for page in pages:
        page.close()
    await client.close()


async def reload_all(games: int, turns: int, seed: int, figures: Figures) -> None:
    """Have it done at several boards at once, on a server of two processes."""
    with run_postgresql() as postgresql, run_redis() as redis:
        database = postgresql.new_database()
        open_database(database).close()
        cluster = Cluster(database, redis.address(), 2)
        try:
            while not cluster.are_ready():
                await asyncio.sleep(0.05)
            await asyncio.gather(*(reload(cluster.host, turns, seed + number, figures) for number in range(games)))
        finally:
            cluster.close()


def come_and_go(connections: int, figures: Figures) -> None:
    """Open and close very many live connections, and count what is left of them."""

    async def crowd(host: str) -> None:
        client = Client(host, 1)
        begun = await client.ask("POST", "/api/v1/games", {})
        path = f"/api/v1/games/{begun.json()['id']}/live"
        while figures.connections < connections:
            lives = await asyncio.gather(
                *(Live.open(host, path, "", lambda live, message: None) for _ in range(AT_ONCE))
            )
            for live in lives:
                live.close()
            await asyncio.gather(*(live.gone.wait() for live in lives))
            figures.connections += len(lives)
        await client.close()

    with (
        tempfile.TemporaryDirectory() as folder,
        track_connections() as alive,
        serve_in_thread(Path(folder), online=True) as address,
    ):
        asyncio.run(crowd(address.removeprefix("http://")))
        figures.left = sum(wait_until_gone(alive, PATIENCE).values())


def _cookie(head: str) -> str:
    found = COOKIE.search(head)
    assert found is not None, head
    return found.group(1)


async def _until_answered(ask: Callable[[], Awaitable[Any]]) -> Any:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return await ask()
        except OSError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.1)


def run(games: int, turns: int, connections: int, seed: int = 1) -> Figures:
    """Run both; return what was counted."""
    figures = Figures()
    asyncio.run(reload_all(games, turns, seed, figures))
    come_and_go(connections, figures)
    return figures


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--games", type=int, default=8, help="boards at once")
    reader.add_argument("--turns", type=int, default=30, help="at each")
    reader.add_argument("--connections", type=int, default=10_000, help="that come and go")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    figures = run(given.games, given.turns, given.connections, given.seed)
    print(figures)
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
