"""Measure the search: nodes per second of processor time on one thread, and its signature.

Run with ``make bench``. The signature is a checksum of the results of fixed-node searches of fixed positions, without a
network; a refactoring of the search must not change it, on any machine. There is another one with the engine's own
network.
"""

from __future__ import annotations

import time
import zlib

from bench.kernel import SIGNATURE_POSITIONS

from punct._kernel import Network, Searcher
from punct.engine.network import own_network

NODES = 2000
ROUNDS = 3


def searcher(megabytes: int, network: Network | None) -> Searcher:
    """Return a search, with a network or without."""
    search = Searcher(megabytes)
    search.set_network(network)
    return search


def findings(network: Network | None = None) -> list[str]:
    """Return the results of searching the signature's positions: the best moves, their visits and proofs."""
    lines = []
    for text in SIGNATURE_POSITIONS:
        result = searcher(16, network).search(text, nodes=500, variations=5)
        lines.append(" ".join(f"{best['move']} {best['visits']} {best['proven']}" for best in result["variations"]))
    return lines


def signature(network: Network | None = None) -> int:
    """Return a checksum of these results."""
    return zlib.crc32("\n".join(findings(network)).encode())


def nodes_per_second(text: str, network: Network | None) -> float:
    """Return the best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        result = searcher(64, network).search(text, nodes=NODES)
        best = max(best, result["nodes"] / (time.process_time() - start))
    return best


def main() -> None:
    print("search: nodes per second of processor time, one thread; without a network, with it, and their ratio")
    sums = [0.0, 0.0]
    for text in SIGNATURE_POSITIONS:
        plain, learned = (nodes_per_second(text, network) for network in (None, own_network()))
        sums = [sums[0] + plain, sums[1] + learned]
        print(
            f"  {len(text.split()) - 2:2} pieces, {text.split()[0]:8}  {plain:8,.0f}  {learned:8,.0f}  "
            f"{learned / plain:.2f}"
        )
    plain, learned = (total / len(SIGNATURE_POSITIONS) for total in sums)
    print(f"  mean                  {plain:8,.0f}  {learned:8,.0f}  {learned / plain:.2f}")
    print(f"search signature: {signature()}; with the network {signature(own_network())}")


if __name__ == "__main__":
    main()
