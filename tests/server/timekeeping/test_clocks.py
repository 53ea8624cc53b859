"""Clocks of running games: the server's time decides, and outages take no player's time."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import PASSWORD, Browser, NewBrowser, error_of
from tests.server.two_player_games import (
    ManualClock,
    game_in_conflict,
    json_of,
    play_moves,
    post_move,
    run_timekeeper,
    start_game,
)

from punct.server.app import create_app
from punct.server.clock import SteadyClock
from punct.server.games.service import Games
from punct.server.timekeeping.heartbeat import Heartbeat

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def server(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Tells the time by a clock that jumps, which counts as no outage."""
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        yield client


@pytest.fixture
def people(server: TestClient) -> NewBrowser:
    return lambda: Browser(server)


def test_clocks_run_on_the_server(server: TestClient, people: NewBrowser, clock: ManualClock) -> None:
    anna, ben = people(), people()
    game = start_game(anna, ben, time="5+3")
    clock.advance(minutes=10)  # nobody has played
    game = play_moves(game, (anna, "Ed5ne"))
    clock.advance(minutes=10)
    game = play_moves(game, (ben, "Tl5s"))
    assert game["clock"]["ticking"] == "w" and game["clock"]["w"] == 300_000
    clock.advance(seconds=10)
    game = play_moves(game, (anna, "Tb9ne"))
    assert (game["clock"]["w"], game["clock"]["b"], game["clock"]["ticking"]) == (293_000, 300_000, "b")
    assert datetime.fromisoformat(game["clock"]["deadline"]) == clock.time + timedelta(minutes=5)
    clock.advance(seconds=20)
    ended = json_of(anna.post(f"/games/{game['id']}/resign"))
    assert ended["clock"] == {"w": 293_000, "b": 280_000, "ticking": None, "at": None, "deadline": None}


def test_the_timekeeper_ends_a_game_without_players_present(
    server: TestClient, people: NewBrowser, clock: ManualClock
) -> None:
    anna, ben = people(), people()
    live = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    days = play_moves(start_game(anna, ben, time="1d"), (anna, "Ed5ne"), (ben, "Tl5s"))
    clock.advance(seconds=61)
    run_timekeeper(server)
    ended = json_of(ben.get(f"/games/{live['id']}"))
    assert ended["outcome"] == {"winner": "b", "reason": "time"} and ended["clock"]["w"] == 0
    assert json_of(ben.get(f"/games/{days['id']}"))["outcome"] is None
    clock.advance(days=1)
    run_timekeeper(server)
    assert json_of(ben.get(f"/games/{days['id']}"))["outcome"] == {"winner": "b", "reason": "time"}


@pytest.mark.parametrize("played", [0, 1])
def test_a_correspondence_game_that_never_starts_is_aborted(
    server: TestClient, people: NewBrowser, clock: ManualClock, played: int
) -> None:
    """Its seat was taken while its owner was away: who does not know of a game does not lose it."""
    anna, ben = people(), people()
    for login, who in (("anna", anna), ("ben", ben)):
        json_of(who.post("/account", {"login": login, "password": PASSWORD}), 201)
    game = play_moves(start_game(anna, ben, time="1d", rated=True), *[(anna, "Ed5ne")][:played])
    clock.advance(days=2, hours=23)
    run_timekeeper(server)
    assert json_of(anna.get(f"/games/{game['id']}"))["outcome"] is None
    clock.advance(hours=1, seconds=1)
    run_timekeeper(server)
    assert error_of(anna.get(f"/games/{game['id']}")) == (404, "unknown_game")
    assert anna.get("/me").json()["ratings"] == ben.get("/me").json()["ratings"] == []


