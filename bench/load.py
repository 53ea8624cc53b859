"""Measure online play: pairs of players, each with a live connection, who play move after move.

``python -m bench.load`` starts a real ``punct serve --online`` on one core, seats two guests at each of 2,000 games,
and has a move played in every game each 15 seconds. The players do what a page does: each move has an idempotency key,
and each live connection sends pings. It measures how long it takes from sending a move until both sides have received
it, and afterwards gets every game: each move that was acknowledged must be there, once.

``--watchers N`` has so many spectators come to the first game before the moves begin, and measures what they cost.

``--workers N`` measures several processes, on all cores, with a PostgreSQL and a Redis that are started for it, or
those of ``--database-url`` and ``--broker-url``; ``--server URL`` measures one that runs already.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import itertools
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

import uvloop
from bench.http import Client, LiveConnection
from tests.databases import run_postgresql, run_redis

from punct import kernel

REQUEST_CONNECTIONS = 32
"""Shared by all players: browsers keep one each, but this machine has only so many ports."""
MAX_PLIES = 60
CONCURRENT_OPENINGS = 100
"""Live connections that are being opened at a time."""
PING_SECONDS = 7.0
"""Between the pings of a page: see ``web/src/api/live.ts``."""
PING_STEP_SECONDS = 0.01
"""Between the pings of some connections and those of the next ones."""
MAX_DELIVERY_SECONDS = 30.0
"""Until a move counts as not received."""
WATCHERS_PER_SECOND = 50.0
"""How fast spectators come: the slower, the more often those who are there are told their number."""
API = "/api/v1"
PLY = re.compile(rb'"ply":(\d+)')
WATCHERS = re.compile(rb'"type":"presence".*"watchers":(\d+)')


@dataclass
class LoadGame:
    """One game: the moves to play, how many were acknowledged, and how many each side has received."""

    script: list[str]
    id: str = ""
    cookies: tuple[str, str] = ("", "")
    acknowledged: int = 0
    connections: list[LiveConnection] = field(default_factory=list)
    received: list[int] = field(default_factory=lambda: [0, 0])
    """By side: how many moves."""
    received_at: float = 0.0
    """When the last of them was received."""
    updated: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Measurements:
    """What was measured, in seconds."""

    delivery_times: list[float] = field(default_factory=list)
    response_times: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    """How late the players here act: what the bench itself adds to what it measures."""
    pings: int = 0
    pongs: int = 0
    refused: int = 0
    late: int = 0
    lost: int = 0
    doubled: int = 0


def script(seed: int) -> list[str]:
    """Return the moves of a game."""
    for attempt in itertools.count():
        moves = kernel.Position().play_random(seed + attempt * 1_000_003, MAX_PLIES, raised=20, moved=50)
        if len(moves) >= MAX_PLIES // 2:
            return [str(move) for move in moves]
    raise AssertionError


async def start_game(client: Client, game: LoadGame) -> None:
    """Have two guests start a game."""
    cookies = []
    for _ in range(2):
        response = await client.request("POST", f"{API}/me", {})
        cookie = response.session_cookie()
        assert response.status in (200, 201) and cookie is not None, response
        cookies.append(cookie)
    options = {"rules": "standard", "colour": "w", "time": "60+15", "rated": False, "listed": False}
    challenge = await client.request("POST", f"{API}/challenges", options, {"Cookie": cookies[0]})
    assert challenge.status == 201, challenge
    accept = f"{API}/challenges/{challenge.json()['id']}/accept"
    created = await client.request("POST", accept, {}, {"Cookie": cookies[1]})
    assert created.status == 201, created
    game.id, game.cookies = created.json()["id"], (cookies[0], cookies[1])


async def subscribe(host: str, game: LoadGame, opening: asyncio.Semaphore, measured: Measurements) -> None:
    """Open the live connections of both sides, as their pages do."""

    def receiver(side: int) -> Callable[[LiveConnection, bytes], None]:
        def receive(connection: LiveConnection, message: bytes) -> None:
            if message.startswith(b'{"type":"probe"'):
                connection.send(message)
            elif message.startswith(b'{"type":"pong"'):
                measured.pongs += 1
            elif message.startswith(b'{"type":"game"') and (match := PLY.search(message)) is not None:
                game.received[side] = int(match[1])
                game.received_at = time.perf_counter()
                game.updated.set()

        return receive

    async with opening:
        for side, cookie in enumerate(game.cookies):
            path = f"{API}/games/{game.id}/live"
            game.connections.append(await LiveConnection.open(host, path, cookie, receiver(side)))


async def watch(
    host: str, game: LoadGame, watchers: int, servers: list[int], opening: asyncio.Semaphore
) -> list[LiveConnection]:
    """Have spectators come to a game, each with the two live connections of a page; print what they cost."""
    if not watchers:
        return []
    counted = [0] * watchers

    def receiver(number: int) -> Callable[[LiveConnection, bytes], None]:
        def receive(_: LiveConnection, message: bytes) -> None:
            if (match := WATCHERS.search(message)) is not None:
                counted[number] = int(match[1])

        return receive

    async def come(number: int) -> list[LiveConnection]:
        await asyncio.sleep(number / WATCHERS_PER_SECOND)
        async with opening:
            return [
                await LiveConnection.open(host, f"{API}/games/{game.id}/live", "", receiver(number)),
                await LiveConnection.open(host, f"{API}/lobby/live", "", lambda *_: None),
            ]

    before, start = processor_seconds(servers), time.perf_counter()
    pairs = await asyncio.gather(*(come(number) for number in range(watchers)))
    connections = [connection for pair in pairs for connection in pair]
    while min(counted) < watchers and time.perf_counter() - start < MAX_DELIVERY_SECONDS:
        await asyncio.sleep(0.1)
    spent, took = processor_seconds(servers) - before, time.perf_counter() - start
    told = sum(1 for count in counted if count == watchers)
    print(
        f"{watchers} spectators came to one game in {took:.1f} s: {1000 * spent / watchers:.2f} ms of processor each, "
        f"and {told} of them know how many there are"
    )
    return connections


async def play(client: Client, game: LoadGame, every: float, end: float, measured: Measurements) -> None:
    """Play one game's moves until the time is up."""
    await asyncio.sleep(random.uniform(0, every))
    for ply, text in enumerate(game.script):
        start = time.perf_counter()
        headers = {"Cookie": game.cookies[ply % 2], "Accept-Encoding": "gzip", "Idempotency-Key": token_hex(16)}
        response = await client.request("POST", f"{API}/games/{game.id}/turns", {"text": text, "ply": ply}, headers)
        measured.response_times.append(time.perf_counter() - start)
        if response.status != 200:
            measured.refused += 1
            print(f"refused: {response.status} {response.content[:200]!r}", file=sys.stderr)
            return
        game.acknowledged = ply + 1
        try:
            async with asyncio.timeout(MAX_DELIVERY_SECONDS):
                while min(game.received) <= ply:
                    game.updated.clear()
                    await game.updated.wait()
            measured.delivery_times.append(game.received_at - start)
        except TimeoutError:
            measured.late += 1
        next_move = start + every * random.uniform(0.9, 1.1)
        if next_move > end:
            return
        await asyncio.sleep(max(0.0, next_move - time.perf_counter()))


