"""Actions drawn at random: always legal, and every legal one as likely as the others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import random_play

from punct import Position, _kernel, kernel

DRAWN_FROM = {
    "the start": "standard w",
    "few moves, high stacks": "standard b wTa3ne bTb5sw bTb6n wRc10se bMd3n wTd7n bTf7s wEh3se wMi10sw bLi15s wMk12nw "
    "wLl16sw bRm14n wCn13n bEo15s bRo17s bEp16s bTb5s bLd4s wRd9s bEe6n wLi10ne wTk14nw bMm14se wTn13ne bTo15nw "
    "bEp14n wTn13n bTo16se bCo15n",
    "bridges, C pieces free": "basic w wRb3ne bLd1n wLe4n bTf2s wTg1ne wMg5n bMh13ne bRj7nw bEj11nw wTj13s wTk8n "
    "bEk10nw wTk11n bTl7nw bTn9sw wEn11nw wTo9se bTq16sw wMd5se wCg1se wRg5sw bLi10n bRj11ne wTj13s wEk9sw bMk10nw "
    "bEm9se wLm11sw wEg5nw bTi10ne wEk9sw bEk12s bTl11se bCl11se",
}
DRAWS = 200  # of each action on average


@pytest.mark.parametrize("attempts", [_kernel.MAX_DRAW_ATTEMPTS, 2, 0], ids=lambda attempts: f"{attempts} attempts")
@pytest.mark.parametrize("text", DRAWN_FROM.values(), ids=DRAWN_FROM)
def test_every_legal_action_is_as_likely(text: str, attempts: int) -> None:
    """By chi-square against the full list: with the default attempts, with few, and with none."""
    position = kernel.Position(text)
    [mask] = kernel.Batch([text]).legal_mask()
    legal = np.flatnonzero(mask)
    drawn = np.empty(DRAWS * len(legal), np.int64)
    _kernel.draw_actions(position.track, 12345, drawn, attempts)
    counts = np.bincount(drawn, minlength=kernel.ACTIONS)
    assert counts[~mask].sum() == 0
    chi_square = ((counts[legal] - DRAWS) ** 2 / DRAWS).sum()
    freedom = len(legal) - 1
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


def test_the_test_detects_an_uneven_draw() -> None:
    """The same test, on draws of which one in twenty is drawn from half of the actions."""
    rng = np.random.default_rng(1)
    legal, some = 600, 300
    drawn = rng.integers(legal, size=DRAWS * legal)
    drawn[::20] = rng.integers(some, size=len(drawn[::20]))
    counts = np.bincount(drawn, minlength=legal)
    chi_square = ((counts - DRAWS) ** 2 / DRAWS).sum()
    assert abs(chi_square - (legal - 1)) > 4 * math.sqrt(2 * (legal - 1))


@given(random_play.positions, st.integers(0, 2**63), st.sampled_from((0, 1, _kernel.MAX_DRAW_ATTEMPTS)))
@settings(max_examples=60)
def test_drawn_actions_are_legal(slow: Position, seed: int, attempts: int) -> None:
    drawn = np.empty(8, np.int64)
    batch = kernel.Batch([slow])
    _kernel.draw_actions(batch[0].track, seed, drawn, attempts)
    if slow.outcome() is None:
        assert all(batch.move(0, int(action)) in slow.legal_moves for action in drawn)
    else:
        assert (drawn == kernel.LEAVE).all()
