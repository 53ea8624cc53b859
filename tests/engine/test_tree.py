"""The tree where Python does not reach: sums of more visits than a test could make, and what comes between."""

from __future__ import annotations

import os

import pytest
from tests.engine.conftest import Probe

from punct.engine.limits import MOST_NODES

pytestmark = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="a compiler is run, which is not to be checked"
)

DOUBTFUL = "standard w wCc3ne wCe5se wMe7ne bCh3n bCi6ne wEi12sw bEk13nw wRk16ne bMl9sw wMl15sw bMm12sw bEm16s"
"""The move that looks best at first loses to threats in five plies."""


@pytest.mark.parametrize("value", [0.0, 0.1, 0.4, 0.5, 0.9, 1.0])
def test_a_mean_does_not_sink(probe: Probe, value: float) -> None:
    """A sum kept in floats takes in less and less of each value: of a million visits, all that is left is a guess."""
    counts = (1, 1000, 1 << 14, (1 << 14) + 1, 1 << 20, (1 << 25) + 1)
    found = [line.split() for line in probe("".join(f"mean {count} {value}\n" for count in counts))]
    assert [int(visits) for visits, _ in found] == list(counts)
    assert [float(mean) for _, mean in found] == pytest.approx([value] * len(counts), abs=5e-4)


def test_the_search_ends_before_its_counters_do(probe: Probe) -> None:
    alone, together = (int(line) for line in probe("bound 500 1 standard w\nbound 500 4 standard w\n"))
    assert alone == 500
    assert 500 <= together < 504
    assert MOST_NODES + 2 * 256 < 2**32  # the threads on their way are counted with the visits


def test_what_vetting_found_is_of_the_move_that_was_vetted(probe: Probe) -> None:
    """Others visit meanwhile, and another move may be the best when it is known."""
    at_once, later = (line.split() for line in probe(f"vet 30 0 {DOUBTFUL}\nvet 30 300 {DOUBTFUL}\n"))
    for vetted, plies, before, since in (at_once, later):
        assert (vetted, plies) == ("Li14sw", "5")
        assert since != vetted
        assert (before == vetted) is (before != since)
    assert at_once[2] == "Li14sw"
    assert later[2] != "Li14sw"
