"""Measure online play: pairs of players, each with a live connection, who play turn after turn.

``python -m bench.load`` starts a real ``punct serve --online`` on one core, seats two guests at each of 2,000 games,
and lets every game have a turn each 15 seconds. It measures how long it takes from sending a turn until both sides have
seen it, and afterwards asks for every game: each turn that was acknowledged must be there, once.

``--workers N`` measures several processes, on all cores, with a PostgreSQL and a Redis that are started for it, or
those of ``--database-url`` and ``--broker-url``; ``--server URL`` measures one that runs already.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.services import run_postgresql, run_redis
from websockets.asyncio.client import ClientConnection, connect

from punct import kernel

HANDS = 32
"""Connections for requests, shared by all players: browsers keep one each, but this machine has only so many ports."""
LONGEST = 60
OPENING = 100
"""Live connections opened at a time."""
PLY = re.compile(r'"ply":(\d+)')
COOKIE = re.compile(r"set-cookie:\s*([^;\r\n]+)", re.IGNORECASE)


@dataclass
class Played:
    """One game: what is to be played, what was acknowledged, and who waits to see it."""

    script: list[str]
    id: str = ""
    cookies: tuple[str, str] = ("", "")
    acknowledged: int = 0
    seen: list[int] = field(default_factory=lambda: [0, 0])
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Figures:
    """What was measured."""

    waits: list[float] = field(default_factory=list)
    refused: int = 0
    late: int = 0
    lost: int = 0
    doubled: int = 0


class Hands:
    """A few connections that are kept, for everybody's requests."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._idle: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()

    async def open(self) -> None:
        """Open them."""
        for _ in range(HANDS):
            self._idle.put_nowait(await self._opened())

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        name, port = self._host.rsplit(":", 1)
        return await asyncio.open_connection(name, int(port))

    async def ask(self, method: str, path: str, cookie: str = "", body: object = None) -> tuple[int, str, Any]:
        """Send a request; return the status, the head and the answer."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} /api/v1{path} HTTP/1.1\r\nHost: {self._host}\r\nOrigin: http://{self._host}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        )
        asked = f"{head}{f'Cookie: {cookie}' + chr(13) + chr(10) if cookie else ''}\r\n".encode() + content
        reader, writer = await self._idle.get()
        try:
            try:
                answered, found = await _exchange(reader, writer, asked)
            except (asyncio.IncompleteReadError, OSError):  # it was idle for too long; nothing asked here is done twice
                reader, writer = await self._opened()
                answered, found = await _exchange(reader, writer, asked)
        finally:
            self._idle.put_nowait((reader, writer))
        return int(answered.split(maxsplit=2)[1]), answered, json.loads(found) if found else None


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> tuple[str, bytes]:
    writer.write(asked)
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = int(head.lower().partition("content-length:")[2].partition("\r\n")[0] or 0)
    return head, await reader.readexactly(length)


def script(seed: int) -> list[str]:
    """Return the turns of a game."""
    for further in itertools.count():
        turns = kernel.Position().play_random(seed + further * 1_000_003, LONGEST, raised=20, moved=50)
        if len(turns) >= LONGEST // 2:
            return [str(turn) for turn in turns]
    raise AssertionError


async def seat(hands: Hands, game: Played) -> None:
    """Have two guests begin a game."""
    cookies = []
    for _ in range(2):
        status, head, answer = await hands.ask("POST", "/me", body={})
        assert status in (200, 201), answer
        found = COOKIE.search(head)
        assert found is not None, head
        cookies.append(found[1])
    wanted = {"rules": "standard", "colour": "w", "time": "60+15", "rated": False, "listed": False}
    status, _, challenge = await hands.ask("POST", "/challenges", cookies[0], wanted)
    assert status == 201, challenge
    status, _, begun = await hands.ask("POST", f"/challenges/{challenge['id']}/accept", cookies[1], {})
    assert status == 201, begun
    game.id, game.cookies = begun["id"], (cookies[0], cookies[1])


async def watch(host: str, game: Played, side: int, ready: asyncio.Semaphore, joined: deque[ClientConnection]) -> None:
    """Follow a game from one side, as its page does."""
    async with ready:
        socket = await connect(
            f"ws://{host}/api/v1/games/{game.id}/live",
            additional_headers={"Cookie": game.cookies[side], "Origin": f"http://{host}"},
            compression=None,
            ping_interval=None,
            max_size=1 << 22,
            open_timeout=60,
        )
    joined.append(socket)
    async for text in socket:
        assert isinstance(text, str)
        if text.startswith('{"type":"probe"'):
            await socket.send(text)
        elif text.startswith('{"type":"game"') and (found := PLY.search(text)) is not None:
            game.seen[side] = int(found[1])
            game.news.set()


async def play(hands: Hands, game: Played, every: float, end: float, figures: Figures) -> None:
    """Play one game's turns until the time is up."""
    await asyncio.sleep(random.uniform(0, every))
    for ply, text in enumerate(game.script):
        start = time.perf_counter()
        if start > end:
            return
        body = {"text": text, "ply": ply}
        status, _, answer = await hands.ask("POST", f"/games/{game.id}/turns", game.cookies[ply % 2], body)
        if status != 200:
            figures.refused += 1
            print(f"refused: {status} {str(answer)[:200]}", file=sys.stderr)
            return
        game.acknowledged = ply + 1
        try:
            async with asyncio.timeout(30):
                while min(game.seen) <= ply:
                    game.news.clear()
                    await game.news.wait()
            figures.waits.append(time.perf_counter() - start)
        except TimeoutError:
            figures.late += 1
        await asyncio.sleep(max(0.0, start + every * random.uniform(0.9, 1.1) - time.perf_counter()))


