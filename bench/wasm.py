"""Measure the page's kernel beside the native one: nodes per second, in one run.

Run with ``make bench``. Both search the same positions for the same nodes, alternately, with the same results; only the
time differs. Node has the same engine as Chromium.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from bench.kernel import SIGNATURE_POSITIONS

from punct._kernel import Searcher
from punct.engine.network import OWN_NETWORK_PATH, own_network

ROOT = Path(__file__).resolve().parents[1]
NODES = 3000
ROUNDS = 3


class Page:
    """The page's kernel in Node, as in the tests."""

    def __init__(self) -> None:
        """Start it."""
        command = [shutil.which("node") or "node", "tests/kernel/page.mjs", "build/wasm/kernel.wasm"]
        self._node = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        assert self._ask("punct_network", [str(OWN_NETWORK_PATH)], []) is True

    def _ask(self, name: str, texts: list[str], numbers: list[int]) -> Any:
        assert self._node.stdin is not None and self._node.stdout is not None
        self._node.stdin.write(json.dumps([name, texts, numbers]) + "\n")
        self._node.stdin.flush()
        return json.loads(self._node.stdout.readline())

    def search(self, text: str) -> tuple[str, float]:
        """Search a position; return the best move and the seconds it took."""
        report = self._ask("punct_search", [text], [NODES, 0, 1, 0, 0])
        return report["variations"][0]["move"], report["microseconds"] / 1e6 / report["nodes"]

    def close(self) -> None:
        """End it."""
        assert self._node.stdin is not None
        self._node.stdin.close()
        self._node.wait()


def native(text: str) -> tuple[str, float]:
    searcher = Searcher(64)
    searcher.set_network(own_network())
    start = time.perf_counter()
    report = searcher.search(text, nodes=NODES)
    return report["move"], (time.perf_counter() - start) / report["nodes"]


def main() -> None:
    print("search: nodes per second, native beside WebAssembly in Node, best of some rounds")
    page = Page()
    page.search(SIGNATURE_POSITIONS[0])  # warms up the compiler
    ratios = []
    for text in SIGNATURE_POSITIONS:
        fast, slow = [], []
        for _ in range(ROUNDS):  # alternately, so that other load affects both
            (move, seconds), (same, longer) = native(text), page.search(text)
            assert move == same, (text, move, same)
            fast.append(seconds)
            slow.append(longer)
        ratios.append(min(fast) / min(slow))
        print(f"  {len(text.split()) - 2:2} pieces  {1 / min(fast):8,.0f}  {1 / min(slow):8,.0f}  {ratios[-1]:.2f}×")
    page.close()
    print(f"  mean of the ratios            {sum(ratios) / len(ratios):.2f}×, the lowest {min(ratios):.2f}×")


if __name__ == "__main__":
    main()
