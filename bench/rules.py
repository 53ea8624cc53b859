"""Measure the rules in plain Python: turns listed, played and judged per second over middle-game positions.

Run with ``python bench/rules.py``. Time is the processor's, and each figure the best of several rounds:
what else runs on the machine can only slow it.
"""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

from punct import Move, Position
from punct.perft import perft

Sample = tuple[Position, list[Move]]
"""A position and some of its legal turns."""

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 5
MIDDLE_GAME = range(8, 29)
"""How many pieces lie on the board."""


def middle_game_positions() -> list[Position]:
    shared = ROOT.parent / "shared" / "vectors" / "positions.jsonl.gz"
    source = shared if shared.exists() else ROOT / "tests" / "vectors" / "positions.jsonl.gz"
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        positions = [Position(json.loads(line)["position"]) for line in lines]
    return [position for position in positions if len(position.pieces) in MIDDLE_GAME]


def list_turns(positions: list[Position]) -> int:
    return sum(len(list(position.legal_moves)) for position in positions)


def count_turns(positions: list[Position]) -> int:
    return sum(len(position.legal_moves) for position in positions)


def play_turns(samples: list[Sample]) -> int:
    for position, moves in samples:
        for move in moves:
            position.push(move)
            position.outcome()
            position.pop()
    return sum(len(moves) for _, moves in samples)


def explain_turns(samples: list[Sample]) -> int:
    for position, moves in samples:
        for move in moves:
            position.explain(move)
    return sum(len(moves) for _, moves in samples)


def read_positions(positions: list[Position]) -> int:
    for position in positions:
        Position(str(position))
    return len(positions)


def count_two_turns_ahead(positions: list[Position]) -> int:
    return sum(perft(position, 2) for position in positions[:3])


def measure(what: str, unit: str, work: Callable[[], int]) -> None:
    rates = []
    for _ in range(ROUNDS):
        start = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - start))
    print(f"{what:<34}{max(rates):>14,.0f} {unit}/s")


def main() -> None:
    positions = middle_game_positions()
    samples = [(position, list(position.legal_moves)[::40]) for position in positions]
    pieces = [len(position.pieces) for position in positions]
    each = count_turns(positions) // len(positions)
    print(f"{len(positions)} positions with {min(pieces)} to {max(pieces)} pieces and {each} legal turns on average")
    measure("legal turns listed", "turns", lambda: list_turns(positions))
    measure("legal turns counted", "turns", lambda: count_turns(positions))
    measure("push, outcome, pop", "turns", lambda: play_turns(samples))
    measure("explain", "turns", lambda: explain_turns(samples))
    measure("position written and read", "positions", lambda: read_positions(positions))
    measure("perft 2", "leaves", lambda: count_two_turns_ahead(positions))


if __name__ == "__main__":
    main()
