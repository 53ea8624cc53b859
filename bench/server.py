"""Measure the server: what a turn costs it, how many it takes a second, and how long players wait.

``python -m bench.server`` starts a real ``punct serve`` on this machine, gives it 1,000 games in full swing, has each
looked at once as a page does that shows it, and lets 16 clients play on in all of them over connections they keep, as
browsers do. It ends after so many turns or seconds.

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
POSTERS = 16
LONGEST = 60
MOST_PER_RECORD = 50
JSON = {"Content-Type": "application/json"}
COMPRESSED = {"Accept-Encoding": "gzip"}


@dataclass
class Played:
    """What was measured, over all rounds."""

    waits: list[float] = field(default_factory=list)
    seconds: float = 0.0
    processor: float = 0.0

    def __str__(self) -> str:
        waits = sorted(self.waits)
        turns = len(waits)
        if not turns:
            return "no turn was played"
        return (
            f"{1000 * self.processor / turns:6.2f} ms of processor time a turn, {turns / self.seconds:5.0f} turns/s "
            f"({turns / self.processor:5.0f} a second of one core); p50 {1000 * waits[turns // 2]:4.0f} ms, "
            f"p99 {1000 * waits[turns * 99 // 100]:4.0f} ms, at most {1000 * waits[-1]:4.0f} ms; {turns} turns"
        )


def scripts(count: int) -> list[tuple[int, list[str]]]:
    """Return games to play: how many of their turns are played already, and all their turns."""
    dice = random.Random(7)
    found: list[tuple[int, list[str]]] = []
    while len(found) < count:
        turns = [
            str(turn) for turn in kernel.Position().play_random(dice.randrange(1 << 60), LONGEST, raised=20, moved=50)
        ]
        if len(turns) >= LONGEST // 2:
            found.append((dice.randrange(len(turns) * 2 // 3), turns))
    return found


@contextmanager
def serving(punct: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
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


def take_in(address: str, games: list[tuple[int, list[str]]]) -> list[str]:
    """Have the server take in games; return their ids."""
    ids = []
    for first in range(0, len(games), MOST_PER_RECORD):
        text = "".join(f"{' '.join(turns[:ply])} *\n\n" for ply, turns in games[first : first + MOST_PER_RECORD])
        body = json.dumps({"text": text, "format": "text"}).encode()
        with urlopen(Request(f"{address}/api/v1/records", body, JSON), timeout=300) as answer:
            ids += [game["id"] for game in json.load(answer)["games"]]
    return ids


def processor_seconds(process: subprocess.Popen[str]) -> float:
    """Return how much processor time a process has used so far, all its threads together."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def look(address: str, games: Iterable[str]) -> None:
    """Look at all games once."""
    client = Client(address.partition("//")[2])
    for game in games:
        answer = await client.ask("GET", f"/api/v1/games/{game}", headers=COMPRESSED)
        assert answer.status == 200, answer
    await client.close()


async def play(address: str, games: dict[str, tuple[int, list[str]]], turns: int, seconds: float) -> list[float]:
    """Play on in all games, each client in its share of them; return how long each turn took to be answered."""
    client = Client(address.partition("//")[2], POSTERS)
    waits: list[float] = []
    end = time.perf_counter() + seconds

    async def play_share(number: int) -> None:
        dice = random.Random(number)
        mine = [game for game in list(games)[number::POSTERS] if games[game][0] < len(games[game][1])]
        while mine and len(waits) < turns and time.perf_counter() < end:
            game = dice.choice(mine)
            ply, script = games[game]
            start = time.perf_counter()
            turn = {"text": script[ply], "ply": ply}
            answer = await client.ask("POST", f"/api/v1/games/{game}/turns", turn, COMPRESSED)
            waits.append(time.perf_counter() - start)
            assert answer.status == 200, answer
            games[game] = (ply + 1, script)
            if ply + 1 == len(script):
                mine.remove(game)

    await asyncio.gather(*(play_share(number) for number in range(POSTERS)))
    await client.close()
    return waits


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--punct", type=Path, default=Path(sys.executable).with_name("punct"), help="what is measured")
    options.add_argument("--against", type=Path, help="another installation's punct")
    options.add_argument("--turns", type=int, default=2000, help="in one round")
    options.add_argument("--seconds", type=float, default=15.0, help="after which a round ends anyhow")
    options.add_argument("--rounds", type=int, default=2)
    chosen = options.parse_args()
    measured = {"here": chosen.punct, **({"there": chosen.against} if chosen.against else {})}
    results = {name: Played() for name in measured}
    print(f"server: {GAMES} games in full swing, {POSTERS} clients on connections they keep")
    for number in range(chosen.rounds):
        for name, punct in list(measured.items())[:: 1 if number % 2 else -1]:
            games = scripts(GAMES)
            with serving(punct) as (process, address):
                known = dict(zip(take_in(address, games), games, strict=True))
                asyncio.run(look(address, known))
                before, start = processor_seconds(process), time.perf_counter()
                results[name].waits += asyncio.run(play(address, known, chosen.turns, chosen.seconds))
                results[name].seconds += time.perf_counter() - start
                results[name].processor += processor_seconds(process) - before
    for name, found in results.items():
        print(f"  {name:6}{found}")


if __name__ == "__main__":
    main()
