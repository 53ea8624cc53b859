"""The simulation: ``python -m bench.month [--days 30] [--games 200] [--players 50] [--seed 1]``."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from bench.http import Client
from bench.month.account import account_for
from bench.month.clock import FileClock
from bench.month.players import ZONES, MonthPlayer, Site
from bench.month.receiver import Receiver
from tests.databases import free_port

from punct.server.db.sqlite import FILE_NAME
from punct.server.db.values import to_db_time

STEP: Final = timedelta(minutes=30)
TIMES: Final = ("2d", "3d", "3d", "4d-wd", "5d+12h/7d")
VACATION_SHARE, VANISHED_SHARE, ABSENT = 0.2, 0.1, 2
"""Of the players: who take a vacation, and who vanish for a week without a word; and how many never come at all."""
KILL_EVERY: Final = 40
"""Steps between two kills, on average."""
MAX_SETTLE_SECONDS: Final = 60.0
"""Until messages that are due have been sent: the clock stands meanwhile, as half an hour is much longer than that."""


class RunningServer:
    """The server process, which is killed and started again."""

    def __init__(self, folder: Path, clock: Path, port: int, receiver: Receiver) -> None:
        self._command = [sys.executable, "-m", "bench.month.server", str(folder / "data"), str(port), str(clock)]
        self._environment = {**os.environ, "PUNCT_OUTBOUND_EXEMPT": f"127.0.0.1:{receiver.port}"}
        self.kills = 0
        self._start()

    def _start(self) -> None:
        self._process = subprocess.Popen(self._command, env=self._environment)

    def kill(self) -> None:
        """Kill it, as the system may at any moment, and start it again."""
        self._process.kill()
        self._process.wait()
        self.kills += 1
        self._start()

    def close(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()


async def simulate(options: argparse.Namespace, folder: Path) -> bool:
    """Simulate the month; print the counts, and return whether all is accounted for."""
    rng = random.Random(options.seed)
    clock_path = folder / "clock"
    now = FileClock(clock_path)
    receiver, port = Receiver(now), free_port()
    server = RunningServer(folder, clock_path, port, receiver)
    client = Client(f"127.0.0.1:{port}", 16)
    site = Site(f"127.0.0.1:{port}", client)
    players = [
        MonthPlayer(number, rng.choice(ZONES), random.Random(options.seed * 1000 + number))
        for number in range(options.players)
    ]
    begun = time.perf_counter()
    try:
        await asyncio.gather(*(site.sign_up(one, f"http://127.0.0.1:{receiver.port}/{one.number}") for one in players))
        for one in players[:ABSENT]:
            one.never_comes = True
        _plan_absences(players[ABSENT:], rng, now, options.days)
        games = await _start_games(site, players, rng, options.games)
        steps = round(timedelta(days=options.days) / STEP)
        for step in range(steps):
            await _step(folder, site, players, server, rng, now)
            if step % 48 == 0:
                print(f"day {step // 48}: {len(receiver.messages)} messages, {server.kills} kills", flush=True)
        await settle(folder, now)
        finals: dict[str, Any] = {}
        for game_id in games:
            response = await site.request(None, "GET", f"/games/{game_id}")
            finals[game_id] = response.json() if response.status == 200 else None
        await client.close()
    finally:
        server.close()
        receiver.close()
    print(f"{server.kills} kills, {site.retries} requests sent again, {time.perf_counter() - begun:.0f} s")
    return account_for(games, finals, players, receiver.messages)


async def _step(
    folder: Path, site: Site, players: list[MonthPlayer], server: RunningServer, rng: random.Random, now: FileClock
) -> None:
    """Let half an hour pass: whoever looks plays, and perhaps the server is killed meanwhile."""
    at = now()
    work = [site.look(one) for one in players if one.looks_at(at)]
    work += [_leave(site, one) for one in players if one.is_on_vacation and one.away and at <= one.away[0] < at + STEP]
    if rng.random() < 1 / KILL_EVERY:
        work.append(_kill_soon(server, rng))
    await asyncio.gather(*work)
    await settle(folder, now)
    now.advance(STEP)


async def settle(folder: Path, now: FileClock) -> None:
    """Wait until the server has sent what is due, and has ended the games whose time is up."""
    at = to_db_time(now())
    due = (
        ("SELECT 1 FROM notices WHERE due <= ? LIMIT 1", at),
        ("SELECT 1 FROM deliveries WHERE due <= ? LIMIT 1", at),
        ("SELECT 1 FROM games WHERE ending IS NULL AND ticking IS NOT NULL AND deadline <= ? LIMIT 1",
         to_db_time(now() - timedelta(seconds=2))),
    )  # fmt: skip
    end = time.perf_counter() + MAX_SETTLE_SECONDS
    with closing(sqlite3.connect(folder / "data" / FILE_NAME, timeout=30)) as database:
        while any(database.execute(statement, (until,)).fetchone() for statement, until in due):
            if time.perf_counter() > end:
                raise TimeoutError("messages that are due are not sent")
            await asyncio.sleep(0.02)


async def _kill_soon(server: RunningServer, rng: random.Random) -> None:
    await asyncio.sleep(rng.uniform(0.0, 0.4))
    await asyncio.to_thread(server.kill)


async def _leave(site: Site, player: MonthPlayer) -> None:
    """Take a vacation for the time away."""
    assert player.away is not None
    days = (player.away[1] - player.away[0]) // timedelta(days=1)
    response = await site.request(player, "POST", "/me/vacations", {"days": days})
    assert response.status == 201, response


def _plan_absences(players: list[MonthPlayer], rng: random.Random, now: FileClock, days: int) -> None:
    """Decide who is away when."""
    on_vacation = round(len(players) * VACATION_SHARE)
    for number, one in enumerate(players[: on_vacation + round(len(players) * VANISHED_SHARE)]):
        one.is_on_vacation = number < on_vacation
        begin = now() + STEP * rng.randrange(48 * 4, 48 * max(5, days - 12))
        one.away = begin, begin + timedelta(days=6 if one.is_on_vacation else 8)


async def _start_games(
    site: Site, players: list[MonthPlayer], rng: random.Random, number: int
) -> dict[str, tuple[int, int]]:
    """Start all games; return the players of each, White first."""
    games = {}
    for _ in range(number):
        white, black = rng.sample(players, 2)
        games[await site.start_game(white, black, rng.choice(TIMES))] = white.number, black.number
    return games


def main() -> None:
    """Simulate what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        sys.exit(not asyncio.run(simulate(options, Path(folder))))


if __name__ == "__main__":
    main()