async def send_pings(played: list[LoadGame], measured: Measurements) -> None:
    """Have each live connection send pings as often as a page does, not all at once, until cancelled."""
    connections = [connection for game in played for connection in game.connections]
    start = time.perf_counter()
    while True:
        due = int((time.perf_counter() - start) / PING_SECONDS * len(connections))
        for number in range(measured.pings, due):
            connections[number % len(connections)].ping()
        measured.pings = due
        await asyncio.sleep(PING_STEP_SECONDS)


async def measure_lag(measured: Measurements) -> None:
    """Measure how late this program itself is, until cancelled."""
    while True:
        due = time.perf_counter() + 0.02
        await asyncio.sleep(0.02)
        measured.lags.append(time.perf_counter() - due)


async def check(client: Client, game: LoadGame, measured: Measurements) -> None:
    """Compare what is stored with what was acknowledged."""
    response = await client.request("GET", f"{API}/games/{game.id}", headers={"Cookie": game.cookies[0]})
    stored = [move["text"] for move in response.json()["turns"]] if response.status == 200 else []
    acknowledged = game.script[: game.acknowledged]
    missing = len(acknowledged) - len(stored)
    measured.lost += missing if stored == acknowledged[: len(stored)] else len(acknowledged)
    measured.doubled += max(0, len(stored) - len(acknowledged) - 1)  # the last may have been stored but not answered


