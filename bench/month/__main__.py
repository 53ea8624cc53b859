"""The simulation: ``python -m bench.month [--days 30] [--games 200] [--players 50] [--seed 1]``."""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.http import Client
from bench.month.account import account_for
from bench.month.clock import FileClock
from bench.month.players import ZONES, MonthPlayer, Site
from bench.month.server import RunningServer
from bench.receiver import Receiver
from tests.databases import free_port

from punct.server.db.sqlite import FILE_NAME
from punct.server.db.values import to_db_time
from punct.server.notifications.service import LEASE

STEP: Final = timedelta(minutes=30)
TIMES: Final = ("2d", "3d", "3d", "4d-wd", "5d+12h/7d")
VACATION_SHARE, VANISHED_SHARE, PAUSE_SHARE, ABSENT = 0.2, 0.1, 0.1, 2
"""Of the players: who take a vacation, who vanish for a week without a word, and who ask for pauses before they go;
and how many never come at all."""
KILL_EVERY: Final = 20
"""Steps between two kills, on average."""
WORKER_SHARE: Final = 0.25
"""Of the kills: those of the processes that send messages, and not of the whole server."""
MAX_KILL_SECONDS: Final = 1.0
"""After the begin of a step."""
MAX_SETTLE_SECONDS: Final = 120.0
"""Until messages that are due have been sent: the clock stands meanwhile, as half an hour is much longer than that."""
CLAIM_SECONDS: Final = 3.0
"""If messages are being sent for so long after a kill, they were claimed by what was killed."""


