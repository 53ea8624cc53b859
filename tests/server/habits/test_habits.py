"""Habits of players: told from their last games, of what is public, and of nothing that they could not help."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import PROOF, Browser, create_account, error_of
from tests.server.two_player_games import (
    EIGHT_MOVES,
    ManualClock,
    json_of,
    play_moves,
    run_timekeeper,
    start_and_play,
    start_game,
)

from punct.server.app import create_app
from punct.server.habits.model import (
    HOURS_OF_WEEK,
    MIN_DAYS,
    MIN_HOURS,
    Answer,
    Finished,
    usual_answer,
    usual_hours,
)
from punct.server.habits.service import CACHE_TIME, MAX_READS, PlayerHabits
from punct.server.habits.store import HabitsRows
from punct.server.timekeeping.heartbeat import Heartbeat

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
NOTHING = {"answer": None, "correspondence": None, "hours": None}
HOUR = 3600


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(store_url: Path | str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Tells the time by a clock that jumps, which counts as no outage."""
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})
    monkeypatch.setattr("punct.server.timekeeping.service.CHECK_SECONDS", 1e6)  # tests say when
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield client


@pytest.fixture
def anna(server: TestClient) -> Browser:
    return create_account(lambda: Browser(server), name="Anna")[0]


@pytest.fixture
def ben(server: TestClient) -> Browser:
    return create_account(lambda: Browser(server), name="Ben")[0]


def habits_of(browser: Browser, clock: ManualClock | None = None) -> dict[str, Any]:
    """Return a player's habits, as read after the cache's time."""
    if clock is not None:
        clock.time += CACHE_TIME
    return json_of(browser.get(f"/players/{browser.me()['id']}/habits"))


def play_slowly(clock: ManualClock, white: Browser, black: Browser, hours: tuple[float, float], **options: Any) -> Any:
    """Play eight moves, each so many hours after the one before: of White's and of Black's."""
    game = start_game(white, black, **options)
    for number, text in enumerate(EIGHT_MOVES):
        clock.advance(hours=hours[number % 2])
        game = play_moves(game, ((white, black)[number % 2], text))
    return game


# ---------------------------------------------------------------------- what is told


def test_half_of_the_answers_took_no_longer(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser
) -> None:
    assert habits_of(anna) == NOTHING
    for options in ({"time": "3d"}, {"time": "7d+12h/10d"}, {}, {"time": "3d"}):
        play_slowly(clock, anna, ben, (5, 2), **options)
    found = habits_of(anna, clock)
    assert found["answer"] == 5 * HOUR and habits_of(ben)["answer"] == 2 * HOUR
    assert found["correspondence"] is None  # none is finished
    both = json_of(anna.get(f"/habits?players={anna.me()['id']},{ben.me()['id']},{anna.me()['id']},nobody"))
    assert both == {
        "players": [
            {"player": anna.me()["id"], "answer": 5 * HOUR, "correspondence": None},
            {"player": ben.me()["id"], "answer": 2 * HOUR, "correspondence": None},
        ]
    }


def test_live_games_and_few_moves_tell_nothing(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser
) -> None:
    for _ in range(4):
        start_and_play(anna, ben, time="5+3")
    play_slowly(clock, anna, ben, (5, 2), time="3d")
    assert habits_of(anna, clock)["answer"] is None


