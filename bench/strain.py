"""Pages that are reloaded again and again, and thousands that come and go: each gets every move, and none leaks.

``python -m bench.strain`` starts PostgreSQL, Redis and a ``punct serve --online`` of two processes. For each of
several games pages are reloaded, some at the same moment, so that processes unsubscribe from a game and subscribe to
it in quick succession; then a move is played, and every open page must receive it. After that it opens and closes
thousands of live connections to a server in this very process, with the garbage collector off, and counts the objects
of them that stay in memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.cluster import run_cluster
from bench.http import Client, LiveConnection
from tests.connection_leaks import serve_in_thread, track_connections, wait_until_gone

from punct import kernel

TIMEOUT_SECONDS: Final = 60.0
"""Until a page that has received nothing counts as deaf."""
PAGES_PER_GAME: Final = 6
CONCURRENT_CONNECTIONS: Final = 50


@dataclass
class Report:
    """Counts of a run."""

    moves: int = 0
    reloads: int = 0
    received: int = 0
    deaf: int = 0
    connections: int = 0
    leaked: int = 0
    """Objects in memory that belong to connections which have ended."""

    @property
    def faults(self) -> int:
        """Count what must be zero."""
        return self.deaf + self.leaked

    def __str__(self) -> str:
        return (
            f"reloaded: {self.reloads} pages under {self.moves} moves, received {self.received} times, "
            f"deaf: {self.deaf}\n"
            f"opened and closed: {self.connections} live connections, objects left in memory: {self.leaked}"
        )


class Page:
    """A page that shows a game, and may be reloaded."""

    def __init__(self, host: str, game_id: str) -> None:
        self._address = host, f"/api/v1/games/{game_id}/live", ""  # a player may not connect so often
        self._connection: LiveConnection | None = None
        self._ply = -1
        self._updated = asyncio.Event()

    async def load(self) -> None:
        """Connect; the connection that was there before closes in the same moment."""
        if self._connection is not None:
            self._connection.close()
        self._ply = -1
        self._connection = await LiveConnection.open(*self._address, self._receive, 0)

    async def receives(self, ply: int) -> bool:
        """Wait until the page has received the game at a ply; tell whether that was in time."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while self._ply < ply:
                    self._updated.clear()
                    await self._updated.wait()
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def _receive(self, connection: LiveConnection, message: bytes) -> None:
        if connection is self._connection or self._connection is None:
            content = json.loads(message)
            if content["type"] == "game":
                self._ply = content["game"]["ply"]
                self._updated.set()


async def play_and_reload(host: str, max_moves: int, seed: int, report: Report) -> None:
    """Play one game, and reload some of its pages before each move, at the same moment or one after another."""
    rng, client = random.Random(seed), Client(host, 4)
    created = await client.request("POST", "/api/v1/games", {})
    game, cookie = created.json(), created.session_cookie()
    assert cookie is not None, created
    pages = [Page(host, game["id"]) for _ in range(PAGES_PER_GAME)]
    for page in pages:
        await page.load()
    position = kernel.Position()
    for ply in range(max_moves):
        for _ in range(rng.randint(1, 3)):
            reloaded = rng.sample(pages, rng.randint(1, PAGES_PER_GAME))
            await asyncio.gather(*(page.load() for page in reloaded))
            report.reloads += len(reloaded)
        moves = list(position.legal_moves)
        if not moves:
            break
        text = str(rng.choice(moves))
        position.push(text)
        response = await client.request(
            "POST", f"/api/v1/games/{game['id']}/turns", {"text": text, "ply": ply}, {"Cookie": cookie}
        )
        assert response.status == 200, response
        report.moves += 1
        received = await asyncio.gather(*(page.receives(ply + 1) for page in pages))
        report.received += sum(received)
        report.deaf += received.count(False)
        if response.json()["outcome"] is not None:
            break
    for page in pages:
        page.close()
    await client.close()


async def reload_pages(games: int, moves: int, seed: int, report: Report) -> None:
    """Play several games at once, on a server of two processes."""
    async with run_cluster() as cluster:
        await asyncio.gather(*(play_and_reload(cluster.host, moves, seed + number, report) for number in range(games)))


def open_and_close(connections: int, report: Report) -> None:
    """Open and close very many live connections, and count the objects that stay in memory."""

    async def connect(host: str) -> None:
        client = Client(host, 1)
        game = (await client.request("POST", "/api/v1/games", {})).json()
        path = f"/api/v1/games/{game['id']}/live"
        while report.connections < connections:
            opened = await asyncio.gather(
                *(
                    LiveConnection.open(host, path, "", lambda connection, message: None)
                    for _ in range(CONCURRENT_CONNECTIONS)
                )
            )
            for connection in opened:
                connection.close()
            await asyncio.gather(*(connection.closed.wait() for connection in opened))
            report.connections += len(opened)
        await client.close()

    with (
        tempfile.TemporaryDirectory() as folder,
        track_connections() as alive,
        serve_in_thread(Path(folder), online=True) as address,
    ):
        asyncio.run(connect(address.removeprefix("http://")))
        report.leaked = sum(wait_until_gone(alive, TIMEOUT_SECONDS).values())


def run(games: int, moves: int, connections: int, seed: int = 1) -> Report:
    """Run both, and return the counts."""
    report = Report()
    asyncio.run(reload_pages(games, moves, seed, report))
    open_and_close(connections, report)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8, help="at once")
    parser.add_argument("--turns", type=int, default=30, help="moves of each")
    parser.add_argument("--connections", type=int, default=10_000, help="that come and go")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    report = run(options.games, options.turns, options.connections, options.seed)
    print(report)
    sys.exit(1 if report.faults else 0)


if __name__ == "__main__":
    main()
