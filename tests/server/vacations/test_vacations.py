"""Vacations and agreed pauses: all days games of a player stand, on both databases, whoever is killed meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, update
from starlette.testclient import TestClient
from tests.server.online_client import PASSWORD, Browser, NewBrowser, error_of
from tests.server.two_player_games import ManualClock, json_of, play_moves, run_timekeeper, start_game

from punct.server.app import create_app
from punct.server.db.outbox import NoticeKind
from punct.server.db.sql import sql
from punct.server.db.tables import GAMES
from punct.server.notifications.model import NoticeSettings, StoredNotice
from punct.server.notifications.service import Notifications
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.vacations import service as vacation_service
from punct.server.vacations.service import Vacations
from punct.server.vacations.store import VacationStore
from punct.server.vacations.wording import vacation_message

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(store_url: Path | str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Tells the time by a clock that jumps, which counts as no outage."""
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr("punct.server.timekeeping.service.CHECK_SECONDS", 1e6)  # tests say when
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield client


@pytest.fixture
def people(server: TestClient) -> NewBrowser:
    return lambda: Browser(server)


@pytest.fixture
def anna(people: NewBrowser) -> Browser:
    return account(people(), "anna", "Anna")


@pytest.fixture
def ben(people: NewBrowser) -> Browser:
    return account(people(), "ben", "Ben")


def account(browser: Browser, login: str, name: str) -> Browser:
    json_of(browser.post("/account", {"login": login, "name": name, "password": PASSWORD}), 201)
    return browser


def begun_game(white: Browser, black: Browser, time: str = "1d", **options: object) -> dict[str, Any]:
    return play_moves(start_game(white, black, time=time, **options), (white, "Ed5ne"), (black, "Tl5s"))


def game_of(browser: Browser, game: dict[str, Any]) -> dict[str, Any]:
    return json_of(browser.get(f"/games/{game['id']}"))


def notices_of(server: TestClient, browser: Browser, kind: NoticeKind, clock: ManualClock) -> list[StoredNotice]:
    player_id = browser.get("/me").json()["player"]["id"]
    notifications = server.app.state.services.get(Notifications)  # type: ignore[attr-defined]
    due = notifications.store.due_notices(clock.time + 99 * DAY)
    return [notice for notice in due if (notice.player_id, notice.kind) == (player_id, kind)]