def test_the_servers_moves_are_no_answers(server: TestClient, clock: ManualClock, anna: Browser, ben: Browser) -> None:
    """Half of Anna's moves are played by the server, at once; her own take a day."""
    first, second, third, fourth, fifth, *_ = EIGHT_MOVES
    for _ in range(11):
        game = play_moves(start_game(anna, ben, time="3d", listed=True), (anna, first), (ben, second))
        clock.advance(hours=24)
        game = play_moves(game, (anna, third))
        plan = {"ply": 3, "replies": [{"turn": fourth, "reply": fifth, "then": []}]}
        json_of(anna.send("PUT", f"/games/{game['id']}/plan", plan))
        clock.advance(hours=3)
        assert play_moves(game, (ben, fourth))["ply"] == 5
    assert habits_of(anna, clock)["answer"] == 24 * HOUR
    assert habits_of(ben)["answer"] == 3 * HOUR
    store = server.app.state.services.get(_service())._store  # type: ignore[attr-defined]
    times = store.read(anna.me()["id"], datetime.min.replace(tzinfo=UTC, year=2000), MONDAY).played_at
    assert len(times) == 11  # neither the first moves nor what the server has played


def _service() -> type:
    from punct.server.habits.service import PlayerHabits

    return PlayerHabits


def test_games_lost_on_time_are_told(server: TestClient, clock: ManualClock, anna: Browser, ben: Browser) -> None:
    for _ in range(2):
        game = start_and_play(anna, ben, time="1d")
        json_of(ben.post(f"/games/{game['id']}/resign"))
    assert habits_of(anna, clock)["correspondence"] is None  # two are too few
    lost = start_and_play(anna, ben, time="1d")
    start_game(anna, ben, time="1d")  # who never played here loses nothing, and it counts for nobody
    clock.advance(days=8)
    run_timekeeper(server)
    assert json_of(ben.get(f"/games/{lost['id']}"))["outcome"] == {"winner": "b", "reason": "time"}
    assert habits_of(anna, clock)["correspondence"] == {"finished": 3, "timeouts": 1}
    assert habits_of(ben)["correspondence"] == {"finished": 3, "timeouts": 0}


def test_answers_after_a_vacation_say_nothing_in_a_game_without_a_clock() -> None:
    answers = [Answer(MONDAY + timedelta(days=day), 60 if day else 30 * 86400, is_timed=False) for day in range(11)]
    assert usual_answer(answers, []) == timedelta(minutes=1)
    away = [(MONDAY - timedelta(days=3), MONDAY - timedelta(days=1))]
    assert usual_answer(answers, away) == timedelta(minutes=1)
    assert usual_answer(answers[:10], away) is None  # one of ten does not count
    timed = [answer._replace(is_timed=True) for answer in answers[:10]]
    assert usual_answer(timed, away) == timedelta(minutes=1)
    assert usual_answer([], []) is None


def test_an_hour_counts_once_a_day() -> None:
    evening = [MONDAY + timedelta(hours=19, minutes=minute) for minute in range(60)]
    assert usual_hours(evening) is None
    hours = [MONDAY + timedelta(days=day, hours=hour, minutes=5) for day in range(MIN_DAYS) for hour in (18, 19, 20)]
    assert len(hours) > MIN_HOURS
    found = usual_hours([*hours, *evening])
    assert found is not None and len(found) == HOURS_OF_WEEK
    assert {hour for hour, days in enumerate(found) if days} == {
        day * 24 + hour for day in range(7) for hour in (18, 19, 20)
    }
    assert set(found) == {0, 1}
    assert usual_hours([time for time in hours if time.weekday() < MIN_DAYS - 1]) is None


# ---------------------------------------------------------------------- who may know


def play_for_weeks(clock: ManualClock, anna: Browser, ben: Browser, **options: Any) -> None:
    clock.time = clock.time.replace(hour=18, minute=0)
    for _ in range(8):
        for _ in range(3):
            start_and_play(anna, ben, time="5+3", **options)
            clock.advance(hours=1)
        clock.advance(hours=21)


