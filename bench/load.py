"""Measure online play: pairs of players, each with a live connection, who play turn after turn.

``python -m bench.load`` starts a real ``punct serve --online`` on one core, seats two guests at each of 2,000 games,
and lets every game have a turn each 15 seconds. The players do what a page does: each turn has a key, and each live
connection asks for signs of life. It measures how long it takes from sending a turn until both sides have seen it, and
afterwards asks for every game: each turn that was acknowledged must be there, once.

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
from bench.http import Client, Live
from tests.databases import run_postgresql, run_redis

from punct import kernel

HANDS = 32
"""Connections for requests, shared by all players: browsers keep one each, but this machine has only so many ports."""
LONGEST = 60
OPENING = 100
"""Live connections opened at a time."""
BEAT = 7.0
"""Seconds after which a page asks for a sign of life again: see ``web/src/api/live.ts``."""
STEP = 0.01
"""Seconds between the pings of some connections and those of the next ones."""
LATE = 30.0
"""Seconds after which a turn that nobody saw counts as not seen."""
API = "/api/v1"
PLY = re.compile(rb'"ply":(\d+)')
COOKIE = re.compile(r"set-cookie:\s*([^;\r\n]+)", re.IGNORECASE)


@dataclass
class Played:
    """One game: what is to be played, what was acknowledged, and who has seen how much of it."""

    script: list[str]
    id: str = ""
    cookies: tuple[str, str] = ("", "")
    acknowledged: int = 0
    sides: list[Live] = field(default_factory=list)
    seen: list[int] = field(default_factory=lambda: [0, 0])
    """By side: how many turns."""
    at: float = 0.0
    """When the last of them was seen."""
    news: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class Figures:
    """What was measured."""

    waits: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    """How much later than they wished to the players here came to act: what a bench adds to what it measures."""
    pings: int = 0
    pongs: int = 0
    refused: int = 0
    late: int = 0
    lost: int = 0
    doubled: int = 0


def script(seed: int) -> list[str]:
    """Return the turns of a game."""
    for further in itertools.count():
        turns = kernel.Position().play_random(seed + further * 1_000_003, LONGEST, raised=20, moved=50)
        if len(turns) >= LONGEST // 2:
            return [str(turn) for turn in turns]
    raise AssertionError


async def seat(client: Client, game: Played) -> None:
    """Have two guests begin a game."""
    cookies = []
    for _ in range(2):
        answer = await client.ask("POST", f"{API}/me", {})
        assert answer.status in (200, 201), answer
        found = COOKIE.search(answer.head)
        assert found is not None, answer
        cookies.append(found[1])
    wanted = {"rules": "standard", "colour": "w", "time": "60+15", "rated": False, "listed": False}
    challenge = await client.ask("POST", f"{API}/challenges", wanted, {"Cookie": cookies[0]})
    assert challenge.status == 201, challenge
    accept = f"{API}/challenges/{challenge.json()['id']}/accept"
    begun = await client.ask("POST", accept, {}, {"Cookie": cookies[1]})
    assert begun.status == 201, begun
    game.id, game.cookies = begun.json()["id"], (cookies[0], cookies[1])


async def watch(host: str, game: Played, opening: asyncio.Semaphore, figures: Figures) -> None:
    """Follow a game from both sides, as its page does."""

    def hears(side: int) -> Callable[[Live, bytes], None]:
        def heard(live: Live, message: bytes) -> None:
            if message.startswith(b'{"type":"probe"'):
                live.send(message)
            elif message.startswith(b'{"type":"pong"'):
                figures.pongs += 1
            elif message.startswith(b'{"type":"game"') and (found := PLY.search(message)) is not None:
                game.seen[side] = int(found[1])
                game.at = time.perf_counter()
                game.news.set()

        return heard

    async with opening:
        for side, cookie in enumerate(game.cookies):
            path = f"{API}/games/{game.id}/live"
            game.sides.append(await Live.open(host, path, cookie, hears(side)))


async def play(client: Client, game: Played, every: float, end: float, figures: Figures) -> None:
    """Play one game's turns until the time is up."""
    await asyncio.sleep(random.uniform(0, every))
    for ply, text in enumerate(game.script):
        start = time.perf_counter()
        headers = {"Cookie": game.cookies[ply % 2], "Accept-Encoding": "gzip", "Idempotency-Key": token_hex(16)}
        answer = await client.ask("POST", f"{API}/games/{game.id}/turns", {"text": text, "ply": ply}, headers)
        figures.answers.append(time.perf_counter() - start)
        if answer.status != 200:
            figures.refused += 1
            print(f"refused: {answer.status} {answer.content[:200]!r}", file=sys.stderr)
            return
        game.acknowledged = ply + 1
        try:
            async with asyncio.timeout(LATE):
                while min(game.seen) <= ply:
                    game.news.clear()
                    await game.news.wait()
            figures.waits.append(game.at - start)
        except TimeoutError:
            figures.late += 1
        next_turn = start + every * random.uniform(0.9, 1.1)
        if next_turn > end:
            return
        await asyncio.sleep(max(0.0, next_turn - time.perf_counter()))


