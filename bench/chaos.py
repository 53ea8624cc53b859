"""Kill everything, again and again, while games are played: afterwards every acknowledged turn is there, once.

``python -m bench.chaos`` starts PostgreSQL, Redis, a ``punct serve`` of two processes and a ``punct worker``, and has
games played over HTTP, between persons and against the computer. Meanwhile, at random instants, it kills (as with
``kill -9``) a serving process, the whole server, the worker, Redis or PostgreSQL, or has PostgreSQL drop every
connection. Players do what a page does: they ask again until they are answered. Sometimes two play the same ply at
once. In the end every game is compared with what its players were told, and replayed by the rules.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.services import Postgresql, Redis, free_port, run_postgresql, run_redis

from punct import Game, kernel
from punct.server.play.game import PlayedGame
from punct.server.store import GameStore, open_database

PATIENCE = 300.0
"""Seconds after which a player who is never answered gives up: that is a fault."""
RECOVERY = 30.0
"""Seconds after which the next kill comes though nobody has been answered since the last."""
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

    @property
    def faults(self) -> int:
        """What must be zero."""
        return self.both_won + self.lost + self.changed + self.illegal + self.gave_up

    def __str__(self) -> str:
        kills = ", ".join(f"{count} {what}" for what, count in sorted(self.killed.items()))
        return (
            f"killed: {sum(self.killed.values())} ({kills})\n"
            f"played: {self.games} games, {self.acknowledged} turns acknowledged, {self.refused} refused to the second "
            f"of two, {self.asked_again} asked again\n"
            f"lost: {self.lost}, changed or doubled: {self.changed + self.both_won}, illegal: {self.illegal}, "
            f"never answered: {self.gave_up}"
        )


class Cluster:
    """A server of several processes, and a worker, which are started again whatever becomes of them."""

    def __init__(self, database: str, broker: str, processes: int) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}/api/v1"
        punct = [sys.executable, "-m", "punct"]
        urls = ["--database-url", database, "--broker-url", broker]
        options = ["--no-open", "--port", str(self.port), "--workers", str(processes), "--engines", "0"]
        self._commands = {
            "server": [*punct, "serve", *options, *urls],
            "worker": [*punct, "worker", "--broker-url", broker, "--engines", "1", "--pictures", "0"],
        }
        self._running = {name: self._start(name) for name in self._commands}
        self._closed = False

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._commands[name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

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


class Players:
    """Play games until told to stop."""

    def __init__(self, address: str, figures: Figures, until: threading.Event) -> None:
        self._address, self._figures, self._until = address, figures, until
        self._lock = threading.Lock()
        self.told: list[Told] = []

    def play(self, seed: int) -> None:
        """Play one game after another."""
        lot = random.Random(seed)
        while not self._until.is_set():
            try:
                self._game(lot)
            except TimeoutError:
                self._count(gave_up=1)

    def _game(self, lot: random.Random) -> None:
        engine = lot.random() < AGAINST_COMPUTER
        seats: dict[str, Any] = {"w": {}, "b": {"type": "engine", "level": 1} if engine else {}}
        begun = self._ask("POST", "/games", {"seats": seats})
        told = Told(begun["id"], engine)
        with self._lock:
            self.told.append(told)
            self._figures.games += 1
        position = kernel.Position()
        turns: list[str] = []
        while len(turns) < LONGEST and position.outcome() is None and not self._until.is_set():
            if engine and len(turns) % 2:
                turns = self._answered(told.id, len(turns))
                position = kernel.Position()
                for text in turns:
                    position.push(text)
                continue
            legal = sorted(map(str, position.legal_moves))
            text = lot.choice(legal)
            rival = lot.choice(legal) if lot.random() < AT_ONCE else None
            text = self._turn(told, len(turns), text, rival)
            turns.append(text)
            position.push(text)

    def _turn(self, told: Told, ply: int, text: str, rival: str | None) -> str:
        """Play a turn, perhaps against somebody who plays another one; return which is on the board."""
        path = f"/games/{told.id}/turns"
        if rival is None or rival == text:
            self._ask("POST", path, {"text": text, "ply": ply})
            self._acknowledge(told, ply, text)
            return text
        won: list[str] = []

        def play(mine: str) -> None:
            try:
                self._ask("POST", path, {"text": mine, "ply": ply})
                won.append(mine)
            except PermissionError:
                self._count(refused=1)
            except TimeoutError:
                self._count(gave_up=1)

        other = threading.Thread(target=play, args=(rival,))
        other.start()
        play(text)
        other.join()
        if len(won) == 2:
            self._count(both_won=1)
        if not won:
            raise TimeoutError
        self._acknowledge(told, ply, won[0])
        return won[0]

    def _answered(self, game_id: str, ply: int) -> list[str]:
        """Wait for the computer's turn; return all turns."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            game = self._ask("GET", f"/games/{game_id}")
            if game["ply"] > ply or game["outcome"] is not None:
                return [turn["text"] for turn in game["turns"]]
            if self._until.is_set() and time.monotonic() > end - PATIENCE / 2:
                break
            time.sleep(PAUSE)
        raise TimeoutError

    def _acknowledge(self, told: Told, ply: int, text: str) -> None:
        with self._lock:
            told.turns[ply] = text
            self._figures.acknowledged += 1

    def _count(self, **what: int) -> None:
        with self._lock:
            for name, number in what.items():
                setattr(self._figures, name, getattr(self._figures, name) + number)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask until there is an answer. PermissionError: somebody else was first."""
        end = time.monotonic() + PATIENCE
        data = None if body is None else json.dumps(body).encode()
        pause = PAUSE
        while time.monotonic() < end:
            request = Request(self._address + path, data, {"Content-Type": "application/json"}, method=method)
            try:
                with urlopen(request, timeout=20) as answer:
                    return json.load(answer)
            except HTTPError as error:
                if error.code == 409:
                    raise PermissionError(path) from None
                if error.code < 500:
                    raise
            except OSError:
                pass
            except (ValueError, EOFError):  # cut off in the middle of an answer
                pass
            except Exception as error:  # http.client's own: what is no answer at all
                if type(error).__module__ != "http.client":
                    raise
            self._count(asked_again=1)
            time.sleep(pause)
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
    for _ in range(rounds):
        cluster.keep_up()
        before, end = figures.acknowledged, time.monotonic() + RECOVERY
        while figures.acknowledged == before and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(lot.uniform(0.0, 0.5))
        name = lot.choice(order)
        if ways[name][1]():
            figures.killed[name] += 1
    cluster.keep_up()


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


@contextlib.contextmanager
def playing(cluster: Cluster, players: int, figures: Figures, seed: int) -> Iterator[Players]:
    """Have games played until this is left, and the last answers have come."""
    until = threading.Event()
    table = Players(cluster.address, figures, until)
    with ThreadPoolExecutor(players) as pool:
        running = [pool.submit(table.play, seed * 1000 + number) for number in range(players)]
        try:
            yield table
        finally:
            until.set()
    for each in running:
        each.result()


def run(rounds: int, players: int = 12, processes: int = 2, seed: int = 1) -> Figures:
    """Run the whole of it; return what was counted."""
    figures = Figures()
    with run_postgresql() as postgresql, run_redis() as redis:
        database = postgresql.new_database()
        open_database(database).close()
        cluster = Cluster(database, redis.address(), processes)
        try:
            with playing(cluster, players, figures, seed) as table:
                while not figures.acknowledged:
                    time.sleep(PAUSE)
                rage(rounds, seed, postgresql, redis, database, cluster, figures)
                calm = figures.acknowledged
                while figures.acknowledged < calm + players:  # everything works again
                    cluster.keep_up()
                    time.sleep(PAUSE)
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
    figures = run(given.rounds, given.players, given.processes, given.seed)
    print(figures)
    sys.exit(1 if figures.faults else 0)


if __name__ == "__main__":
    main()
