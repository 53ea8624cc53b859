"""The kernel and the library play the same games: 100,000 turns and more, jumps and bridges over-sampled."""

from __future__ import annotations

import os

import pytest
from tests.kernel import lockstep

from punct import Rules

TURNS = int(os.environ.get("PUNCT_LOCKSTEP_TURNS", "100000"))
"""In all; the soak plays more, the sanitizer run fewer."""
PARTS = 20
"""So that they can be spread over the machine's cores."""


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_in_lockstep(part: int) -> None:
    rules = (Rules.STANDARD, Rules.BASIC)[part % 2]
    turns = -(-TURNS // PARTS)
    tally = lockstep.Tally()
    lockstep.play(rules, seed=part * 1_000_000_007, turns=turns, tally=tally)
    assert tally.turns == turns
    # What was over-sampled was really met.
    assert tally.jumps > turns // 10
    assert tally.bridges > turns // 50
    assert tally.highest >= (4 if turns > 2000 else 2)