class Month:
    """Everybody and everything of one simulation."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        """Start a server and a receiver of messages."""
        self.options, self.rng = options, random.Random(options.seed)
        self.now = FileClock(folder / "clock")
        self.receiver, port = Receiver(self.now), free_port()
        self.data = folder / "data"
        self.server = RunningServer(self.data, folder / "clock", port, self.receiver.authority)
        self.client = Client(f"127.0.0.1:{port}", 16)
        self.site = Site(self.client)
        self.players = [
            MonthPlayer(number, self.rng.choice(ZONES), random.Random(options.seed * 1000 + number))
            for number in range(options.players)
        ]
        self.begin = self.now()

    async def simulate(self) -> bool:
        """Simulate the month; print the counts, and return whether all is accounted for."""
        started = time.perf_counter()
        try:
            with self.receiver:
                finals = await self._run()
        finally:
            self.server.close()
        print(
            f"{self.options.days} days in {time.perf_counter() - started:.0f} s; {self.server.server_kills} servers "
            f"and {len(self.server.kills) - self.server.server_kills} times their workers killed, {self.site.retries} "
            "requests sent again"
        )
        for error in self.receiver.errors:
            print(f"FAULT in a message: {error}")
        accounted = account_for(
            self.site, finals, self.players, self.receiver.messages, self.server.kills, self.begin, self.now()
        )
        return accounted and not self.receiver.errors

    async def _run(self) -> dict[str, Any]:
        """Play to the end; return the games as they are then, None for those that were called off."""
        await asyncio.gather(*(self._enter(one) for one in self.players))
        for one in self.players[:ABSENT]:
            one.never_comes = True
        self._plan_absences(self.players[ABSENT:])
        for _ in range(self.options.games):
            white, black = self.rng.sample(self.players, 2)
            await self.site.start_game(white, black, self.rng.choice(TIMES))
        for step in range(round(timedelta(days=self.options.days) / STEP)):
            await self._step(self.begin + step * STEP)
            if step % 48 == 47:
                sent, kills = len(self.receiver.messages), len(self.server.kills)
                print(f"day {step // 48 + 1}: {sent} messages, {kills} kills", flush=True)
        finals: dict[str, Any] = {}
        for game_id in self.site.games:
            response = await self.site.request(None, "GET", f"/games/{game_id}")
            finals[game_id] = response.json() if response.status == 200 else None
        await self.client.close()
        return finals

    async def _enter(self, player: MonthPlayer) -> None:
        """Have a player make an account; half of them are told by a webhook, the others by a browser."""
        await self.site.sign_up(player)
        if player.number % 2:
            browser = self.receiver.browser(player.name)
            response = await self.site.request(player, "PUT", "/push/devices", browser.subscription)
            assert response.status == 200, response
        else:
            hook = {"url": self.receiver.hook_url(player.name), "form": "json"}
            response = await self.site.request(player, "POST", "/hooks", hook)
            assert response.status == 201, response
            self.receiver.expect_signatures(player.name, response.json()["secret"])

    async def _step(self, at: datetime) -> None:
        """Let half an hour pass: whoever looks plays, and perhaps something is killed meanwhile."""
        self.now.set(at)
        killing = asyncio.create_task(self._kill()) if self.rng.random() < 1 / KILL_EVERY else None
        work = [self.site.look(one, at) for one in self.players if one.looks_at(at)]
        work += [
            self._leave(one)
            for one in self.players
            if one.is_on_vacation and one.away and at <= one.away[0] < at + STEP
        ]
        await asyncio.gather(*work)
        await self._settle(may_be_claimed=killing is not None)
        if killing is not None:
            await killing
            await self._settle(may_be_claimed=True)

    async def _settle(self, *, may_be_claimed: bool) -> None:
        """Wait until the server has sent what is due, and has ended the games whose time is up.

        After a kill, time passes until the claims of what was killed have lapsed.
        """
        started = time.perf_counter()
        with closing(sqlite3.connect(self.data / FILE_NAME, timeout=30)) as database:
            while True:
                now = self.now()
                waiting = {
                    name for name, statement, until in _due(now) if database.execute(statement, (until,)).fetchone()
                }
                if not waiting:
                    return
                waited = time.perf_counter() - started
                if waited > MAX_SETTLE_SECONDS:
                    raise TimeoutError(f"not done in time: {waiting}")
                if waiting == {"deliveries"} and may_be_claimed and waited > CLAIM_SECONDS:
                    self.now.set(now + LEASE + timedelta(seconds=1))
                    may_be_claimed = False
                await asyncio.sleep(0.02)

    async def _kill(self) -> None:
        """Kill the server or its workers at some moment of a step."""
        is_worker = self.rng.random() < WORKER_SHARE
        await asyncio.sleep(self.rng.uniform(0.0, MAX_KILL_SECONDS))
        await asyncio.to_thread(self.server.kill_workers if is_worker else self.server.kill)

    async def _leave(self, player: MonthPlayer) -> None:
        """Take a vacation for the time away."""
        assert player.away is not None
        days = (player.away[1] - player.away[0]) // timedelta(days=1)
        response = await self.site.request(player, "POST", "/me/vacations", {"days": days})
        assert response.status == 201, response

    def _plan_absences(self, players: list[MonthPlayer]) -> None:
        """Decide who is away when."""
        shares = (VACATION_SHARE, VANISHED_SHARE, PAUSE_SHARE)
        on_vacation, vanish, pause = (round(len(players) * share) for share in shares)
        for number, one in enumerate(players[: on_vacation + vanish + pause]):
            one.is_on_vacation, one.asks_for_pauses = number < on_vacation, number >= on_vacation + vanish
            begin = self.begin + STEP * self.rng.randrange(48 * 4, 48 * max(5, self.options.days - 12))
            one.away = begin, begin + timedelta(days=6 if one.is_on_vacation else 8)


def _due(now: datetime) -> tuple[tuple[str, str, str], ...]:
    """Return what may be due at a time, each with the statement that finds it and its parameter."""
    at, before = to_db_time(now), to_db_time(now - timedelta(seconds=2))
    return (
        ("notices", "SELECT 1 FROM notices WHERE due <= ? LIMIT 1", at),
        ("deliveries", "SELECT 1 FROM deliveries WHERE due <= ? LIMIT 1", at),
        ("games", "SELECT 1 FROM games WHERE ending IS NULL AND ticking IS NOT NULL AND deadline <= ? LIMIT 1", before),
    )


def main() -> None:
    """Simulate what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        sys.exit(not asyncio.run(Month(options, Path(folder)).simulate()))


if __name__ == "__main__":
    main()
