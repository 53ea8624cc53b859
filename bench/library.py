"""Measure what programs ask of the library, in microseconds a call, and how long the plain commands take in all.

Run with ``python -m bench.library``, and with ``--before PATH`` beside the checkout at PATH, in its own ``.venv``: both
are asked the same, in one run, and what the other cannot do is done there by hand where there was a way. Time is the
processor's, and each figure the best of several rounds: what else runs on the machine can only slow it. Commands are
timed by the clock on the wall, as whoever waits for them would, one checkout and the other by turns.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import punct
from punct import kernel, records
from punct.symmetry import SYMMETRIES

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 5
POSITIONS = 60
GAMES = 200
STARTS = 31
"""So often is each command started."""
RECORD = "game.punct"
COMMANDS = (
    "legal --count",
    "explain Ed5ne",
    "show standard b wEd5ne",
    f"check {RECORD}",
    f"convert {RECORD} - --to sgf",
    "perft --depth 1",
)
"""The plain ones: for each, starting takes longer than what it does."""
RNG = random.Random(1)
HAS_CONTRACT = hasattr(punct, "PositionLike")
"""Whether this checkout has what came with one contract for both positions."""
WHITE = punct.Colour.WHITE


def texts() -> list[str]:
    """Return middle-game positions with stacks, always the same ones."""
    found = []
    for seed in range(POSITIONS):
        position = kernel.Position(f"{('basic', 'standard')[seed % 2]} w")
        position.play_random(seed, 20 + seed % 20, raised=25, bridge=30, moved=20)
        found.append(str(position))
    return found


def best(work: Callable[[], int]) -> float:
    """Return the least microseconds a unit of work took."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        units = work()
        least = min(least, (time.process_time() - start) / units)
    return least * 1e6


def each(items: list[Any], work: Callable[[Any], object]) -> Callable[[], int]:
    """Return the work done once for each item."""

    def all_of_them() -> int:
        for item in items:
            work(item)
        return len(items)

    return all_of_them


def canonical(position: Any) -> object:
    """Return the canonical text, by hand where there is no other way."""
    if HAS_CONTRACT:
        return position.canonical()
    if isinstance(position, kernel.Position):
        return min(str(position.transformed(number)) for number in range(12))
    return min(str(symmetry.position(position)) for symmetry in SYMMETRIES)


def chosen(position: Any) -> object:
    """Return a random legal turn."""
    return position.legal_moves.choice(RNG) if HAS_CONTRACT else RNG.choice(list(position.legal_moves))


def distance(position: Any) -> object:
    """Return White's three distances."""
    if HAS_CONTRACT:
        return position.distance(WHITE)
    return [position.distances(WHITE, pair).shortest for pair in range(3)]


def played(seed: int) -> punct.Game:
    """Return a game of about fifty turns as archives have them."""
    game = punct.Game(tags={"White": f"Player {seed}", "Black": "Ben", "Event": "bench", "Date": "2026-01-01"})
    for move in kernel.Position().play_random(seed, 40 + seed % 20, raised=20, bridge=20, moved=25):
        game.push(move)
    return game


def varied(seed: int) -> punct.Game:
    """Return such a game as somebody has gone through it: with some variations and remarks."""
    game = played(seed)
    rng = random.Random(seed)
    for node in rng.sample(game.main_line(), 4):
        game.go_to(node)
        game.comment = "what else was there?"
        assert node.parent is not None
        game.go_to(node.parent)
        for move in kernel.Position(str(game.position)).play_random(seed, 3, moved=25):
            game.push(move)
    game.go_to_end()
    return game


def read_all(text: str) -> Callable[[], int]:
    """Return the work of reading a record's games, which is so many units as there are games."""
    return lambda: len(records.loads(text))


def push_and_pop(position: Any) -> None:
    """Play the first legal turn and take it back."""
    position.push(next(iter(position.legal_moves)))
    position.pop()


