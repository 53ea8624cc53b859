"""Time controls and clocks of a game, without a server."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct.outcome import Ending, Outcome
from punct.piece import Colour
from punct.server.games.model import StoredClock, StoredGame, StoredSeat
from punct.server.games.time_control import (
    MAX_COMPENSATION_PER_GAME,
    MAX_COMPENSATION_PER_MOVE,
    InvalidTimeError,
    TimeControl,
    clock_after_move,
    clock_after_outage,
    clock_after_undo,
    is_out_of_time,
    stop_clock,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


SECOND = timedelta(seconds=1)


def game(time: str, ply: int = 2) -> StoredGame:
    """Return a game in which both have played, and White's time runs since NOW."""
    control = TimeControl.parse(time)
    clock = control.new_clock(NOW)
    if ply >= 2:
        clock = clock._replace(running_since=NOW, deadline=NOW + control.initial)
    seats = dict.fromkeys(Colour, StoredSeat())
    return StoredGame("g", "basic", "basic w", seats, ply, 1, None, {}, NOW, NOW, time=time, clock=clock)


@pytest.mark.parametrize(
    "time", ["1+0", "5+3", "180+180", "1d", "14d", "3d-wd", "7d+12h/10d", "30d+7d/60d-wd", "1d+1h/1d", "14d+25h/30d-wd"]
)
def test_time_controls_are_parsed_and_formatted(time: str) -> None:
    assert str(TimeControl.parse(time)) == time


@pytest.mark.parametrize(
    "time",
    [
        "0d",
        "15d",
        "7d+12h",
        "7d+0h/10d",
        "7d+12h/6d",
        "31d+1d/40d",
        "7d+8d/20d",
        "1d+2d/1d",
        "7d+1d/61d",
        "5+3-wd",
        "3d-w",
    ],
)
def test_other_texts_are_no_time_controls(time: str) -> None:
    with pytest.raises(InvalidTimeError):
        TimeControl.parse(time)


def test_texts_of_days_fit_the_column_and_end_with_d() -> None:
    """By the ``d`` the store and the page tell days from minutes."""
    longest = str(TimeControl.parse("14d+25h/30d-wd"))
    assert len(longest) <= 16 and longest.endswith("d")
    assert str(TimeControl.parse("7d+24h/10d")) == "7d+1d/10d"


def test_a_live_clock_starts_after_both_first_moves() -> None:
    begun = game("5+3", 0)
    first = clock_after_move(begun, NOW + 100 * SECOND)
    assert first == begun.clock
    second = clock_after_move(replace(begun, ply=1, clock=first), NOW + 200 * SECOND)
    assert second == StoredClock(300_000, 300_000, NOW + 200 * SECOND, NOW + 500 * SECOND)


def test_a_move_takes_its_time_and_adds_the_increment() -> None:
    assert clock_after_move(game("5+3"), NOW + 10 * SECOND) == StoredClock(
        293_000, 300_000, NOW + 10 * SECOND, NOW + 310 * SECOND
    )


def test_lag_is_compensated_within_limits() -> None:
    def left(lag: float) -> int:
        clock = clock_after_move(game("5+0"), NOW + 10 * SECOND, lag * SECOND)
        assert clock is not None
        return clock.left_w

    assert (left(0), left(0.2), left(0.5), left(60)) == (290_000, 290_200, 290_500, 290_500)


@pytest.mark.parametrize("lag", [0.1, 0.5, 30.0])
def test_lag_compensation_per_game_is_limited(lag: float) -> None:
    """Whoever answers every probe late has some seconds of it, not half a second for every move."""
    running, now = game("5+0"), NOW
    for _ in range(40):
        now += SECOND
        clock = clock_after_move(running, now, lag * SECOND)
        assert clock is not None
        running = replace(running, ply=running.ply + 1, clock=clock)
        now += SECOND
        clock = clock_after_move(running, now, timedelta())
        assert clock is not None
        running = replace(running, ply=running.ply + 1, clock=clock)
    assert clock is not None
    given = min(40 * min(lag, 0.5), MAX_COMPENSATION_PER_GAME.total_seconds())
    assert (clock.left_w, clock.left_b) == (260_000 + 1000 * given, 260_000)
    assert (clock.lag_w, clock.lag_b) == (1000 * given, 0)
    back = clock_after_undo(running, 4, Colour.WHITE, now)
    assert back is not None and back.lag_w == clock.lag_w
    if lag >= 0.5:  # nor does the timekeeper wait for what may be on its way
        assert is_out_of_time(running, now + timedelta(milliseconds=clock.left_w))


def test_a_negative_lag_takes_no_time() -> None:
    clock = clock_after_move(game("5+0"), NOW + 10 * SECOND, -20 * SECOND)
    assert clock is not None and clock.left_w == 290_000


def test_correspondence_clocks_restart_with_every_move() -> None:
    day = timedelta(days=1)
    assert game("3d", 0).clock == StoredClock(259_200_000, 259_200_000, NOW, NOW + 3 * day)
    later = NOW + 2 * day
    assert clock_after_move(game("3d"), later) == StoredClock(259_200_000, 259_200_000, later, later + 3 * day)


def test_time_is_up_at_the_deadline() -> None:
    running = game("1+0")
    assert not is_out_of_time(running, NOW + 59.999 * SECOND, timedelta())
    assert is_out_of_time(running, NOW + 60 * SECOND, timedelta())
    assert not is_out_of_time(running, NOW + 60.4 * SECOND)
    assert is_out_of_time(running, NOW + 60 * SECOND + MAX_COMPENSATION_PER_MOVE)
    assert not is_out_of_time(replace(running, outcome=Outcome(None, Ending.AGREEMENT)), NOW + 99 * SECOND)
    assert not is_out_of_time(game("1+0", 0), NOW + 99 * SECOND)


def test_the_end_stops_the_clock_and_undo_returns_no_time() -> None:
    assert stop_clock(game("5+3"), NOW + 10 * SECOND) == StoredClock(290_000, 300_000)
    back = clock_after_undo(game("5+3", 3), 2, Colour.WHITE, NOW + 10 * SECOND)
    assert back is not None and (back.left_w, back.left_b) == (300_000, 290_000)
    assert back.running_since == NOW + 10 * SECOND and back.deadline == NOW + 310 * SECOND
    assert clock_after_undo(game("5+3"), 1, Colour.BLACK, NOW + 10 * SECOND) == StoredClock(290_000, 300_000)


@given(began=st.floats(-1000, 1000), away=st.floats(0, 100_000), left=st.floats(1, 10_000))
def test_an_outage_takes_no_time(began: float, away: float, left: float) -> None:
    """What was spent before it stays spent, at most the seconds between two beats are given away."""
    ticking = NOW + began * SECOND
    clock = StoredClock(1, 1, ticking, ticking + left * SECOND)
    back = NOW + away * SECOND
    after = clock_after_outage(clock, "5+3", NOW, back)
    assert after.running_since is not None and after.deadline is not None
    assert after.deadline - after.running_since == clock.deadline - ticking  # type: ignore[operator]
    spent = max(timedelta(), min(NOW, back) - ticking)
    assert abs(max(timedelta(), back - after.running_since) - spent) < timedelta(milliseconds=1)
