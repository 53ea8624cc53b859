"""Parts of the tree that Python does not reach: sums over very many visits, and concurrent blunder checks."""

from __future__ import annotations

import os

import pytest
from tests.engine.conftest import Probe

from punct.engine.limits import MAX_NODES

pytestmark = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="the compiler would run under the sanitizer"
)

BLUNDER = "standard w wCc3ne wCe5se wMe7ne bCh3n bCi6ne wEi12sw bEk13nw wRk16ne bMl9sw wMl15sw bMm12sw bEm16s"
"""The first best move loses to threats in five plies."""


@pytest.mark.parametrize("value", [0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
def test_the_mean_stays_exact(probe: Probe, value: float) -> None:
    """A sum in floats would absorb less and less of each value: after a million visits the mean would be wrong."""
    counts = (1, 1000, 1 << 14, (1 << 14) + 1, 1 << 20, (1 << 25) + 1)
    answers = [line.split() for line in probe("".join(f"mean {count} {value}\n" for count in counts))]
    assert [int(visits) for visits, _ in answers] == list(counts)
    assert [float(mean) for _, mean in answers] == pytest.approx([value] * len(counts), abs=5e-4)


def test_the_search_ends_before_its_counters_do(probe: Probe) -> None:
    alone, together = (int(line) for line in probe("bound 500 1 standard w\nbound 500 4 standard w\n"))
    assert alone == 500
    assert 500 <= together < 504
    assert MAX_NODES + 2 * 256 < 2**32  # pending visits are counted with the others


def test_a_blunder_check_applies_to_the_move_it_began_with(probe: Probe) -> None:
    """Other threads make visits meanwhile, and another move may be the best when it ends."""
    at_once, later = (line.split() for line in probe(f"check 30 0 {BLUNDER}\ncheck 30 300 {BLUNDER}\n"))
    for checked, plies, before, after in (at_once, later):
        assert (checked, plies) == ("Li14sw", "5")
        assert after != checked
        assert (before == checked) is (before != after)
    assert at_once[2] == "Li14sw"
    assert later[2] != "Li14sw"