def test_a_vacation_stops_all_days_games_and_says_so(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    days, bank, live = (begun_game(anna, ben, time) for time in ("1d", "7d+12h/10d", "5+3"))
    over = begun_game(anna, ben)
    json_of(ben.post(f"/games/{over['id']}/resign"))
    clock.advance(hours=6)
    answer = json_of(anna.post("/me/vacations", {"days": 10}), 201)
    until = (clock.time + 10 * DAY).isoformat().replace("+00:00", "Z")
    assert [(each["days"], each["current"]) for each in answer["vacations"]] == [(10, True)]
    for game, hours in ((days, 18), (bank, 162)):
        paused = game_of(ben, game)
        assert [(pause["by"], pause["until"][:19]) for pause in paused["pauses"]] == [("w", until[:19])]
        assert (paused["clock"]["ticking"], paused["clock"]["deadline"]) == (None, None)
        assert paused["clock"]["w"] == hours * 3_600_000
        assert paused["revision"] == game["revision"] + 1
    assert game_of(ben, live)["pauses"] == game_of(ben, over)["pauses"] == []
    listed = {game["id"]: game["pauses"] for game in json_of(ben.get("/games"))["games"]}
    assert listed[days["id"]] and not listed[over["id"]]
    clock.advance(days=9)
    run_timekeeper(server)
    days = play_moves(game_of(anna, days), (anna, "Tb9ne"))  # a move in a vacation ends nothing
    assert days["clock"]["ticking"] is None and days["pauses"]
    clock.advance(days=1)
    run_timekeeper(server)
    resumed, waits = game_of(ben, days), game_of(ben, bank)
    assert resumed["pauses"] == waits["pauses"] == []
    assert (resumed["clock"]["ticking"], waits["clock"]["ticking"], waits["clock"]["w"]) == ("b", "w", 162 * 3_600_000)
    clock.advance(days=1, seconds=1)
    run_timekeeper(server)
    assert game_of(ben, days)["outcome"] == {"winner": "w", "reason": "time"}


def test_opponents_are_told_once_of_a_vacation_and_of_its_end(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    for _ in range(3):
        begun_game(ben, anna)
    json_of(anna.post("/me/vacations", {"days": 3}), 201)
    (begun,) = notices_of(server, ben, "vacation", clock)
    message = asyncio.run(vacation_message(begun, NoticeSettings({}), clock.time))
    assert message is not None and message.title == "Anna is on vacation"
    assert f"{clock.time + 3 * DAY:%Y-%m-%d}" in message.body
    assert not notices_of(server, anna, "vacation", clock)
    json_of(anna.delete("/me/vacations"))
    resumed = [notice for notice in notices_of(server, ben, "turn", clock) if notice.data.get("resumed")]
    assert len(resumed) == 3  # it is Ben's turn in all of them: that they go on is said with it
    assert len(notices_of(server, ben, "time", clock)) == 3


def test_the_days_of_a_year_are_counted(anna: Browser, clock: ManualClock) -> None:
    clock.time = clock.time.replace(month=12, day=20, hour=12)
    year = clock.time.year
    assert json_of(anna.get("/me/vacations"))["years"] == [{"year": year, "left": 30}, {"year": year + 1, "left": 30}]
    assert error_of(anna.post("/me/vacations", {"days": 60})) == (409, "vacation_refused")
    answer = json_of(anna.post("/me/vacations", {"days": 20}), 201)  # 12 in this year, 8 in the next
    assert answer["years"] == [{"year": year, "left": 18}, {"year": year + 1, "left": 22}]
    assert error_of(anna.post("/me/vacations", {"days": 1})) == (409, "vacation_refused")  # they overlap
    clock.advance(hours=30)
    answer = json_of(anna.delete("/me/vacations"))
    assert answer["vacations"] == [] and answer["years"][0]["left"] == 28  # a day that has begun is used
    assert error_of(anna.delete("/me/vacations")) == (404, "unknown_vacation")
    assert error_of(anna.post("/me/vacations", {"days": 1, "begins": "2020-01-01T00:00:00Z"})) == (
        409,
        "vacation_refused",
    )
    clock.advance(days=20)
    assert json_of(anna.get("/me/vacations"))["years"] == [
        {"year": year + 1, "left": 30},
        {"year": year + 2, "left": 30},
    ]


def test_a_planned_vacation_begins_by_itself_or_is_cancelled(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    game = begun_game(anna, ben, "3d")
    begins = [(clock.time + days * DAY).isoformat() for days in (1, 20)]
    for begin in begins:
        json_of(anna.post("/me/vacations", {"days": 5, "begins": begin}), 201)
    assert game_of(ben, game)["pauses"] == []
    left = json_of(anna.delete(f"/me/vacations?begins={begins[1].replace('+00:00', 'Z')}"))
    assert left["vacations"][0]["begins"][:19] == begins[0][:19] and len(left["vacations"]) == 1
    clock.advance(days=3, hours=1)  # the timekeeper was away: the clock stands since the vacation began
    run_timekeeper(server)
    paused = game_of(ben, game)
    assert paused["outcome"] is None and paused["pauses"][0]["by"] == "w"
    assert paused["clock"]["w"] == 2 * 24 * 3_600_000


def test_a_new_game_and_a_rematch_begin_paused(anna: Browser, ben: Browser) -> None:
    game = begun_game(anna, ben)
    json_of(anna.post("/me/vacations", {"days": 2}), 201)
    begun = start_game(anna, ben, time="3d")
    assert begun["pauses"][0]["by"] == "w" and begun["clock"]["deadline"] is None
    live = start_game(anna, ben, time="5+3")
    assert live["pauses"] == []
    json_of(ben.post(f"/games/{game['id']}/resign"))
    json_of(anna.post(f"/games/{game['id']}/offers", {"kind": "rematch"}))
    after = json_of(ben.post(f"/games/{game['id']}/offers/accept", {"kind": "rematch"}))
    rematch = json_of(ben.get(f"/games/{after['next']}"))
    assert [pause["by"] for pause in rematch["pauses"]] == ["b"]


def test_guests_have_no_vacation(people: NewBrowser) -> None:
    guest = people()
    assert error_of(guest.post("/me/vacations", {"days": 1}))[0] in (401, 403)
    guest.post("/me", {"name": "Gast"})
    assert error_of(guest.post("/me/vacations", {"days": 1})) == (403, "no_account")


def test_a_repeated_request_takes_the_days_once(anna: Browser) -> None:
    for _ in range(2):
        answer = json_of(anna.post("/me/vacations", {"days": 4}, idempotency_key="one-vacation"), 201)
    assert answer["years"][0]["left"] + answer["years"][1]["left"] == 56


def test_a_server_killed_in_between_goes_on(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the pauses that are missing nor those that are left over stay so."""
    monkeypatch.setattr(vacation_service, "SLICE", 2)
    games = [begun_game(anna, ben) for _ in range(5)]
    store_settle: Callable[..., Any] = VacationStore.settle
    calls: list[int] = []

    def killed_after_one(self: VacationStore, game_ids: Any, now: Any) -> Any:
        calls.append(len(game_ids))
        if len(calls) == 2:
            raise RuntimeError("killed")
        return store_settle(self, game_ids, now)

    for begin in (True, False):
        calls.clear()
        with monkeypatch.context() as patch:
            patch.setattr(VacationStore, "settle", killed_after_one)
            answer = anna.post("/me/vacations", {"days": 4}) if begin else anna.delete("/me/vacations")
            assert answer.status_code == 500
        paused = [bool(game_of(ben, game)["pauses"]) for game in games]
        assert sorted(paused) == [False, False, False, True, True] if begin else [False, False, True, True, True]
        services = server.app.state.services  # type: ignore[attr-defined]
        services.get(Vacations)._last = None  # as a process that has just begun
        clock.advance(minutes=10)
        run_timekeeper(server)
        assert [bool(game_of(ben, game)["pauses"]) for game in games] == [begin] * 5
    revisions = [game_of(ben, game)["revision"] for game in games]
    run_timekeeper(server)
    assert [game_of(ben, game)["revision"] for game in games] == revisions


def test_both_agree_on_a_pause_and_either_ends_it(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    game = begun_game(anna, ben, "3d")
    path = f"/games/{game['id']}"
    assert error_of(ben.post(f"{path}/resume")) == (409, "not_possible")
    clock.advance(days=1)
    assert json_of(anna.post(f"{path}/offers", {"kind": "pause"}))["offer"] == {"kind": "pause", "by": "w"}
    paused = json_of(ben.post(f"{path}/offers/accept", {"kind": "pause"}))
    assert [pause["by"] for pause in paused["pauses"]] == [None] and paused["offer"] is None
    assert (paused["clock"]["ticking"], paused["clock"]["w"]) == (None, 2 * 24 * 3_600_000)
    assert error_of(anna.post(f"{path}/offers", {"kind": "pause"})) == (409, "not_possible")
    clock.advance(days=13)
    run_timekeeper(server)
    assert json_of(ben.get(path))["pauses"]
    resumed = json_of(ben.post(f"{path}/resume"))
    assert resumed["pauses"] == [] and resumed["clock"]["ticking"] == "w"
    assert notices_of(server, anna, "turn", clock)[0].data["resumed"]
    json_of(anna.post(f"{path}/offers", {"kind": "pause"}))
    json_of(ben.post(f"{path}/offers", {"kind": "pause"}))  # both offer it: agreed
    json_of(anna.post("/me/vacations", {"days": 20}), 201)
    assert [pause["by"] for pause in json_of(ben.get(path))["pauses"]] == [None, "w"]
    clock.advance(days=14)
    run_timekeeper(server)
    assert [pause["by"] for pause in json_of(ben.get(path))["pauses"]] == ["w"]
    clock.advance(days=6)
    run_timekeeper(server)
    assert json_of(ben.get(path))["clock"]["ticking"] == "w"
    assert json_of(ben.post(f"{path}/resign"))["pauses"] == []


@pytest.mark.parametrize("time", ["5+3", "none"])
def test_only_days_games_pause(anna: Browser, ben: Browser, time: str) -> None:
    game = begun_game(anna, ben, time)
    assert error_of(anna.post(f"/games/{game['id']}/offers", {"kind": "pause"})) == (409, "not_possible")


def test_an_outage_moves_no_clock_that_stands(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    game = begun_game(anna, ben, "3d")
    json_of(anna.post("/me/vacations", {"days": 5}), 201)
    before = game_of(ben, game)
    services = server.app.state.services  # type: ignore[attr-defined]
    heartbeat = services.get(Heartbeat)
    assert server.portal is not None
    server.portal.call(heartbeat.beat, clock.time)
    heartbeat._min_outage = timedelta(seconds=6)
    clock.advance(hours=8)
    server.portal.call(heartbeat.beat, clock.time)
    assert game_of(ben, game) == before


def test_a_deleted_account_leaves_no_pause(server: TestClient, anna: Browser, ben: Browser, clock: ManualClock) -> None:
    game = begun_game(anna, ben)
    json_of(anna.post("/me/vacations", {"days": 5}), 201)
    assert anna.delete("/me", {"password": PASSWORD}).status_code == 204
    ended = game_of(ben, game)
    assert ended["outcome"] == {"winner": "b", "reason": "resignation"} and ended["pauses"] == []
    clock.advance(days=6)
    run_timekeeper(server)
    assert game_of(ben, game)["revision"] == ended["revision"]


def test_the_games_of_a_guest_who_logs_in_stand_too(
    server: TestClient, people: NewBrowser, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    json_of(anna.post("/me/vacations", {"days": 5}), 201)
    guest = people()
    game = begun_game(guest, ben)
    assert game["pauses"] == []
    json_of(guest.post("/session", {"login": "anna", "password": PASSWORD}))
    clock.advance(minutes=11)
    run_timekeeper(server)
    assert [pause["by"] for pause in game_of(ben, game)["pauses"]] == ["w"]


def test_a_damaged_game_keeps_no_other_from_being_settled(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    damaged, other = begun_game(anna, ben), begun_game(anna, ben)
    notifications = server.app.state.services.get(Notifications)  # type: ignore[attr-defined]
    statement = sql(update(GAMES).where(GAMES.c.id == bindparam("game")).values(time=bindparam("text")))
    values = {"game": damaged["id"], "text": "99d"}
    notifications.store.database.change(lambda connection: connection.execute(statement, values) and None).result()
    json_of(anna.post("/me/vacations", {"days": 5}), 201)
    assert game_of(ben, other)["pauses"]
    run_timekeeper(server)


def test_games_that_stay_as_they_are_hold_up_no_others(
    server: TestClient, anna: Browser, ben: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many they are."""
    monkeypatch.setattr("punct.server.vacations.store.MAX_UNSETTLED", 2)
    *damaged, last = sorted((begun_game(anna, ben) for _ in range(5)), key=lambda game: str(game["id"]))
    database = server.app.state.services.get(Notifications).store.database  # type: ignore[attr-defined]
    statement = sql(update(GAMES).where(GAMES.c.id == bindparam("game")).values(time=bindparam("text")))
    rows = [{"game": game["id"], "text": "99d"} for game in damaged]
    database.change(lambda connection: connection.executemany(statement, rows) and None).result()
    json_of(anna.post("/me/vacations", {"days": 5}), 201)
    assert game_of(ben, last)["pauses"]


def test_nobody_loses_on_time_whose_vacation_has_begun(
    server: TestClient, anna: Browser, ben: Browser, clock: ManualClock
) -> None:
    """Its step that stops the clock is late, and the opponent is quicker."""
    game = begun_game(anna, ben)
    begins = (clock.time + timedelta(hours=20)).isoformat()
    json_of(anna.post("/me/vacations", {"begins": begins, "days": 3}), 201)
    clock.advance(days=1, seconds=5)
    assert error_of(ben.post(f"/games/{game['id']}/offers", {"kind": "draw"})) == (409, "wrong_ply")
    assert game_of(ben, game)["outcome"] is None
    run_timekeeper(server)
    paused = game_of(ben, game)
    assert paused["pauses"] and paused["clock"]["w"] == 4 * 3_600_000
    json_of(ben.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
    # A vacation that begins when the time is up already saves nobody.
    late = begun_game(anna, ben)
    clock.advance(days=3, seconds=5)
    run_timekeeper(server)
    assert not game_of(ben, late)["pauses"]
    clock.advance(days=1, hours=1)
    json_of(anna.post("/me/vacations", {"days": 3}), 201)
    run_timekeeper(server)
    assert game_of(ben, late)["outcome"] == {"winner": "b", "reason": "time"}


def test_resigning_before_both_have_played_counts_for_no_rating(anna: Browser, ben: Browser) -> None:
    game = start_game(anna, ben, time="7d+12h/10d-wd", rated=True)
    ended = json_of(ben.post(f"/games/{game['id']}/resign"))
    assert ended["outcome"]["reason"] == "resignation"
    assert anna.get("/me").json()["ratings"] == ben.get("/me").json()["ratings"] == []