@pytest.mark.parametrize("is_draw_offered", [False, True])
def test_a_rematch_offered_after_the_flag_fell_starts_no_game(
    people: NewBrowser, clock: ManualClock, is_draw_offered: bool
) -> None:
    anna, ben = people(), people()
    game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    if is_draw_offered:
        json_of(anna.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
    clock.advance(seconds=61)
    late = ben.post(f"/games/{game['id']}/offers", {"kind": "rematch"})
    assert error_of(late) == (409, "game_over")
    ended = game_in_conflict(late)
    assert ended["outcome"] == {"winner": "b", "reason": "time"} and ended["next"] is None
    assert json_of(anna.get("/games"))["total"] == 1


def test_a_first_correspondence_move_is_accepted_until_the_abort(
    server: TestClient, people: NewBrowser, clock: ManualClock
) -> None:
    """Either side has at least three days for it, and then as long as the game says."""
    anna, ben = people(), people()
    game = start_game(anna, ben, time="1d")
    clock.advance(days=3, seconds=1)
    game = play_moves(game, (anna, "Ed5ne"))
    clock.advance(days=2, hours=23)
    run_timekeeper(server)
    game = play_moves(game, (ben, "Tl5s"))
    clock.advance(days=1, seconds=1)
    run_timekeeper(server)
    assert json_of(anna.get(f"/games/{game['id']}"))["outcome"] == {"winner": "b", "reason": "time"}


def test_a_live_game_that_never_starts_is_aborted(server: TestClient, people: NewBrowser, clock: ManualClock) -> None:
    anna, ben = people(), people()
    waits, days, untimed = (start_game(anna, ben, time=time) for time in ("5+3", "3d", "none"))
    begun = play_moves(start_game(anna, ben, time="30+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    clock.advance(minutes=14)
    run_timekeeper(server)
    waits = play_moves(waits, (anna, "Ed5ne"))
    clock.advance(minutes=14)
    run_timekeeper(server)
    assert json_of(anna.get(f"/games/{waits['id']}"))["ply"] == 1  # something happened 14 minutes ago
    clock.advance(minutes=1)
    run_timekeeper(server)
    assert error_of(anna.get(f"/games/{waits['id']}")) == (404, "unknown_game")
    assert all(json_of(anna.get(f"/games/{game['id']}"))["outcome"] is None for game in (days, untimed, begun))


def test_a_move_that_comes_too_late_ends_the_game(server: TestClient, people: NewBrowser, clock: ManualClock) -> None:
    anna, ben = people(), people()
    game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    clock.advance(seconds=60, milliseconds=100)  # the timekeeper would still wait for what may be on its way
    late = post_move(anna, game, "Tb9ne")
    assert error_of(late) == (409, "game_over")
    ended = json_of(anna.get(f"/games/{game['id']}"))
    assert ended["ply"] == 2 and ended["outcome"] == {"winner": "b", "reason": "time"}
    assert game_in_conflict(late) == ended


@pytest.mark.parametrize("time", ["1+0", "1d"])
@pytest.mark.parametrize("wish", ["draw", "undo", "resign", "their resignation", "decline", "offer"])
def test_nothing_is_accepted_after_the_flag_fell(
    server: TestClient, people: NewBrowser, clock: ManualClock, time: str, wish: str
) -> None:
    """Whoever asks for what: the flag has fallen, and the timekeeper has only not looked yet."""
    anna, ben = people(), people()
    game = play_moves(start_game(anna, ben, time=time), (anna, "Ed5ne"), (ben, "Tl5s"))
    path, offered = f"/games/{game['id']}", wish if wish in ("draw", "undo") else "draw"
    json_of(ben.post(f"{path}/offers", {"kind": offered}))
    clock.advance(**({"days": 1} if time == "1d" else {"minutes": 1}), milliseconds=501)
    match wish:
        case "resign":
            late = anna.post(f"{path}/resign")
        case "their resignation":
            late = ben.post(f"{path}/resign")
        case "decline":
            late = anna.delete(f"{path}/offers")
        case "offer":
            late = ben.post(f"{path}/offers", {"kind": "undo"})
        case _:
            late = anna.post(f"{path}/offers/accept", {"kind": wish})
    assert error_of(late) == (409, "game_over")
    assert game_in_conflict(late)["outcome"] == {"winner": "b", "reason": "time"}


def test_a_late_action_loses_on_time_though_the_opponent_waits_for_lag(
    server: TestClient, people: NewBrowser, clock: ManualClock
) -> None:
    anna, ben = people(), people()
    game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    path = f"/games/{game['id']}"
    json_of(ben.post(f"{path}/offers", {"kind": "draw"}))
    clock.advance(seconds=60, milliseconds=100)
    json_of(ben.delete(f"{path}/offers"))  # he cannot know whether her turn is on its way
    json_of(ben.post(f"{path}/offers", {"kind": "draw"}))
    late = anna.post(f"{path}/offers/accept", {"kind": "draw"})
    assert error_of(late) == (409, "game_over") and game_in_conflict(late)["outcome"] == {
        "winner": "b",
        "reason": "time",
    }


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_slow_store_takes_no_time(
    server: TestClient, people: NewBrowser, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Whether a move waits for others to be stored, or the disk takes its time: who is next knows of it only then."""
    anna, ben = people(), people()
    game = play_moves(start_game(anna, ben, time="5+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
    database = server.app.state.services.get(Games)._store.database  # type: ignore[attr-defined]
    writing = database.write_transaction

    slow = [where]

    @contextlib.contextmanager
    def writing_slowly() -> Iterator[object]:
        now = slow.pop() if slow else None  # once
        if now == "before":
            clock.advance(seconds=2.5)
        with writing() as connection:
            yield connection
        if now == "after":
            clock.advance(seconds=2.5)

    clock.advance(seconds=1)
    monkeypatch.setattr(database, "write_transaction", writing_slowly)
    game = play_moves(game, (anna, "Tb9ne"))
    assert game["clock"]["w"] == 299_000  # hers ended when the move came in
    assert datetime.fromisoformat(game["clock"]["at"]) == clock.time
    clock.advance(seconds=1)
    stored = json_of(people().get(f"/games/{game['id']}"))
    assert stored["clock"] == game["clock"] and stored["revision"] == game["revision"]
    assert play_moves(game, (ben, "Tl9ne"))["clock"]["b"] == 299_000


@pytest.mark.parametrize("seconds", [2, 5, 3600])
def test_time_of_an_outage_is_given_back(tmp_path: Path, clock: ManualClock, seconds: int) -> None:
    """Also a short one, from the very moment the server ended; what another process may have served is not one."""
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben = Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        for _ in range(27):
            clock.advance(seconds=2)
            run_timekeeper(client)
        clock.advance(seconds=1)  # since the last beat but one
    clock.advance(seconds=seconds)
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        ben.client = anna.client = client
        after = json_of(ben.get(f"/games/{game['id']}"))
        assert after["outcome"] is None
        at = datetime.fromisoformat(after["clock"]["at"])
        lost = 2 if seconds == 2 else 0
        assert clock.time - at == (55 + lost) * SECOND
        assert after["revision"] == game["revision"] + (seconds > 2)
        after = play_moves(after, (anna, "Tb9ne"))
        assert after["clock"]["w"] == 5000 - lost * 1000


def test_a_system_clock_set_back_during_an_outage_gives_no_time(tmp_path: Path, clock: ManualClock) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben = Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        for _ in range(10):
            clock.advance(seconds=2)
            run_timekeeper(client)
    clock.advance(hours=-1)
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        ben.client = anna.client = client
        clock.advance(seconds=2)
        run_timekeeper(client)
        after = play_moves(json_of(ben.get(f"/games/{game['id']}")), (anna, "Tb9ne"))
        assert after["clock"]["w"] == 38_000


def test_the_steady_clock_ignores_a_system_clock_set_back() -> None:
    times = {"wall": NOW, "elapsed": 5.0}
    clock = SteadyClock(lambda: times["wall"], lambda: times["elapsed"])  # type: ignore[arg-type, return-value]

    def passes(seconds: float, wall: float | None = None) -> timedelta:
        times["elapsed"] += seconds  # type: ignore[operator]
        times["wall"] += timedelta(seconds=seconds if wall is None else wall)  # type: ignore[operator]
        return clock() - NOW

    assert passes(10) == 10 * SECOND
    assert passes(1, wall=-3600) == 11 * SECOND and passes(20) == 31 * SECOND
    assert passes(0, wall=3600.5) == 30.5 * SECOND  # set right again, but for a little
    assert passes(1, wall=0.5) == 31 * SECOND  # corrected a little
    assert passes(1, wall=600) == 631 * SECOND  # set ahead


@pytest.mark.parametrize("where", ["before a move", "after a beat", "among the overdue"])
def test_a_suspended_process_takes_no_time(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben = Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        services = client.app.state.services  # type: ignore[attr-defined]
        clock.advance(seconds=2)
        if where == "before a move":
            clock.advance(seconds=90)
        elif where == "after a beat":
            stand_still(monkeypatch, clock, services.get(Heartbeat)._store, "beat")
            run_timekeeper(client)
        else:
            stand_still(monkeypatch, clock, services.get(Games)._store, "overdue")
            run_timekeeper(client)
        after = play_moves(game, (anna, "Tb9ne"))
        assert after["outcome"] is None and 57_000 <= after["clock"]["w"] <= 60_000


def test_no_older_clock_is_sent_after_a_move_that_ends_an_outage(tmp_path: Path, clock: ManualClock) -> None:
    """The clock is adjusted before the move, and the game is read again beside it: whichever is sent first."""
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, ben, eve = Browser(client), Browser(client), Browser(client)
        game = play_moves(start_game(anna, ben, time="1+0"), (anna, "Ed5ne"), (ben, "Tl5s"))
        with connect_to_game(eve, game) as socket:
            revisions = [next_message(socket, "game")["game"]["revision"]]
            clock.advance(seconds=90)
            after = play_moves(game, (anna, "Tb9ne"))
            assert after["revision"] == game["revision"] + 2 and after["clock"]["w"] >= 57_000
            last = play_moves(after, (ben, "Tl9ne"))
            while revisions[-1] < last["revision"]:
                revisions.append(next_message(socket, "game")["game"]["revision"])
            assert revisions == sorted(revisions)


def stand_still(monkeypatch: pytest.MonkeyPatch, clock: ManualClock, store: object, what: str) -> None:
    """Have the process stand still after something it does next, once."""
    does: Callable[..., object] = getattr(store, what)
    done: list[object] = []

    def then_stand(*asked: object) -> object:
        found = does(*asked)
        if not done:
            done.append(found)
            clock.advance(seconds=90)
        return found

    monkeypatch.setattr(store, what, then_stand)
