"""Measure the opening explorer: how fast archives are taken in, how many bytes a game takes, how long a question does.

Run with ``python -m bench.explorer``; ``--games 1000000`` takes ten minutes and 0.4 GB, ``--database-url`` asks
PostgreSQL. Games are made up, and share their openings as people's do: each of the first turns is one of a position's
favourites, of which the first is far the likeliest. All but the last are counted without being written and read; the
last are read as text records, as ``punct explorer import`` reads them, and it is with these that the rate is measured:
when the database is as large as it gets. Making games up is not counted.
"""

from __future__ import annotations

import argparse
import io
import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from punct import kernel, records
from punct.server.play.archives import Archives
from punct.server.play.book import Book
from punct.server.play.explorer import Explorer
from punct.server.play.openings import PLIES
from punct.server.store import ExploredStore, GameStore, open_database

READ = 50_000
FAVOURITES = 8
"""So many turns of a game are taken from a position's favourites."""
TURNS = 44
QUESTIONS = 300
RESULTS = ("1-0", "0-1", "1-0", "0-1", "1/2-1/2")
ENDINGS = {"1-0": "resignation", "0-1": "resignation", "1/2-1/2": "agreed draw"}


def beginning(number: int) -> kernel.Position:
    """Return a position after the turns of a game that are counted."""
    dice = random.Random(number)
    position = kernel.Position()
    for ply in range(FAVOURITES):
        favourite = min(int(dice.paretovariate(0.8)), 400)
        position.play_random(1000 * ply + favourite, 1)
    position.play_random(number, PLIES - FAVOURITES)
    return position


def made_up(number: int) -> str:
    """Return a game as a text record."""
    dice = random.Random(-number)
    position = beginning(number)
    position.play_random(number, TURNS - PLIES)
    if position.outcome() is not None:
        position.pop()
    result = dice.choice(RESULTS)
    tags = {
        "White": f"Player {dice.randrange(5000)}",
        "Black": f"Player {dice.randrange(5000)}",
        "Date": f"{dice.randrange(2005, 2027)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}",
        "WhiteRating": str(dice.randrange(800, 2400)),
        "Result": result,
        "Termination": ENDINGS[result],
    }
    written = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    return f"{written}\n{' '.join(map(str, position.moves))} {result}\n\n"


def fill(archives: Archives, games: int) -> None:
    """Count so many games that nobody reads."""
    for number in range(games):
        dice = random.Random(-number)
        moves = " ".join(map(str, beginning(number).moves))
        archives.take(number, "standard w", moves, dice.choice(RESULTS), dice.randrange(800, 2400), number % 8000 + 1)
        if number % 100_000 == 99_999:
            print(f"{number + 1:9,} games are there", flush=True)
    archives.finish()


def read(archives: Archives, games: range) -> tuple[float, float]:
    """Take in games from a record; return the seconds, and the processor's, that this took."""
    text = "".join(map(made_up, games))
    began, began_cpu = time.perf_counter(), time.process_time()
    for game in records.iter_games(io.StringIO(text), "text"):
        archives.add(game)
    archives.finish()
    return time.perf_counter() - began, time.process_time() - began_cpu


def questions() -> list[str]:
    """Return positions to ask about: the start, what often comes after it, and what was met once or never."""
    found = []
    for number in range(QUESTIONS):
        position = kernel.Position()
        for ply in range(number % 10):
            favourite = min(int(random.Random(number * 100 + ply).paretovariate(0.8)), 400)
            position.play_random(1000 * ply + favourite, 1)
        found.append(str(position))
    return found


def ask(explorer: Explorer) -> list[float]:
    """Return how many milliseconds each question takes, the first time it is asked."""
    took = []
    for position in questions():
        explorer.forget()
        began = time.perf_counter()
        explorer.look(position)
        took.append(1000 * (time.perf_counter() - began))
    return took


def size_of(where: Path | str) -> int:
    """Return the bytes that a SQLite database takes; 0 of another."""
    return sum(file.stat().st_size for file in where.glob("punct.sqlite3*")) if isinstance(where, Path) else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--database-url")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="punct-explorer-"))
    where: Path | str = asked.database_url or folder
    games = GameStore(open_database(where))
    try:
        empty = size_of(where)
        archives = Archives(ExploredStore(games.database))
        last = min(READ, asked.games)
        fill(archives, asked.games - last)
        wall, cpu = read(archives, range(asked.games - last, asked.games))
        rate = f"{last / wall:7,.0f} games/s, {last / cpu:7,.0f} in a second of the processor"
        print(f"{asked.games:9,} games, the last {last:,} of them read: {rate}", flush=True)
        if isinstance(where, Path):
            games.close()
            print(f"{(size_of(where) - empty) / asked.games:.0f} bytes a game, {size_of(where) / 1e6:,.0f} MB")
            games = GameStore(open_database(where))
        took = ask(Explorer(games, {}, book=lambda: Book(())))
        middle, rare = statistics.median(took), sorted(took)[int(0.99 * len(took))]
        print(f"a question: {middle:.2f} ms, one in a hundred {rare:.2f} ms, the longest {max(took):.2f} ms")
        print({source.name.lower(): size for source, size in ExploredStore(games.database).sizes().items()})
    finally:
        games.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
