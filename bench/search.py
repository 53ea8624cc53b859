"""Measure the search: nodes per second of processor time on one thread, and its signature.

Run with ``make bench``. The signature sums what fixed-node searches of fixed positions found; a change of the search
that is meant to change nothing must leave it alone, on every machine.
"""

from __future__ import annotations

import time
import zlib

from bench.kernel import SIGNATURE_POSITIONS

from punct._kernel import Searcher

NODES = 2000
ROUNDS = 3


def findings() -> list[str]:
    """Return what searches of the signature's positions found: the best moves, their visits and what is proved."""
    found = []
    for text in SIGNATURE_POSITIONS:
        result = Searcher(16).search(text, nodes=500, variations=5)
        found.append(" ".join(f"{best['move']} {best['visits']} {best['proven']}" for best in result["variations"]))
    return found


def signature() -> int:
    """Return a number for everything the searches played and visited."""
    return zlib.crc32("\n".join(findings()).encode())


def nodes_per_second(text: str) -> float:
    """Return the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        result = Searcher(64).search(text, nodes=NODES)
        best = max(best, result["nodes"] / (time.process_time() - start))
    return best


def main() -> None:
    print("search: nodes per second of processor time, one thread")
    rates = [nodes_per_second(text) for text in SIGNATURE_POSITIONS]
    for text, rate in zip(SIGNATURE_POSITIONS, rates, strict=True):
        print(f"  {len(text.split()) - 2:2} pieces, {text.split()[0]:8}  {rate:8,.0f}")
    print(f"  mean                  {sum(rates) / len(rates):8,.0f}")
    print(f"search signature: {signature()}")


if __name__ == "__main__":
    main()