def measure() -> dict[str, float]:
    """Return, by what was asked, the microseconds it took. Any names a checkout lacks are done the old way."""
    written = texts()
    slow = [punct.Position(text) for text in written]
    fast: list[Any] = [kernel.Position(text) for text in written]
    game = punct.Game()
    for move in kernel.Position().play_random(1, 40, moved=20):
        game.push(move)
    batch: Any = kernel.Batch(written)
    archive = [played(seed) for seed in range(GAMES)]
    text, sgf = records.dumps(archive), records.dumps(archive, "sgf")
    studied = [varied(seed) for seed in range(GAMES // 4)]
    asked: dict[str, Callable[[], int]] = {
        "records: a game read from text": read_all(text),
        "records: a game read from SGF": read_all(sgf),
        "records: one with variations, text": read_all(records.dumps(studied)),
        "records: one with variations, SGF": read_all(records.dumps(studied, "sgf")),
        "Position(text)": each(written, punct.Position),
        "kernel.Position(text)": each(written, kernel.Position),
        "str(position)": each(slow, str),
        "position.key": each(slow, lambda position: position.key),
        "position.copy()": each(slow, lambda position: position.copy()),
        "push and pop": each(slow, push_and_pop),
        "game.position": each([game] * 2000, lambda game: game.position),
        "game.position after a step": each([game] * 500, lambda game: (game.back(), game.forward(), game.position)),
        "kernel: push and pop": each(fast, push_and_pop),
        "canonical": each(slow[:20], canonical),
        "kernel: canonical": each(fast, canonical),
        "a random legal turn": each(slow[:20], chosen),
        "kernel: a random legal turn": each(fast, chosen),
        "kernel: distances of one colour": each(fast, distance),
    }
    if hasattr(records, "read_tags"):
        asked["records: a game's tags read from text"] = lambda: sum(1 for _ in records.read_tags(text))
        asked["records: a game's tags read from SGF"] = lambda: sum(1 for _ in records.read_tags(sgf))
    if HAS_CONTRACT:
        asked["kernel: pieces"] = each(fast, lambda position: kernel.Position.of(position.track).pieces)
        asked["kernel: shown"] = each(fast, lambda position: kernel.Position.of(position.track).shown(WHITE))
        asked["kernel: evaluate"] = each(fast, lambda position: position.evaluate())
        asked["kernel: score_moves(8)"] = each(fast, lambda position: position.score_moves(8))

        def over_the_batch(work: Callable[[], object]) -> Callable[[], int]:
            return lambda: (work(), len(batch))[1]

        asked["batch: distances, a position"] = over_the_batch(lambda: batch.distances())
        asked["batch: evaluate, a position"] = over_the_batch(lambda: batch.evaluate())
        asked["batch: score_moves(8), a position"] = over_the_batch(lambda: batch.score_moves(8))
        asked["batch: sample, a position"] = over_the_batch(lambda: batch.sample(RNG))
    return {name: best(work) for name, work in asked.items()}


def measure_starts(pythons: list[Path]) -> list[dict[str, float]]:
    """Return, for each of these interpreters and by command, the median of the milliseconds it took."""
    # Each would compile all it loads anew where the environment forbids to keep that.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    medians: list[dict[str, float]] = [{} for _ in pythons]
    with tempfile.TemporaryDirectory() as folder:
        records.dump(played(1), Path(folder) / RECORD)
        for command in COMMANDS:
            times: list[list[float]] = [[] for _ in pythons]
            for _ in range(STARTS + 1):
                for python, taken in zip(pythons, times, strict=True):
                    words = [str(python), "-c", "from punct.cli import main; main()", *command.split()]
                    begun = time.perf_counter()
                    subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
                    taken.append(1000 * (time.perf_counter() - begun))
            for found, taken in zip(medians, times, strict=True):
                found[f"punct {command}"] = statistics.median(taken[1:])  # the first may have had to compile
    return medians


def python_of(checkout: Path) -> Path:
    """Return the interpreter in which a checkout is installed."""
    return checkout.absolute() / ".venv" / "bin" / "python"


def measured_by(checkout: Path) -> dict[str, float]:
    """Return the figures of another checkout, asked by this very file."""
    command: list[str | Path] = [python_of(checkout), Path(__file__).resolve(), "--json"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def show(title: str, now: dict[str, float], before: dict[str, float]) -> None:
    """Print a table."""
    print(f"{title:40} {'before':>9} {'now':>9}")
    for name, figure in now.items():
        old = before.get(name)
        told = f"{old:9.1f} {figure:9.1f}  {old / figure:6.1f}×" if old else f"{'':9} {figure:9.1f}"
        print(f"{name:40} {told}")


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--before", type=Path, help="a checkout to compare with, installed in its own .venv")
    parser.add_argument("--json", action="store_true", help="print the figures for another program")
    options = parser.parse_args()
    if options.json:
        json.dump(measure(), sys.stdout)
        return
    before = measured_by(options.before) if options.before else {}
    show("microseconds a call", measure(), before)
    now, *others = measure_starts([Path(sys.executable), *([python_of(options.before)] if options.before else [])])
    print()
    show(f"milliseconds, median of {STARTS}", now, others[0] if others else {})


if __name__ == "__main__":
    main()
