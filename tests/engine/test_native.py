"""The native build, with every instruction of this machine, gives the same results.

A compiler once vectorised a loop of the distances wrongly, and only with AVX2.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.kernel import SIGNATURE_POSITIONS
from bench.search import findings
from tests.engine.conftest import Probe

from punct import Position, kernel


def has_avx2() -> bool:
    cpus = Path("/proc/cpuinfo")
    return not cpus.exists() or "avx2" in cpus.read_text()


pytestmark = pytest.mark.skipif(not has_avx2(), reason="this processor has no AVX2: the native build is the usual one")


def test_the_native_search_finds_the_same(probe: Probe) -> None:
    requests = "".join(f"search 500 1 {text}\n" for text in SIGNATURE_POSITIONS)
    assert [line.strip() for line in probe(requests)] == findings()


def test_the_native_rules_are_in_lockstep(probe: Probe) -> None:
    """Along two games with jumps and bridges: the moves of the native kernel are the library's."""
    texts = []
    for seed, start in enumerate(("standard w", "basic w")):
        position = kernel.Position(start)
        for _ in range(6):
            texts.append(str(position))
            position.play_random(seed, 8, raised=40, bridge=50, moved=20)
    positions = [Position(text) for text in texts]
    answers = probe("".join(f"moves {text}\n" for text in texts))
    assert len(answers) == len(positions)
    for before, answer in zip(positions, answers, strict=True):
        assert sorted(answer.split()) == sorted(map(str, before.legal_moves)), before
    assert sum(before.outcome() is None for before in positions) >= 8


def test_the_native_kernel_counts_the_same(probe: Probe) -> None:
    text = SIGNATURE_POSITIONS[2]
    assert probe(f"perft 2 {text}\n") == [str(kernel.Position(text).perft(2))]
