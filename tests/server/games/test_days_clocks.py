"""Clocks of days games: banks, first moves, free weekends, pauses, outages; held against a simple reference."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punct.piece import Colour
from punct.server.games.model import FIRST_MOVES, SeatedPlayer, StoredClock, StoredGame, StoredSeat
from punct.server.games.notices import reminder_of
from punct.server.games.pauses import Vacation, agree_pause, end_agreed_pause, settle_pauses
from punct.server.games.time_control import (
    TimeControl,
    clock_after_move,
    clock_after_outage,
    clock_after_undo,
    is_first_move_overdue,
    is_out_of_time,
    restart_clock,
    seconds_taken,
    stop_clock,
)
from punct.server.games.working_time import after_working_time, working_time

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SEATS = {colour: StoredSeat(player=SeatedPlayer(colour.letter, colour.letter)) for colour in Colour}


def new_game(time: str, now: datetime = MONDAY, ply: int = 0) -> StoredGame:
    clock = TimeControl.parse(time).new_clock(now)
    game = StoredGame("g", "basic", "basic w", SEATS, 0, 1, None, {}, now, now, time=time, clock=clock)
    for _ in range(ply):
        game = after_move(game, now)
    return game


def after_move(game: StoredGame, now: datetime) -> StoredGame:
    return replace(game, ply=game.ply + 1, clock=clock_after_move(game, now))


def left_of(game: StoredGame) -> tuple[timedelta, timedelta]:
    assert game.clock is not None
    return timedelta(milliseconds=game.clock.left_w), timedelta(milliseconds=game.clock.left_b)


def deadline_of(game: StoredGame) -> datetime | None:
    assert game.clock is not None
    return game.clock.deadline


@pytest.mark.parametrize(("time", "first", "later"), [("1d", 3, 1), ("3d", 3, 3), ("5d", 5, 5), ("7d+12h/10d", 7, 7)])
def test_first_moves_have_a_time_of_their_own(time: str, first: int, later: int) -> None:
    game = new_game(time)
    assert deadline_of(game) == MONDAY + first * DAY
    assert not is_out_of_time(game, MONDAY + 99 * DAY) and is_first_move_overdue(game, MONDAY + first * DAY)
    game = after_move(game, MONDAY + 2 * DAY)
    assert deadline_of(game) == MONDAY + (2 + first) * DAY
    game = after_move(game, MONDAY + 3 * DAY)
    assert deadline_of(game) == MONDAY + (3 + later) * DAY
    assert left_of(game) == (later * DAY, later * DAY)  # a bank pays for no first move


def test_a_bank_pays_for_moves_and_gains_up_to_its_cap() -> None:
    game = after_move(new_game("7d+12h/8d", ply=2), MONDAY + 2 * DAY)
    assert left_of(game) == (5.5 * DAY, 7 * DAY) and deadline_of(game) == MONDAY + 9 * DAY
    now = MONDAY + 2 * DAY
    for _ in range(4):
        game = after_move(after_move(game, now + HOUR), now + HOUR)
        now += HOUR
    assert left_of(game)[1] == 8 * DAY
    assert deadline_of(game) == now + 8 * DAY
    assert is_out_of_time(game, now + 8 * DAY + MINUTE)


def test_taken_back_moves_give_no_time_back_to_a_bank() -> None:
    game = after_move(new_game("7d+12h/10d", ply=4), MONDAY + 2 * DAY)
    before = left_of(game)
    clock = clock_after_undo(game, 4, Colour.WHITE, MONDAY + 3 * DAY)
    assert clock is not None
    assert (clock.left_w, clock.left_b) == (before[0] // MS, (before[1] - DAY) // MS)
    assert clock.deadline == MONDAY + 3 * DAY + before[0]


MS = timedelta(milliseconds=1)


@pytest.mark.parametrize("time", ["1d", "7d+12h/10d"])
def test_a_first_move_taken_back_has_its_own_time_again(time: str) -> None:
    control, now = TimeControl.parse(time), MONDAY + DAY
    game = new_game(time, ply=2)
    back = replace(game, ply=1, clock=clock_after_undo(game, 1, Colour.BLACK, now))
    assert deadline_of(back) == now + control.first_move_time and not is_out_of_time(back, now + 99 * DAY)
    again = after_move(back, now + DAY)
    assert left_of(again)[1] == control.initial


def test_weekends_are_free_by_agreement() -> None:
    friday = MONDAY + 4 * DAY
    game = new_game("3d-wd", friday + 12 * HOUR, ply=2)
    assert deadline_of(game) == MONDAY + 9.5 * DAY  # Friday, then from Monday to Wednesday noon
    assert not is_out_of_time(game, MONDAY + 9.4 * DAY) and is_out_of_time(game, MONDAY + 9.5 * DAY + MINUTE)
    on_saturday = new_game("1d-wd", MONDAY + 5.5 * DAY, ply=2)
    assert deadline_of(on_saturday) == MONDAY + 8 * DAY
    bank = after_move(new_game("5d+1h/5d-wd", friday, ply=2), MONDAY + 8 * DAY)  # Friday and Monday were spent
    assert left_of(bank)[0] == 3 * DAY + HOUR
    assert deadline_of(bank) == MONDAY + 15 * DAY


def test_a_reminder_comes_before_what_is_left() -> None:
    assert reminder_of(new_game("1d")).due == MONDAY + 3 * DAY - 18 * HOUR  # type: ignore[union-attr]
    assert reminder_of(new_game("1d", ply=2)).due == MONDAY + 18 * HOUR  # type: ignore[union-attr]
    bank = new_game("7d+1h/7d", ply=2)
    assert reminder_of(bank).due == MONDAY + 6 * DAY  # type: ignore[union-attr]
    low = after_move(after_move(bank, MONDAY + 7 * DAY - HOUR), MONDAY + 7 * DAY - HOUR)
    assert left_of(low)[0] == 2 * HOUR
    assert reminder_of(low).due == MONDAY + 7 * DAY + 30 * MINUTE  # type: ignore[union-attr]
    assert reminder_of(agree_pause(low, MONDAY + 7 * DAY)) is None


def test_a_vacation_stops_the_clock_at_its_begin_however_late_that_is_noticed() -> None:
    game = new_game("3d", ply=2)
    away = {"b": Vacation(MONDAY + DAY, MONDAY + 11 * DAY)}
    paused = settle_pauses(game, away, MONDAY + 2 * DAY)
    assert paused is not None and paused.clock is not None and paused.revision == game.revision + 1
    assert left_of(paused)[0] == 2 * DAY and deadline_of(paused) is None
    assert [(pause.by, pause.until) for pause in paused.clock.pauses] == [(Colour.BLACK, MONDAY + 11 * DAY)]
    assert settle_pauses(paused, away, MONDAY + 3 * DAY) is None  # nothing is left to do
    back = settle_pauses(paused, {}, MONDAY + 11 * DAY)
    assert back is not None and deadline_of(back) == MONDAY + 13 * DAY


def test_a_vacation_saves_nobody_whose_time_was_up() -> None:
    game = new_game("3d", ply=2)
    late = {"w": Vacation(MONDAY + 3 * DAY, MONDAY + 11 * DAY)}
    assert settle_pauses(game, late, MONDAY + 3 * DAY) is None
    unbegun = new_game("3d")
    assert settle_pauses(unbegun, late, MONDAY + 3 * DAY) is None


def test_moves_in_a_vacation_are_played_and_no_clock_runs() -> None:
    game = settle_pauses(new_game("1d", ply=2), {"w": Vacation(MONDAY, MONDAY + 9 * DAY)}, MONDAY)
    assert game is not None
    for day in range(1, 9):
        game = after_move(game, MONDAY + day * DAY)
        assert deadline_of(game) is None and left_of(game) == (DAY, DAY)
    ended = stop_clock(game, MONDAY + 9 * DAY)
    assert ended is not None and ended.pauses == () and ended.running_since is None


# ---------------------------------------------------------------------- against a reference

TIMES = st.sampled_from(["1d", "3d", "14d", "2d+12h/3d", "7d+1d/10d", "1d-wd", "3d-wd", "2d+6h/4d-wd"])
MINUTES = st.integers(0, 3 * 24 * 60)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["move", "undo", "pause", "resume", "away w", "away b", "back w", "back b", "outage", "restart"]
        ),
        MINUTES,
    ),
    max_size=25,
)


def slow_working_time(since: datetime, until: datetime, *, free_weekends: bool) -> timedelta:
    """Count hour by hour, and the rest."""
    total, at = timedelta(), since
    while at < until:
        step = min(HOUR - timedelta(minutes=at.minute, seconds=at.second, microseconds=at.microsecond), until - at)
        if not free_weekends or at.weekday() < 5:
            total += step
        at += step
    return total


@given(st.integers(0, 40 * 24 * 60), st.integers(0, 40 * 24 * 60))
def test_working_time_is_counted_and_inverted(begin: int, length: int) -> None:
    since = MONDAY + begin * MINUTE
    until = since + length * MINUTE
    assert working_time(since, until) == slow_working_time(since, until, free_weekends=True)
    time = length * MINUTE
    end = after_working_time(since, time)
    assert working_time(since, end) == time
    assert working_time(since, end - MINUTE) < time or not length  # the first such time


class Reference:
    """What a side has used, minute for minute, while its clock ran."""

    def __init__(self, time: str, now: datetime) -> None:
        self.control, self.now, self.ply = TimeControl.parse(time), now, 0
        self.left = [self.control.first_move_time] * 2
        self.reasons: set[str] = set()

    @property
    def turn(self) -> int:
        return self.ply % 2

    def pass_time(self, minutes: int, *, counts: bool = True) -> None:
        until = self.now + minutes * MINUTE
        if counts and not self.reasons:
            used = slow_working_time(self.now, until, free_weekends=self.control.has_free_weekends)
            self.left[self.turn] -= used
        self.now = until

    @property
    def is_up(self) -> bool:
        return self.left[self.turn] <= timedelta()

    def move(self) -> None:
        if self.control.cap is None or self.ply < FIRST_MOVES:
            self.left[self.turn] = self.control.initial
        else:
            self.left[self.turn] = min(self.control.cap, self.left[self.turn] + self.control.increment)
        self.ply += 1

    def undo(self) -> None:
        self.ply -= 1
        if self.control.cap is None:
            self.left = [self.control.initial] * 2
        if self.ply < FIRST_MOVES:
            self.left[self.turn] = self.control.first_move_time
            if self.ply == 0:
                self.left[1] = self.control.first_move_time


@given(time=TIMES, steps=STEPS, start=MINUTES)
def test_clocks_follow_the_reference(time: str, steps: list[tuple[str, int]], start: int) -> None:
    """Whatever happens: a clock that stands never moves, and nobody uses more than ran for them."""
    now = MONDAY + start * MINUTE
    game, reference = new_game(time, now), Reference(time, now)
    away: dict[str, Vacation] = {}
    for step, minutes in steps:
        lost = step in ("outage", "restart")
        before = game
        reference.pass_time(minutes, counts=not lost)
        now = reference.now
        clock = game.clock
        assert clock is not None
        if clock.pauses:
            assert left_of(game) == left_of(before) and deadline_of(game) is None
        if step == "outage":
            game = replace(game, clock=clock_after_outage(clock, time, now - minutes * MINUTE, now))
        elif step == "restart":
            if not clock.pauses and clock.running_since != now - minutes * MINUTE:
                reference.pass_time(0)
                # Only a turn that has just begun is ever restarted.
                game = replace(game, clock=clock_after_outage(clock, time, now - minutes * MINUTE, now))
            else:
                game = replace(game, clock=restart_clock(clock, time, now))
        elif reference.is_up:
            assert is_out_of_time(game, now, timedelta()) or is_first_move_overdue(game, now)
            return
        game, away = changed(game, away, step, now, reference)
        check(game, reference)


def changed(
    game: StoredGame, away: dict[str, Vacation], step: str, now: datetime, reference: Reference
) -> tuple[StoredGame, dict[str, Vacation]]:
    """Make a step in the game and in the reference."""
    if step == "move":
        reference.move()
        return after_move(game, now), away
    if step == "undo" and game.ply:
        reference.undo()
        clock = clock_after_undo(game, game.ply - 1, game.turn.other, now)
        return replace(game, ply=game.ply - 1, clock=clock), away
    if step == "pause" and "agreed" not in reference.reasons:
        reference.reasons.add("agreed")
        game = agree_pause(game, now)
        assert game.clock is not None
        far = tuple(pause._replace(until=now + 999 * DAY) for pause in game.clock.pauses)
        return replace(game, clock=game.clock._replace(pauses=far)), away
    if step == "resume" and "agreed" in reference.reasons:
        reference.reasons.remove("agreed")
        return end_agreed_pause(game, now), away
    if step.startswith(("away", "back")):
        who = step[-1]
        away = {player: vacation for player, vacation in away.items() if player != who}
        reference.reasons.discard(who)
        if step.startswith("away"):
            away[who] = Vacation(now, now + 999 * DAY)
            reference.reasons.add(who)
        return settle_pauses(game, away, now) or game, away
    return game, away


def check(game: StoredGame, reference: Reference) -> None:
    """Compare a clock with the reference."""
    clock: StoredClock | None = game.clock
    assert clock is not None and bool(clock.pauses) == bool(reference.reasons)
    control, left = reference.control, list(left_of(game))
    if clock.running_since is not None:
        assert clock.deadline == control.after(clock.running_since, left[game.turn])
        assert clock.deadline == control.after(reference.now, reference.left[reference.turn])
        left[game.turn] -= slow_working_time(
            clock.running_since, reference.now, free_weekends=control.has_free_weekends
        )
    assert left == reference.left


def paused(game: StoredGame, begin: datetime, end: datetime) -> StoredGame:
    return end_agreed_pause(agree_pause(game, begin), end)


@pytest.mark.parametrize(
    ("time", "ply", "now", "taken"),
    [
        ("3d", 2, MONDAY + 5 * HOUR, 5 * HOUR),
        ("3d", 0, MONDAY + 5 * HOUR, None),  # the player may not have known of the game
        ("3d", 1, MONDAY + 5 * HOUR, None),
        ("7d+12h/10d", 4, MONDAY + 5 * HOUR, 5 * HOUR),
        ("9d-wd", 2, MONDAY + 7 * DAY, 5 * DAY),
        ("7d+1d/7d-wd", 2, MONDAY + 7 * DAY, 5 * DAY),
        ("5+3", 2, MONDAY + HOUR, None),
    ],
)
def test_a_move_takes_what_its_clock_counts(time: str, ply: int, now: datetime, taken: timedelta | None) -> None:
    expected = None if taken is None else taken // timedelta(seconds=1)
    assert seconds_taken(new_game(time, ply=ply), MONDAY, now) == expected


def test_a_pause_takes_no_time_of_a_move() -> None:
    in_days = paused(new_game("3d", ply=2), MONDAY + HOUR, MONDAY + 9 * DAY)
    assert seconds_taken(in_days, MONDAY, MONDAY + 9 * DAY + HOUR) == 2 * 3600
    standing = agree_pause(new_game("3d", ply=2), MONDAY + HOUR)
    assert seconds_taken(standing, MONDAY, MONDAY + DAY) == 3600
    in_bank = paused(new_game("7d+12h/10d", ply=2), MONDAY + HOUR, MONDAY + 9 * DAY)
    assert seconds_taken(in_bank, MONDAY, MONDAY + 9 * DAY + HOUR) is None  # nobody knows what was in it before
    untimed = replace(new_game("3d", ply=2), time=None, clock=None)
    assert seconds_taken(untimed, MONDAY, MONDAY + DAY) == 24 * 3600
    assert seconds_taken(untimed, None, MONDAY + DAY) is None


def test_an_outage_takes_no_time_of_a_move() -> None:
    game = new_game("3d", ply=2)
    assert game.clock is not None
    clock = clock_after_outage(game.clock, "3d", MONDAY + HOUR, MONDAY + 3 * HOUR)
    assert seconds_taken(replace(game, clock=clock), MONDAY, MONDAY + 4 * HOUR) == 2 * 3600
