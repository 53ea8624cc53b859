"""Play the ladder's table: each player against the next stronger one, and our levels against the plain players.

    python bench/measure_ladder.py FOLDER              # keeps a match file per row; run again to go on
    python bench/measure_ladder.py FOLDER --levels --pairs 100 --seed 3     # our levels alone, on other openings

The slow rows are shorter, unless --pairs says how long all are. Prints the rows of docs/engine.md: score, Elo with its
95 % interval, and how often anybody broke down.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Final

from punct.match.player import Entrant, read_entrant
from punct.match.playing import Match, Settings

_LADDER: Final = Path(__file__).with_name("ladder")


def plain(name: str) -> Entrant:
    """Return one of the ladder's plain players."""
    return Entrant(name, (sys.executable, str(_LADDER), name))


def level(number: int) -> Entrant:
    """Return one of our levels."""
    return read_entrant(str(number))


def fixed(nodes: int) -> Entrant:
    """Return full strength at a fixed number of nodes."""
    return read_entrant(f"punct @ nodes={nodes} name={nodes}-nodes")


def rows() -> list[tuple[Entrant, Entrant, int]]:
    """Return who plays whom, the stronger first, and over how many pairs of games."""
    quick, slow = 24, 8
    return [
        (plain("greedy"), plain("random"), quick),
        (plain("guard"), plain("greedy"), quick),
        (level(1), plain("random"), quick),
        *((level(number + 1), level(number), quick if number < 7 else slow) for number in range(1, 8)),
        (level(3), plain("greedy"), quick),
        (level(4), plain("guard"), quick),
        (plain("twoply"), plain("guard"), slow),
        (level(5), plain("twoply"), slow),
        (level(6), plain("twoply"), slow),
        (fixed(1000), plain("twoply"), slow),
        (fixed(4000), fixed(1000), 10),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--only", help="rows in which this name plays")
    parser.add_argument("--levels", action="store_true", help="only rows in which two of our levels meet")
    parser.add_argument("--seed", type=int, default=0, help="other openings, and other dice")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    print("| stronger | weaker | won | drawn | lost | Elo (95 %) | faults |\n|---|---|---|---|---|---|---|")
    for first, second, pairs in rows():
        if given.only and given.only not in (first.name, second.name):
            continue
        if given.levels and not all(one.name.startswith("level") for one in (first, second)):
            continue
        settings = Settings(
            (first, second), given.pairs or pairs, seed=given.seed, concurrency=given.concurrency, max_plies=200
        )
        path = given.folder / f"{first.name}-{second.name}.jsonl".replace(" ", "")
        match = Match(settings, path)
        asyncio.run(match.run())
        score = match.score
        faults = sum(score.faults[0].values()) + sum(score.faults[1].values())
        print(
            f"| {first.name} | {second.name} | {score.wins} | {score.draws} | {score.losses} | {score.estimate} "
            f"| {faults} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
