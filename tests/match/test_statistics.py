"""Elo and SPRT, against values worked out by hand and against simulated matches."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punct.match.errors import MatchError
from punct.match.statistics import (
    Sprt,
    Verdict,
    elo_of,
    estimate,
    log_likelihood_ratio,
    moments,
    score_of,
)

PAIRS = st.lists(st.integers(0, 200), min_size=5, max_size=5).filter(lambda pairs: sum(pairs) > 0)


def test_elo_of_known_scores() -> None:
    assert elo_of(0.5) == pytest.approx(0.0)
    assert elo_of(0.75) == pytest.approx(190.848, abs=0.001)
    assert elo_of(10 / 11) == pytest.approx(400.0)
    assert elo_of(0.0) == -math.inf
    assert elo_of(1.0) == math.inf


@given(st.floats(-1500, 1500))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-5)


def test_estimate_by_hand() -> None:
    # 100 pairs: 20 at 0, 60 at 1, 20 at 2 points: mean ½, variance 0.4 · ¼ = 0.1, error 1.96 · √(0.1/100) = 0.062.
    found = estimate((20, 0, 60, 0, 20))
    assert found is not None
    assert found.elo == pytest.approx(0.0)
    assert found.high == pytest.approx(elo_of(0.5 + 1.959964 * math.sqrt(0.001)), abs=1e-3)
    assert found.low == pytest.approx(-found.high)
    assert str(found) == "+0 ± 43"


def test_estimate_of_nothing_and_of_nothing_but_wins() -> None:
    assert estimate((0, 0, 0, 0, 0)) is None
    found = estimate((0, 0, 0, 0, 20))
    assert found is not None
    assert found.elo == math.inf
    # A player who scores s in every pair wins 20 pairs of 20 with chance s^20: 5 % at s = 0.861.
    assert found.low == pytest.approx(elo_of(0.05 ** (1 / 20)))
    assert str(found) == "above +317"
    lost = estimate((20, 0, 0, 0, 0))
    assert lost is not None and str(lost) == "below -317"


def test_pairs_that_always_split_leave_room_for_doubt() -> None:
    found = estimate((0, 0, 50, 0, 0))
    assert found is not None
    # One pair in 17 could be won whole and 50 pairs in a row still split once in twenty.
    assert found.elo == 0.0
    assert found.high == pytest.approx(elo_of(0.5 + (1 - 0.05 ** (1 / 50)) / 2))
    assert found.low == pytest.approx(-found.high)
    assert str(found) == "+0 ± 20"


@pytest.mark.parametrize("pairs", [(0, 0, 1, 0, 0), (0, 1, 0, 0, 0), (0, 2, 2, 0, 0), (1, 0, 0, 0, 1)])
def test_after_very_few_pairs_it_is_too_early(pairs: tuple[int, ...]) -> None:
    found = estimate(pairs)
    assert found is not None
    assert math.isinf(found.error)
    assert str(found) == "too early to say"


def test_ratio_of_decisive_pairs_is_the_binomial_one() -> None:
    """With pairs that are won or lost whole, the most likely distribution with mean s is s itself."""
    low, high = score_of(0), score_of(50)
    expected = 60 * math.log(high / low) + 40 * math.log((1 - high) / (1 - low))
    assert log_likelihood_ratio((40, 0, 0, 0, 60), 0, 50) == pytest.approx(expected, abs=0.02)


def test_ratio_of_a_large_even_match_is_near_the_normal_approximation() -> None:
    pairs = (100, 400, 900, 450, 150)
    mean, variance = moments(pairs)
    low, high = score_of(0), score_of(10)
    expected = sum(pairs) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(pairs, 0, 10) == pytest.approx(expected, rel=0.02)


@given(PAIRS, st.floats(-200, 150), st.floats(1, 100))
def test_ratio_of_the_other_player_is_the_opposite(pairs: list[int], elo0: float, wide: float) -> None:
    ratio = log_likelihood_ratio(pairs, elo0, elo0 + wide)
    assert log_likelihood_ratio(pairs[::-1], -elo0 - wide, -elo0) == pytest.approx(-ratio, rel=1e-6, abs=1e-6)


def test_bounds_of_the_usual_test() -> None:
    low, high = Sprt(0, 5).bounds
    assert low == pytest.approx(-2.944439)
    assert high == pytest.approx(2.944439)


@pytest.mark.parametrize("truth, expected", [(0, Verdict.REJECTED), (80, Verdict.ACCEPTED)])
def test_simulated_matches_are_mostly_judged_rightly(truth: int, expected: Verdict) -> None:
    """Seeded matches of a player whose strength is known: about one in twenty may be judged wrongly."""
    dice, sprt, right = random.Random(truth), Sprt(0, 80), 0
    for _ in range(60):
        pairs = [0] * 5
        while sprt.verdict(pairs) is Verdict.OPEN:
            for _ in range(4):
                won = sum(dice.random() < score_of(truth) for _ in range(2))
                pairs[2 * won] += 1
        right += sprt.verdict(pairs) is expected
    assert right >= 54


@pytest.mark.parametrize(
    "settings", [(5, 5, 0.05, 0.05), (10, 0, 0.05, 0.05), (0, 5, 0, 0.05), (0, 5, 0.05, 0.7), (math.nan, 5, 0.1, 0.1)]
)
def test_senseless_tests_are_refused(settings: tuple[float, float, float, float]) -> None:
    with pytest.raises(MatchError, match="SPRT"):
        Sprt(*settings)


_ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)


@given(_ANYTHING, _ANYTHING, _ANYTHING, _ANYTHING, PAIRS)
@example(-10_000, 10_000, 0.05, 0.05, [1, 0, 0, 0, 0])
@example(0, 5, 5e-324, 0.05, [1, 0, 0, 0, 0])
@example(-4000, 4000, 1e-12, 1e-12, [0, 0, 0, 0, 200])
@example("0", 5, 0.05, 0.05, [1, 0, 0, 0, 0])
@example(0, 5, "0", 0.05, [1, 0, 0, 0, 0])
@example(0, 10**400, 0.05, 0.05, [1, 0, 0, 0, 0])
def test_any_test_decides_or_is_refused_in_words(elo0: Any, elo1: Any, alpha: Any, beta: Any, pairs: list[int]) -> None:
    try:
        sprt = Sprt(elo0, elo1, alpha, beta)
    except MatchError as error:
        assert str(error).startswith("an SPRT")
    else:
        assert math.isfinite(sprt.ratio(pairs))
        assert sprt.verdict(pairs) in Verdict
