"""The kernel and the library play the same games: 100,000 moves and more, jumps and bridges over-sampled."""

from __future__ import annotations

import os

import pytest
from tests.kernel import lockstep

from punct import Rules

PLIES = int(os.environ.get("PUNCT_LOCKSTEP_TURNS", "100000"))
"""In all; the soak plays more, the sanitizer run fewer."""
PARTS = 20
"""So that they can be spread over the machine's cores."""


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_in_lockstep(part: int) -> None:
    rules = (Rules.STANDARD, Rules.BASIC)[part % 2]
    plies = -(-PLIES // PARTS)
    tally = lockstep.Tally()
    lockstep.play(rules, seed=part * 1_000_000_007, plies=plies, tally=tally)
    assert tally.plies == plies
    # The games did contain what is over-sampled.
    assert tally.jumps > plies // 10
    assert tally.bridges > plies // 50
    assert tally.highest >= (4 if plies > 2000 else 2)