async def measure(host: str, games: int, every: float, seconds: float, servers: list[int], watchers: int = 0) -> None:
    """Start the games, play them, and print what was measured."""
    client, measured = Client(host, REQUEST_CONNECTIONS), Measurements()
    played = [LoadGame(script(seed)) for seed in range(games)]
    for batch in _batched(played, REQUEST_CONNECTIONS // 2):
        await asyncio.gather(*(start_game(client, game) for game in batch))
    opening = asyncio.Semaphore(CONCURRENT_OPENINGS // 2)
    await asyncio.gather(*(subscribe(host, game, opening, measured) for game in played))
    spectators = await watch(host, played[0], watchers, servers, opening)
    gc.collect()
    gc.disable()  # much is kept here, and no reference cycles
    received = sum(connection.bytes_received for game in played for connection in game.connections)
    before, start, mine = processor_seconds(servers), time.perf_counter(), time.process_time()
    tasks = [asyncio.create_task(measure_lag(measured)), asyncio.create_task(send_pings(played, measured))]
    await asyncio.gather(*(play(client, game, every, start + seconds, measured) for game in played))
    spent, took = processor_seconds(servers) - before, time.perf_counter() - start
    mine = time.process_time() - mine
    for task in tasks:
        task.cancel()
    received = sum(connection.bytes_received for game in played for connection in game.connections) - received
    cut = sum(connection.close_reason is not None for game in played for connection in game.connections)
    await asyncio.gather(*(check(client, game, measured) for game in played))
    for game in played:
        for connection in game.connections:
            connection.close()
    for connection in spectators:
        connection.close()
    await client.close()
    moves = max(1, len(measured.delivery_times))
    print(
        f"{games} games at once, {2 * games} live connections, a move per game every {every:g} s: "
        f"{moves / took:.0f} moves/s; until both have received a move {_percentiles(measured.delivery_times)}, "
        f"response after {_percentiles(measured.response_times)}; {100 * spent / took:.0f} % of one core "
        f"({1000 * spent / moves:.2f} ms a move), {received / moves / 2000:.1f} kB a move to each side"
    )
    print(
        f"{sum(game.acknowledged for game in played)} moves acknowledged: {measured.lost} lost, {measured.doubled} "
        f"doubled, {measured.late} not received within {MAX_DELIVERY_SECONDS:g} s, {measured.refused} refused, "
        f"{cut} live connections cut"
    )
    print(
        f"{measured.pings} pings, {measured.pongs} answered; the players themselves: {100 * mine / took:.0f} % of one "
        f"core, late by {_percentiles(measured.lags)}; load of the machine {os.getloadavg()[0]:.1f}"
    )


def _percentiles(times: list[float]) -> str:
    ordered = sorted(times) or [0.0]
    p50, p99 = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, at most {1000 * ordered[-1]:.0f} ms"


def _batched(items: list[LoadGame], size: int) -> Iterator[tuple[LoadGame, ...]]:
    for first in range(0, len(items), size):
        yield tuple(items[first : first + size])


def processor_seconds(processes: list[int]) -> float:
    """Return how much processor time processes and what they started have used so far."""
    seconds = 0.0
    for pid in processes:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            seconds += processor_seconds([int(child) for child in children])
    return seconds


@contextlib.asynccontextmanager
async def run_server(options: argparse.Namespace) -> AsyncIterator[tuple[str, list[int]]]:
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
            os.sched_setaffinity(0, cores - one)  # the players run on the others
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
    parser.add_argument("--every", type=float, default=15.0, help="seconds between the moves of a game")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--watchers", type=int, default=0, help="spectators of the first game")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--database-url")
    parser.add_argument("--broker-url")
    options = parser.parse_args()
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    async with run_server(options) as (host, servers):
        await measure(host, options.games, options.every, options.seconds, servers, options.watchers)


if __name__ == "__main__":
    uvloop.run(main())
