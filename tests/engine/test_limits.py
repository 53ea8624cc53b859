"""Limits and clocks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from punct.engine import Engine, EngineError, Limits
from punct.engine.limits import MAX_SECONDS, Clock, usable_seconds


@pytest.mark.parametrize(
    "limits", [{"movetime": 0.0}, {"movetime": -1.0}, {"movetime": math.nan}, {"nodes": 0}, {"depth": 0}, {"nodes": -5}]
)
def test_invalid_limits_are_errors(limits: dict[str, float]) -> None:
    with pytest.raises(EngineError, match="no sense"):
        Limits(**limits)  # type: ignore[arg-type]


_ANYTHING = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.integers(), max_size=1)
)


@given(_ANYTHING, _ANYTHING, _ANYTHING, _ANYTHING)
@example("1", None, None, None)
@example(None, 1.5, None, None)
@example(None, True, None, None)
@example(10**400, None, None, None)
@example(1.0, None, None, "1")
def test_any_value_is_a_limit_or_an_engine_error(movetime: Any, nodes: Any, depth: Any, target: Any) -> None:
    try:
        limits = Limits(movetime, nodes, depth, target)
    except EngineError as error:
        assert "no sense" in str(error)
    else:
        assert limits.within(Limits()) == limits


def test_a_limit_may_be_a_number_of_numpy() -> None:
    limits = Limits(np.float32(0.5), np.int64(10))  # type: ignore[arg-type]
    assert Engine().play("standard w", limits).nodes == 10


def test_the_stricter_limit_wins() -> None:
    assert Limits(1.0, 500).within(Limits(2.0, 100, 3)) == Limits(1.0, 100, 3)
    assert Limits().is_open
    assert not Limits(depth=1).is_open


@given(st.floats(0.001, 36000), st.floats(0, 60))
def test_a_share_never_exceeds_half_of_the_clock(left: float, increment: float) -> None:
    share = Clock(left, increment).share()
    assert share > 0
    assert share <= max(0.002, left / 2)


@given(st.floats(0, math.inf), st.floats(0, math.inf))
@example(10 * 86400.0, 0.0)
@example(math.inf, math.inf)
def test_any_clock_makes_limits(left: float, increment: float) -> None:
    limits = Clock(left, increment).limits()
    assert limits.movetime is not None and limits.target is not None
    assert 0 < limits.target <= limits.movetime <= MAX_SECONDS
    assert 0 < usable_seconds(left) <= MAX_SECONDS


@given(st.floats(0.004, 3600))
def test_there_is_time_left_to_answer(seconds: float) -> None:
    assert seconds * 0.25 <= usable_seconds(seconds) < seconds


def test_most_of_a_usual_time_is_used() -> None:
    assert usable_seconds(1.0) >= 0.98
    assert usable_seconds(0.1) >= 0.095
    assert usable_seconds(0.02) >= 0.017


@given(st.floats(0.001, 36000), st.floats(0, 60))
def test_an_unclear_move_may_take_longer_but_never_near_the_flag(left: float, increment: float) -> None:
    clock = Clock(left, increment)
    limits = clock.limits()
    assert limits.target == clock.share()
    assert limits.movetime is not None and limits.target is not None
    assert limits.target <= limits.movetime <= max(0.002, left / 2)


def test_a_target_is_within_a_time() -> None:
    for wrong in (Limits, lambda target: Limits(1.0, target=target)):
        with pytest.raises(EngineError, match="no sense"):
            wrong(target=2.0)
    with pytest.raises(EngineError, match="no sense"):
        Limits(1.0, target=0.0)
    assert Limits(3.0, target=2.0).within(Limits(1.0)) == Limits(1.0, target=1.0)


def test_a_whole_game_fits_on_the_clock() -> None:
    """A game of 200 plies, far longer than any, does not empty the clock; half of it is not left over either."""
    left = 60.0
    for move in range(100):
        left -= Clock(left).share()
        if move == 30:
            assert left < 30
    assert left > 0