def test_hours_are_told_from_public_games_unless_hidden(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser
) -> None:
    play_for_weeks(clock, anna, ben)
    assert habits_of(anna, clock)["hours"] is None  # by link: nobody else sees those games
    clock.advance(days=1)
    play_for_weeks(clock, anna, ben, listed=True)
    hours = habits_of(anna, clock)["hours"]
    assert sum(hours) == 24 and {hour % 24 for hour, days in enumerate(hours) if days} == {18, 19, 20}
    assert habits_of(ben)["hours"] == hours
    assert json_of(anna.get("/me/habits")) == {"hours": True}
    assert json_of(anna.send("PUT", "/me/habits", {"hours": False})) == {"hours": False}
    assert json_of(anna.get("/me/habits")) == {"hours": False}
    assert habits_of(anna)["hours"] is None  # at once, whatever is cached
    assert habits_of(ben)["hours"] == hours
    json_of(anna.send("PUT", "/me/habits", {"hours": True}))
    assert habits_of(anna)["hours"] == hours
    clock.advance(days=181)
    assert habits_of(ben, clock)["hours"] is None  # too long ago


def test_guests_have_none_and_deleted_players_neither(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser
) -> None:
    guest = Browser(server)
    for _ in range(4):
        play_slowly(clock, guest, anna, (5, 2), time="3d")
    assert habits_of(guest, clock) == NOTHING and habits_of(anna)["answer"] == 2 * HOUR
    assert error_of(Browser(server).get("/me/habits")) == (401, "stranger")
    anna_id = anna.me()["id"]
    assert anna.delete("/me", PROOF).status_code == 204
    assert error_of(ben.get(f"/players/{anna_id}/habits")) == (404, "unknown_player")
    assert json_of(ben.get(f"/habits?players={anna_id}")) == {"players": []}


def test_a_blocked_player_sees_nothing_more(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser
) -> None:
    for _ in range(4):
        play_slowly(clock, anna, ben, (5, 2), time="3d")
    anna_id = anna.me()["id"]
    json_of(anna.send("PUT", f"/players/{ben.me()['id']}/relation", {"kind": "block"}))
    seen = [json_of(browser.get(f"/players/{anna_id}/habits")) for browser in (anna, ben, Browser(server))]
    assert seen == [seen[0]] * 3


@pytest.mark.parametrize("players", ["", "a,", "a b", ",".join("a" * 31), "x" * 33])
def test_nonsense_is_refused(anna: Browser, players: str) -> None:
    assert error_of(anna.get(f"/habits?players={players}"))[0] == 422


def test_only_the_last_games_are_read(
    server: TestClient, clock: ManualClock, anna: Browser, ben: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, the rows that are read are bounded by the statements."""
    from punct.server.habits import store

    for statement in (store._SELECT_ANSWERS, store._SELECT_TIMES, store._COUNT_FINISHED):
        assert str(statement).count(f"LIMIT {store.MAX_GAMES}") == 1, statement
    assert f"LIMIT {store.MAX_ANSWERS}" in store._SELECT_ANSWERS and f"LIMIT {store.MAX_TIMES}" in store._SELECT_TIMES


class WaitingStore:
    """Has players without games; every read waits until as many run as may."""

    def __init__(self) -> None:
        self.reads: list[str] = []
        self.most_at_once = self._running = 0
        self._lock, self._is_full = threading.Lock(), threading.Event()

    def hides_hours(self, player_id: str) -> bool:
        return False

    def read(self, player_id: str, *_: datetime) -> HabitsRows:
        with self._lock:
            self.reads.append(player_id)
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            if self._running == MAX_READS:
                self._is_full.set()
        self._is_full.wait()
        with self._lock:
            self._running -= 1
        return HabitsRows([], [], Finished(0, 0), [])


def test_few_players_are_read_at_a_time() -> None:
    store, ids = WaitingStore(), [f"player-{number}" for number in range(10)]

    async def ask() -> None:
        habits = PlayerHabits(store)  # type: ignore[arg-type]
        await asyncio.gather(*(habits.of_players(ids) for _ in range(3)), *map(habits.of_player, ids))

    asyncio.run(ask())
    assert set(store.reads) == set(ids)
    assert store.most_at_once == MAX_READS and len(store.reads) < len(ids) + MAX_READS
