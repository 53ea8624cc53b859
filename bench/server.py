"""Measure the server: what a move costs it, how many it takes a second, and how long players wait.

``python -m bench.server`` starts a real ``punct serve`` on this machine, gives it 1,000 games in full swing, gets
each once as a page does that shows it, and lets 16 clients play on in all of them over persistent connections, as
browsers do. It ends after so many moves or seconds.

``--against OTHER`` measures another installation's ``punct`` in turn with this one, round by round: a machine that does
something else meanwhile then hinders both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.request import Request, urlopen

from bench.http import Client

from punct import kernel

GAMES = 1000
CLIENTS = 16
MAX_PLIES = 60
MAX_GAMES_PER_RECORD = 50
JSON = {"Content-Type": "application/json"}
COMPRESSED = {"Accept-Encoding": "gzip"}


@dataclass
class Measurements:
    """What was measured, over all rounds, in seconds."""

    response_times: list[float] = field(default_factory=list)
    elapsed: float = 0.0
    processor: float = 0.0

    def __str__(self) -> str:
        times = sorted(self.response_times)
        moves = len(times)
        if not moves:
            return "no move was played"
        return (
            f"{1000 * self.processor / moves:6.2f} ms of processor time a move, {moves / self.elapsed:5.0f} moves/s "
            f"({moves / self.processor:5.0f} a second of one core); p50 {1000 * times[moves // 2]:4.0f} ms, "
            f"p99 {1000 * times[moves * 99 // 100]:4.0f} ms, at most {1000 * times[-1]:4.0f} ms; {moves} moves"
        )


def scripts(count: int) -> list[tuple[int, list[str]]]:
    """Return games to play: how many of their moves are played already, and all their moves."""
    rng = random.Random(7)
    games: list[tuple[int, list[str]]] = []
    while len(games) < count:
        moves = [
            str(move) for move in kernel.Position().play_random(rng.randrange(1 << 60), MAX_PLIES, raised=20, moved=50)
        ]
        if len(moves) >= MAX_PLIES // 2:
            games.append((rng.randrange(len(moves) * 2 // 3), moves))
    return games


@contextmanager
def run_server(punct: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server on an empty folder, yield it with its address, and end it."""
    with tempfile.TemporaryDirectory() as data:
        command = [str(punct), "serve", "--no-open", "--port", "0", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process, process.stdout.readline().split()[-1].rstrip("/")
            finally:
                process.terminate()
                process.wait()


def import_games(address: str, games: list[tuple[int, list[str]]]) -> list[str]:
    """Import games; return their ids."""
    ids = []
    for first in range(0, len(games), MAX_GAMES_PER_RECORD):
        text = "".join(f"{' '.join(moves[:ply])} *\n\n" for ply, moves in games[first : first + MAX_GAMES_PER_RECORD])
        body = json.dumps({"text": text, "format": "text"}).encode()
        with urlopen(Request(f"{address}/api/v1/records", body, JSON), timeout=300) as response:
            ids += [game["id"] for game in json.load(response)["games"]]
    return ids


def processor_seconds(process: subprocess.Popen[str]) -> float:
    """Return how much processor time a process has used so far, all its threads together."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def get_games(address: str, games: Iterable[str]) -> None:
    """Get all games once."""
    client = Client(address.partition("//")[2])
    for game in games:
        response = await client.request("GET", f"/api/v1/games/{game}", headers=COMPRESSED)
        assert response.status == 200, response
    await client.close()


async def play(
    address: str, games: dict[str, tuple[int, list[str]]], max_moves: int, max_seconds: float
) -> list[float]:
    """Play on in all games, each client in its share of them; return the response time of each move."""
    client = Client(address.partition("//")[2], CLIENTS)
    times: list[float] = []
    end = time.perf_counter() + max_seconds

    async def play_share(number: int) -> None:
        rng = random.Random(number)
        own = [game for game in list(games)[number::CLIENTS] if games[game][0] < len(games[game][1])]
        while own and len(times) < max_moves and time.perf_counter() < end:
            game = rng.choice(own)
            ply, script = games[game]
            start = time.perf_counter()
            move = {"text": script[ply], "ply": ply}
            response = await client.request("POST", f"/api/v1/games/{game}/turns", move, COMPRESSED)
            times.append(time.perf_counter() - start)
            assert response.status == 200, response
            games[game] = (ply + 1, script)
            if ply + 1 == len(script):
                own.remove(game)

    await asyncio.gather(*(play_share(number) for number in range(CLIENTS)))
    await client.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--punct", type=Path, default=Path(sys.executable).with_name("punct"), help="what is measured")
    parser.add_argument("--against", type=Path, help="another installation's punct")
    parser.add_argument("--turns", type=int, default=2000, help="in one round")
    parser.add_argument("--seconds", type=float, default=15.0, help="after which a round ends anyhow")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    installations = {"here": options.punct, **({"there": options.against} if options.against else {})}
    results = {name: Measurements() for name in installations}
    print(f"server: {GAMES} games in full swing, {CLIENTS} clients on persistent connections")
    for number in range(options.rounds):
        for name, punct in list(installations.items())[:: 1 if number % 2 else -1]:
            games = scripts(GAMES)
            with run_server(punct) as (process, address):
                known = dict(zip(import_games(address, games), games, strict=True))
                asyncio.run(get_games(address, known))
                before, start = processor_seconds(process), time.perf_counter()
                results[name].response_times += asyncio.run(play(address, known, options.turns, options.seconds))
                results[name].elapsed += time.perf_counter() - start
                results[name].processor += processor_seconds(process) - before
    for name, measured in results.items():
        print(f"  {name:6}{measured}")


if __name__ == "__main__":
    main()
