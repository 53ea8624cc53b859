"""Measure the opening explorer: games imported per second, bytes per game, and the time of a query.

Run with ``python -m bench.explorer``; ``--games 1000000`` takes ten minutes and 0.4 GB, ``--database-url`` asks
PostgreSQL. Games are made up, and share their openings as people's do: each of the first moves is one of a position's
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
from punct.server.db.database import open_database
from punct.server.games.store import GameStore
from punct.server.openings.archives import ArchiveImporter
from punct.server.openings.book import Book
from punct.server.openings.model import MAX_PLIES
from punct.server.openings.service import Explorer
from punct.server.openings.store import OpeningStore

READ = 50_000
FAVOURITES = 8
"""How many moves of a game are among a position's favourites."""
MOVES = 44
QUERIES = 300
RESULTS = ("1-0", "0-1", "1-0", "0-1", "1/2-1/2")
ENDINGS = {"1-0": "resignation", "0-1": "resignation", "1/2-1/2": "agreed draw"}


def beginning(number: int) -> kernel.Position:
    """Return a position after the moves of a game that are counted."""
    dice = random.Random(number)
    position = kernel.Position()
    for ply in range(FAVOURITES):
        favourite = min(int(dice.paretovariate(0.8)), 400)
        position.play_random(1000 * ply + favourite, 1)
    position.play_random(number, MAX_PLIES - FAVOURITES)
    return position


def made_up(number: int) -> str:
    """Return a game as a text record."""
    dice = random.Random(-number)
    position = beginning(number)
    position.play_random(number, MOVES - MAX_PLIES)
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


def fill(archives: ArchiveImporter, games: int) -> None:
    """Import so many games without reading records."""
    for number in range(games):
        dice = random.Random(-number)
        moves = " ".join(map(str, beginning(number).moves))
        archives.add_moves(
            number, "standard w", moves, dice.choice(RESULTS), dice.randrange(800, 2400), number % 8000 + 1
        )
        if number % 100_000 == 99_999:
            print(f"{number + 1:9,} games are there", flush=True)
    archives.finish()


def read(archives: ArchiveImporter, games: range) -> tuple[float, float]:
    """Import games from a record; return the seconds this took, and the processor's."""
    text = "".join(map(made_up, games))
    began, began_cpu = time.perf_counter(), time.process_time()
    for game in records.iter_games(io.StringIO(text), "text"):
        archives.add(game)
    archives.finish()
    return time.perf_counter() - began, time.process_time() - began_cpu


def queries() -> list[str]:
    """Return positions to look up: the start, frequent ones after it, and some that were reached once or never."""
    positions = []
    for number in range(QUERIES):
        position = kernel.Position()
        for ply in range(number % 10):
            favourite = min(int(random.Random(number * 100 + ply).paretovariate(0.8)), 400)
            position.play_random(1000 * ply + favourite, 1)
        positions.append(str(position))
    return positions


def measure(explorer: Explorer) -> list[float]:
    """Return how many milliseconds each query takes without the cache."""
    took = []
    for position in queries():
        explorer.clear_cache()
        began = time.perf_counter()
        explorer.explore(position)
        took.append(1000 * (time.perf_counter() - began))
    return took


def size_of(where: Path | str) -> int:
    """Return the size of a SQLite database in bytes; 0 for PostgreSQL."""
    return sum(file.stat().st_size for file in where.glob("punct.sqlite3*")) if isinstance(where, Path) else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--database-url")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="punct-explorer-"))
    where: Path | str = options.database_url or folder
    games = GameStore(open_database(where))
    try:
        empty = size_of(where)
        archives = ArchiveImporter(OpeningStore(games.database))
        last = min(READ, options.games)
        fill(archives, options.games - last)
        wall, cpu = read(archives, range(options.games - last, options.games))
        rate = f"{last / wall:7,.0f} games/s, {last / cpu:7,.0f} in a second of the processor"
        print(f"{options.games:9,} games, the last {last:,} of them read: {rate}", flush=True)
        if isinstance(where, Path):
            games.close()
            print(f"{(size_of(where) - empty) / options.games:.0f} bytes a game, {size_of(where) / 1e6:,.0f} MB")
            games = GameStore(open_database(where))
        took = measure(Explorer(OpeningStore(games.database), book=lambda: Book(())))
        middle, rare = statistics.median(took), sorted(took)[int(0.99 * len(took))]
        print(f"a query: {middle:.2f} ms, one in a hundred {rare:.2f} ms, the longest {max(took):.2f} ms")
        print({source.name.lower(): size for source, size in OpeningStore(games.database).sizes().items()})
    finally:
        games.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
