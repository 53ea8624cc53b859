"""Kill everything, again and again, while games are played: afterwards every acknowledged turn is there, once.

``python -m bench.chaos`` starts PostgreSQL, Redis, a ``punct serve`` of two processes and a ``punct worker``, and has
games played over HTTP, between persons and against the computer. Meanwhile, at random instants, it kills (as with
``kill -9``) a serving process, the whole server, the worker, Redis or PostgreSQL, or has PostgreSQL drop every
connection. Players do what a page does: they ask again until they are answered. Sometimes two play the same ply at
once. In the end every game is compared with what its players were told, and replayed by the rules.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import IO, Any

from bench.http import Client
from tests.services import Postgresql, Redis, free_port, run_postgresql, run_redis

from punct import Game, kernel
from punct.server.play.game import PlayedGame
from punct.server.store import GameStore, open_database

PATIENCE = 600.0
"""Seconds after which a player who is never answered gives up, and so does whoever waits for play to go on after a
kill: either is a fault."""
ANSWER = 60.0
"""Seconds after which a player who is kept waiting hangs up and asks again: longer than the server takes, with
everything it needs there, on however slow a machine."""
HASTE = 0.2
"""How often the next kill comes before anybody has recovered from the last."""
PAUSE = 0.1
LONGEST = 60
AGAINST_COMPUTER = 0.25
AT_ONCE = 0.15
"""How often two try to play the same ply."""


@dataclass
class Told:
    """What the players of a game were told."""

    id: str
    engine: bool
    turns: dict[int, str] = field(default_factory=dict)
    """By ply: the turn that was acknowledged."""


@dataclass
class Figures:
    """What was counted."""

    killed: Counter[str] = field(default_factory=Counter)
    games: int = 0
    acknowledged: int = 0
    asked_again: int = 0
    refused: int = 0
    both_won: int = 0
    lost: int = 0
    changed: int = 0
    illegal: int = 0
    gave_up: int = 0
    stalled: int = 0
    """Kills after which nothing went on."""

    @property
    def faults(self) -> int:
        """What must be zero."""
        return self.both_won + self.lost + self.changed + self.illegal + self.gave_up + self.stalled

    def __str__(self) -> str:
        kills = ", ".join(f"{count} {what}" for what, count in sorted(self.killed.items()))
        return (
            f"killed: {sum(self.killed.values())} ({kills})\n"
            f"played: {self.games} games, {self.acknowledged} turns acknowledged, {self.refused} refused to the second "
            f"of two, {self.asked_again} asked again\n"
            f"lost: {self.lost}, changed or doubled: {self.changed + self.both_won}, illegal: {self.illegal}, "
            f"never answered: {self.gave_up}, never recovered: {self.stalled}"
        )


class Cluster:
    """A server of several processes, and a worker, which are started again whatever becomes of them."""

    def __init__(self, database: str, broker: str, processes: int) -> None:
        port = free_port()
        self.host = f"127.0.0.1:{port}"
        punct = [sys.executable, "-m", "punct"]
        urls = ["--database-url", database, "--broker-url", broker]
        options = ["--no-open", "--port", str(port), "--workers", str(processes), "--engines", "0"]
        self._commands = {
            "server": [*punct, "serve", *options, *urls],
            "worker": [*punct, "worker", "--broker-url", broker, "--engines", "1", "--pictures", "0"],
        }
        self._said: dict[str, IO[bytes]] = {}
        self._running = {name: self._start(name) for name in self._commands}

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        if name in self._said:
            self._said[name].close()
        self._said[name] = said = tempfile.TemporaryFile()  # noqa: SIM115  # closed with what it is for
        return subprocess.Popen(self._commands[name], stdout=said, stderr=subprocess.DEVNULL)

    def are_ready(self) -> bool:
        """Tell whether both have said that they are: each says a line once it can be used, and nothing before."""
        return all(os.fstat(said.fileno()).st_size > 0 for said in self._said.values())

    def keep_up(self) -> None:
        """Start what has ended, as systemd would."""
        for name, process in self._running.items():
            if process.poll() is not None:
                self._running[name] = self._start(name)

    def kill(self, name: str) -> None:
        """Kill the whole server, or the worker."""
        self._running[name].kill()
        self._running[name].wait()

    def kill_one(self, lot: random.Random) -> bool:
        """Kill one of the processes that serve; False if there is none just now."""
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(self._running["server"].pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        serving = [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]
        if not serving:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(lot.choice(serving), signal.SIGKILL)
        return True

    def close(self) -> None:
        """End both."""
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for said in self._said.values():
            said.close()


class Players:
    """Play games until told to stop."""

    def __init__(self, client: Client, figures: Figures, until: asyncio.Event) -> None:
        self._client, self._figures, self._until = client, figures, until
        self.told: list[Told] = []

    async def play(self, seed: int) -> None:
        """Play one game after another."""
        lot = random.Random(seed)
        while not self._until.is_set():
            try:
                await self._game(lot)
            except TimeoutError:
                self._figures.gave_up += 1

    async def _game(self, lot: random.Random) -> None:
        engine = lot.random() < AGAINST_COMPUTER
        seats: dict[str, Any] = {"w": {}, "b": {"type": "engine", "level": 1} if engine else {}}
        begun = await self._ask("POST", "/games", {"seats": seats})
        told = Told(begun["id"], engine)
        self.told.append(told)
        self._figures.games += 1
        position = kernel.Position()
        turns: list[str] = []
        while len(turns) < LONGEST and position.outcome() is None and not self._until.is_set():
            if engine and len(turns) % 2:
                turns = await self._answered(told.id, len(turns))
                position = kernel.Position()
                for text in turns:
                    position.push(text)
                continue
            legal = sorted(map(str, position.legal_moves))
            text = lot.choice(legal)
            rival = lot.choice(legal) if lot.random() < AT_ONCE else None
            text = await self._turn(told, len(turns), text, rival)
            turns.append(text)
            position.push(text)

    async def _turn(self, told: Told, ply: int, text: str, rival: str | None) -> str:
        """Play a turn, perhaps against somebody who plays another one; return which is on the board."""

        async def play(mine: str) -> str | None:
            try:
                await self._ask("POST", f"/games/{told.id}/turns", {"text": mine, "ply": ply})
            except PermissionError:
                self._figures.refused += 1
                return None
            return mine

        rivals = {text} if rival is None else {text, rival}
        won = [mine for mine in await asyncio.gather(*map(play, rivals)) if mine is not None]
        if len(won) == 2:
            self._figures.both_won += 1
        if not won:
            raise TimeoutError("each was told that the other was first")
        told.turns[ply] = won[0]
        self._figures.acknowledged += 1
        return won[0]

    async def _answered(self, game_id: str, ply: int) -> list[str]:
        """Wait for the computer's turn; return all turns."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            game = await self._ask("GET", f"/games/{game_id}")
            if game["ply"] > ply or game["outcome"] is not None:
                return [turn["text"] for turn in game["turns"]]
            await asyncio.sleep(PAUSE)
        raise TimeoutError

    async def _ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask until there is an answer, with one key. PermissionError: somebody else was first."""
        end, pause = time.monotonic() + PATIENCE, PAUSE
        headers = {"Idempotency-Key": token_urlsafe(12)} if method == "POST" else {}
        while time.monotonic() < end:
            try:
                answer = await self._client.ask(method, f"/api/v1{path}", body, headers, ANSWER)
                if answer.status < 300:
                    return answer.json()
                if answer.status == 409:
                    raise PermissionError(path)
                if answer.status < 500 and answer.status != 429:
                    raise AssertionError(answer)
            except PermissionError:
                raise
            except (OSError, ValueError):  # nobody there, too late, or cut off in the middle of an answer
                pass
            self._figures.asked_again += 1
            await asyncio.sleep(pause)
            pause = min(1.0, pause * 1.5)
        raise TimeoutError


def rage(
    rounds: int, seed: int, postgresql: Postgresql, redis: Redis, database: str, cluster: Cluster, figures: Figures
) -> None:
    """Kill something, so many times."""
    lot = random.Random(seed)

    def one() -> bool:
        return cluster.kill_one(lot)

    def connections() -> bool:
        return postgresql.drop_connections(database) > 0

    def everything(service: Postgresql | Redis) -> Callable[[], bool]:
        def kill() -> bool:
            service.kill()
            time.sleep(lot.uniform(0.0, 0.5))
            service.start()
            return True

        return kill

    def program(name: str) -> Callable[[], bool]:
        def kill() -> bool:
            cluster.kill(name)
            return True

        return kill

    ways: dict[str, tuple[int, Callable[[], bool]]] = {
        "serving processes": (30, one),
        "PostgreSQL connections": (30, connections),
        "workers": (15, program("worker")),
        "Redis": (12, everything(redis)),
        "PostgreSQL": (8, everything(postgresql)),
        "whole servers": (5, program("server")),
    }
    order = [name for name in ways for _ in range(ways[name][0])]
    for number in range(rounds):
        if number == 0 or lot.random() >= HASTE:
            recover(cluster, figures)
        time.sleep(lot.uniform(0.0, 0.5))
        # First each in turn, so that a short run has them all.
        name = list(ways)[number] if number < len(ways) else lot.choice(order)
        if ways[name][1]():
            figures.killed[name] += 1
        cluster.keep_up()
        if sum(figures.killed.values()) % 50 == 0:
            print(f"{sum(figures.killed.values())} kills, {figures.acknowledged} turns acknowledged …", flush=True)
    recover(cluster, figures)


def recover(cluster: Cluster, figures: Figures) -> None:
    """Wait until everything runs that should, and a turn was acknowledged: however slow the machine is."""
    before, end = figures.acknowledged, time.monotonic() + PATIENCE
    while figures.acknowledged == before or not cluster.are_ready():
        cluster.keep_up()
        if time.monotonic() > end:
            figures.stalled += 1
            return
        time.sleep(0.01)


def compare(database: str, told: list[Told], figures: Figures) -> None:
    """Compare every game with what was told of it, and replay it by the rules."""
    with contextlib.closing(GameStore(open_database(database))) as store:
        for each in told:
            found = store.load(each.id)
            if found is None:
                figures.lost += max(1, len(each.turns))
                continue
            stored = [move.text for move in found[1]]
            for ply, text in each.turns.items():
                if ply >= len(stored):
                    figures.lost += 1
                elif stored[ply] != text:
                    figures.changed += 1
            numbered = store.database.ask(
                "SELECT count(*), count(DISTINCT ply) FROM turns WHERE game_id = " + repr(each.id)
            )
            if numbered != [(len(stored), len(stored))] or found[0].ply != len(stored):
                figures.changed += 1
            try:
                PlayedGame.replayed(*found)
                game = Game()
                for text in stored:
                    game.push(text)
            except Exception:
                figures.illegal += 1


@contextlib.asynccontextmanager
async def playing(cluster: Cluster, players: int, figures: Figures, seed: int) -> AsyncIterator[Players]:
    """Have games played until this is left, and the last answers have come."""
    until = asyncio.Event()
    client = Client(cluster.host, 2 * players)
    table = Players(client, figures, until)
    async with asyncio.TaskGroup() as together:
        for number in range(players):
            together.create_task(table.play(seed * 1000 + number))
        try:
            yield table
        finally:
            until.set()
    await client.close()


async def run(rounds: int, players: int = 12, processes: int = 2, seed: int = 1) -> Figures:
    """Run the whole of it; return what was counted."""
    figures = Figures()
    with run_postgresql() as postgresql, run_redis() as redis:
        database = postgresql.new_database()
        open_database(database).close()
        cluster = Cluster(database, redis.address(), processes)
        try:
            async with playing(cluster, players, figures, seed) as table:
                await asyncio.to_thread(rage, rounds, seed, postgresql, redis, database, cluster, figures)
        finally:
            cluster.close()
        compare(database, table.told, figures)
    return figures


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--rounds", type=int, default=300, help="how often something is killed")
    reader.add_argument("--players", type=int, default=12, help="how many games at once")
    reader.add_argument("--processes", type=int, default=2, help="that serve")
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    figures = asyncio.run(run(given.rounds, given.players, given.processes, given.seed))
    print(figures)
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