async def beat(played: list[Played], figures: Figures) -> None:
    """Have each live connection ask for signs of life as often as a page does, not all at once, until cancelled."""
    lives = [live for game in played for live in game.sides]
    start = time.perf_counter()
    while True:
        due = int((time.perf_counter() - start) / BEAT * len(lives))
        for number in range(figures.pings, due):
            lives[number % len(lives)].ping()
        figures.pings = due
        await asyncio.sleep(STEP)


async def feel(figures: Figures) -> None:
    """Measure how late this program itself is, until cancelled."""
    while True:
        wanted = time.perf_counter() + 0.02
        await asyncio.sleep(0.02)
        figures.lags.append(time.perf_counter() - wanted)


async def check(client: Client, game: Played, figures: Figures) -> None:
    """Compare what is stored with what was acknowledged."""
    answer = await client.ask("GET", f"{API}/games/{game.id}", headers={"Cookie": game.cookies[0]})
    turns = [turn["text"] for turn in answer.json()["turns"]] if answer.status == 200 else []
    wanted = game.script[: game.acknowledged]
    figures.lost += len(wanted) - len(turns) if turns == wanted[: len(turns)] else len(wanted)
    figures.doubled += max(0, len(turns) - len(wanted) - 1)  # the last may have been stored but not answered


async def measure(host: str, games: int, every: float, seconds: float, servers: list[int]) -> None:
    """Seat everybody, play, and print."""
    client, figures = Client(host, HANDS), Figures()
    played = [Played(script(seed)) for seed in range(games)]
    for batch in _batched(played, HANDS // 2):
        await asyncio.gather(*(seat(client, game) for game in batch))
    opening = asyncio.Semaphore(OPENING // 2)
    await asyncio.gather(*(watch(host, game, opening, figures) for game in played))
    gc.collect()
    gc.disable()  # so much stays here, and none of it in circles
    taken = sum(live.taken for game in played for live in game.sides)
    before, start, mine = processor_seconds(servers), time.perf_counter(), time.process_time()
    besides = [asyncio.create_task(feel(figures)), asyncio.create_task(beat(played, figures))]
    await asyncio.gather(*(play(client, game, every, start + seconds, figures) for game in played))
    spent, took = processor_seconds(servers) - before, time.perf_counter() - start
    mine = time.process_time() - mine
    for task in besides:
        task.cancel()
    taken = sum(live.taken for game in played for live in game.sides) - taken
    cut = sum(live.ended is not None for game in played for live in game.sides)
    await asyncio.gather(*(check(client, game, figures) for game in played))
    for game in played:
        for live in game.sides:
            live.close()
    await client.close()
    turns = max(1, len(figures.waits))
    print(
        f"{games} games at once, {2 * games} live connections, a turn per game every {every:g} s: "
        f"{turns / took:.0f} turns/s; until both have seen a turn {_spread(figures.waits)}, answered after "
        f"{_spread(figures.answers)}; {100 * spent / took:.0f} % of one core ({1000 * spent / turns:.2f} ms a turn), "
        f"{taken / turns / 2000:.1f} kB a turn to each side"
    )
    print(
        f"{sum(game.acknowledged for game in played)} turns acknowledged: {figures.lost} lost, {figures.doubled} "
        f"doubled, {figures.late} not seen within {LATE:g} s, {figures.refused} refused, {cut} live connections cut"
    )
    print(
        f"{figures.pings} pings, {figures.pongs} answered; the players themselves: {100 * mine / took:.0f} % of one "
        f"core, late by {_spread(figures.lags)}; load of the machine {os.getloadavg()[0]:.1f}"
    )


def _spread(waits: list[float]) -> str:
    found = sorted(waits) or [0.0]
    p50, p99 = found[len(found) // 2], found[len(found) * 99 // 100]
    return f"p50 {1000 * p50:.0f} ms, p99 {1000 * p99:.0f} ms, at most {1000 * found[-1]:.0f} ms"


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
    uvloop.run(main())