async def check(hands: Hands, game: Played, figures: Figures) -> None:
    """Compare what is stored with what was acknowledged."""
    status, _, found = await hands.ask("GET", f"/games/{game.id}", game.cookies[0])
    turns = [turn["text"] for turn in found["turns"]] if status == 200 else []
    wanted = game.script[: game.acknowledged]
    figures.lost += len(wanted) - len(turns) if turns == wanted[: len(turns)] else len(wanted)
    figures.doubled += max(0, len(turns) - len(wanted) - 1)  # the last may have been stored but not answered


async def measure(host: str, games: int, every: float, seconds: float, servers: list[int]) -> None:
    """Seat everybody, play, and print."""
    hands, figures = Hands(host), Figures()
    await hands.open()
    played = [Played(script(seed)) for seed in range(games)]
    for batch in _batched(played, HANDS // 2):
        await asyncio.gather(*(seat(hands, game) for game in batch))
    joined: deque[ClientConnection] = deque()
    ready = asyncio.Semaphore(OPENING)
    watching = [asyncio.create_task(watch(host, game, side, ready, joined)) for game in played for side in (0, 1)]
    while len(joined) < len(watching):
        for task in watching:
            if task.done():
                task.result()
        await asyncio.sleep(0.2)
    before, start = processor_seconds(servers), time.perf_counter()
    await asyncio.gather(*(play(hands, game, every, start + seconds, figures) for game in played))
    spent, took = processor_seconds(servers) - before, time.perf_counter() - start
    await asyncio.gather(*(check(hands, game, figures) for game in played))
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    waits = sorted(figures.waits) or [0.0]
    print(
        f"{games} games at once, {2 * games} live connections, a turn per game every {every:g} s: "
        f"{len(waits) / took:.0f} turns/s; until both have seen a turn p50 {1000 * waits[len(waits) // 2]:.0f} ms, "
        f"p99 {1000 * waits[len(waits) * 99 // 100]:.0f} ms, at most {1000 * waits[-1]:.0f} ms; "
        f"{100 * spent / took:.0f} % of one core ({1000 * spent / len(waits):.2f} ms a turn)"
    )
    print(
        f"{sum(game.acknowledged for game in played)} turns acknowledged: {figures.lost} lost, {figures.doubled} "
        f"doubled, {figures.late} not seen within 30 s, {figures.refused} refused"
    )


def _batched(items: list[Played], size: int) -> Iterator[tuple[Played, ...]]:
    for first in range(0, len(items), size):
        yield tuple(items[first : first + size])


def processor_seconds(processes: list[int]) -> float:
    """Return how much processor time processes and what they started have used so far."""
    found = 0.0
    for pid in processes:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            found += processor_seconds([int(child) for child in children])
    return found


@contextlib.asynccontextmanager
async def serving(options: argparse.Namespace) -> AsyncIterator[tuple[str, list[int]]]:
    """Run a server, yield its address and its process, and end it."""
    if options.server:
        yield options.server.partition("//")[2].rstrip("/"), []
        return
    with contextlib.ExitStack() as stack:
        if options.workers and not options.database_url:
            options.database_url = stack.enter_context(run_postgresql(fsync="on")).new_database()
        if options.workers and not options.broker_url:
            options.broker_url = stack.enter_context(run_redis()).address()
        command = [options.punct, "serve", "--online", "--no-open", "--port", "0"]
        if not options.database_url:
            command += ["--data", stack.enter_context(tempfile.TemporaryDirectory())]
        for name in ("workers", "database_url", "broker_url"):
            if getattr(options, name):
                command += [f"--{name.replace('_', '-')}", str(getattr(options, name))]
        cores = os.sched_getaffinity(0)
        one = {min(cores)} if not options.workers else cores
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, one),
        )
        if not options.workers and len(cores) > 1:
            os.sched_setaffinity(0, cores - one)  # the players are elsewhere
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("PÜNCT is at "):
                    break
            yield line.split()[-1].partition("//")[2].rstrip("/"), [process.pid]
        finally:
            process.terminate()
            process.wait()


async def main() -> None:
    """Measure what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--punct", default=str(Path(sys.executable).with_name("punct")), help="what is measured")
    parser.add_argument("--server", help="one that runs already")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--every", type=float, default=15.0, help="seconds between the turns of a game")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--database-url")
    parser.add_argument("--broker-url")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    async with serving(options) as (host, servers):
        await measure(host, options.games, options.every, options.seconds, servers)


if __name__ == "__main__":
    asyncio.run(main())
