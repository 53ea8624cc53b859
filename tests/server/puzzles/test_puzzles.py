"""Puzzle progress of accounts: the first try counts, once, for its player and for the puzzle."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, delete
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.polling import TIMEOUT_SECONDS
from tests.server.online_client import API, PROOF, Browser, NewBrowser, create_account, error_of, log_in
from tests.server.still_limits import stop_clock
from tests.server.two_player_games import ManualClock, json_of

from punct import puzzles
from punct.glicko import MIN_DEVIATION, Rating
from punct.server.app import create_app
from punct.server.auth.sessions import Sessions
from punct.server.db.locks import lock_player
from punct.server.db.sql import sql
from punct.server.db.tables import PLAYERS
from punct.server.http.rate_limits import PUZZLE_ATTEMPTS
from punct.server.puzzles import store as puzzle_store
from punct.server.puzzles.service import PUZZLE_DEVIATION, Puzzles, initial_puzzle_rating, rate_tries
from punct.server.puzzles.store import StoredSkill, StoredTry

SHIPPED = {puzzle.id: puzzle.rating for puzzle in puzzles.shipped()}
IDS = sorted(SHIPPED, key=lambda id: abs(SHIPPED[id] - 700))
"""As hard as a newcomer is strong first: each try moves both ratings."""
NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)


def tried(puzzle: str, solved: bool = True, **told: object) -> dict[str, object]:
    return {"puzzle": puzzle, "solved": solved, "at": "2026-11-17T12:00:00Z", "mode": "strength", **told}


def record_tries(browser: Browser, *tries: dict[str, object], **headers: str) -> Any:
    return json_of(browser.post("/puzzles/tries", {"tries": tries}, **headers))


def standing(browser: Browser) -> Any:
    return json_of(browser.get("/puzzles/standing"))


def ratings(browser: Browser) -> Any:
    return json_of(browser.get("/puzzles/ratings"))["ratings"]


# ---------------------------------------------------------------------- what counts


def test_a_solved_puzzle_raises_the_player_and_lowers_the_puzzle(new_browser: NewBrowser) -> None:
    (anna, _), (ben, _) = create_account(new_browser), create_account(new_browser)
    nothing = {"rating": 700, "deviation": 200, "provisional": True, "tries": 0, "solved": 0}
    assert standing(anna) == {**nothing, "best_streak": 0, "best_rush": 0, "days": [], "tried": {}}
    solved, missed = IDS[0], IDS[1]
    answer = record_tries(anna, tried(solved), tried(missed, solved=False))
    assert answer["standing"] == standing(anna) and answer["puzzles"].keys() == {solved, missed}
    told = answer["standing"]
    assert (told["tries"], told["solved"], told["tried"]) == (2, 1, {solved: True, missed: False})
    assert told["deviation"] < 200
    assert answer["puzzles"][solved] < SHIPPED[solved] and answer["puzzles"][missed] > SHIPPED[missed]
    assert {puzzle: rating for puzzle, rating in ratings(ben).items() if puzzle in (solved, missed)} == answer[
        "puzzles"
    ]
    before = standing(ben)["rating"]
    assert record_tries(ben, tried(solved))["standing"]["rating"] > before
    assert standing(anna) == told  # what others try does not change how she stands


@pytest.mark.parametrize("mode", ["streak", "rush"])
def test_tries_of_a_run_are_stored_unrated(new_browser: NewBrowser, mode: str) -> None:
    anna, _ = create_account(new_browser)
    run = record_tries(anna, tried(IDS[7], solved=False, mode=mode), tried(IDS[8], mode=mode))["standing"]
    assert (run["rating"], run["deviation"]) == (700, 200)
    assert run["tried"] == {IDS[7]: False, IDS[8]: True}
    assert record_tries(anna, tried(IDS[9], solved=False))["standing"]["rating"] < 700


def test_only_the_first_try_counts(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    first = record_tries(anna, tried(IDS[2], solved=False))
    assert record_tries(anna, tried(IDS[2])) == first
    again = record_tries(anna, tried(IDS[3]), tried(IDS[2]), tried(IDS[3], solved=False))
    assert again["standing"]["tried"] == {IDS[2]: False, IDS[3]: True}
    assert again["puzzles"][IDS[2]] == first["puzzles"][IDS[2]]


def test_a_repeated_request_with_one_key_counts_once(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    first = record_tries(anna, tried(IDS[4]), Idempotency_Key="lost")
    assert record_tries(anna, tried(IDS[4]), Idempotency_Key="lost") == first
    other = {"tries": [tried(IDS[5])]}
    assert error_of(anna.post("/puzzles/tries", other, Idempotency_Key="lost")) == (422, "key_reused")
    assert standing(anna) == first["standing"]
    anna.post("/challenges", {}, Idempotency_Key="challenge")
    assert error_of(anna.post("/puzzles/tries", other, Idempotency_Key="challenge")) == (422, "key_reused")


def test_an_unknown_puzzle_refuses_the_whole_request(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    for unknown in (["nosuch"], ["another", "nosuch"]):
        answer = anna.post("/puzzles/tries", {"tries": [tried(IDS[6]), *map(tried, unknown)]})
        assert error_of(answer) == (422, "unknown_puzzle")
        assert answer.json()["error"]["detail"] == {"puzzles": unknown}
        assert answer.json()["error"]["message"].startswith(unknown[0])
    assert standing(anna)["tries"] == 0
    malformed: list[dict[str, object]] = [
        {},
        {"tries": []},
        {"tries": [tried(IDS[6])] * 101},
        {"tries": [tried("../etc")]},
        {"tries": [tried(IDS[6], mode="guess")]},
        {"tries": [tried(IDS[6], at="yesterday")]},
        {"tries": [tried(IDS[6], at="2026-11-17T12:00:00")]},  # of which time zone?
        {"tries": [tried(IDS[6], day="2026-13-01")]},
        {"tries": [tried(IDS[6], rating=2000)]},
    ]
    for body in malformed:
        assert error_of(anna.post("/puzzles/tries", body)) == (422, "malformed"), body
    assert record_tries(anna, *[tried(IDS[6])] * 100)["standing"]["tries"] == 1


def test_wrong_clocks_of_clients_change_nothing(tmp_path: Path) -> None:
    clock = ManualClock()
    clock.time = NOW
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, _ = create_account(lambda: Browser(client))
        told = [
            tried(IDS[0], at="9999-12-31T23:59:59-14:00"),
            tried(IDS[1], at="0001-01-01T00:00:00+14:00"),
            tried(IDS[2], at="2026-11-17T13:00:00+02:00"),
        ]
        record_tries(anna, *told)
        store = client.app.state.services.get(Puzzles)._store  # type: ignore[attr-defined]
        kept = dict(store._database.fetch_all("SELECT puzzle, at FROM puzzle_tries"))
        assert kept == {
            IDS[0]: "2026-11-17 12:00:00.000000",
            IDS[1]: "2026-01-01 00:00:00.000000",
            IDS[2]: "2026-11-17 11:00:00.000000",
        }
        certain = standing(anna)["deviation"]
        clock.advance(days=300)
        assert standing(anna)["deviation"] > certain and standing(anna)["rating"] != 700


def test_days_with_a_solved_daily_puzzle_are_listed(tmp_path: Path) -> None:
    clock = ManualClock()
    clock.time = NOW
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna, _ = create_account(lambda: Browser(client))
        record_tries(anna, tried(IDS[0], mode="theme"), tried(IDS[1], mode="day", solved=False))
        assert standing(anna)["days"] == []
        # A day's puzzle may be one that was tried before; and a second try of it is one that solves it.
        told = record_tries(anna, tried(IDS[0], mode="day"), tried(IDS[1], mode="day", at="2026-11-16T23:00:00-08:00"))
        assert told["standing"]["days"] == ["2026-11-17"] and told["standing"]["solved"] == 1
        for day in ("2026-11-14", "2026-11-18", "2026-11-14", "2026-11-19", "1970-01-01"):
            told = record_tries(anna, tried(IDS[2], mode="day", day=day))
        assert told["standing"]["days"] == ["2026-11-14", "2026-11-17", "2026-11-18"]  # it is the 18th somewhere
        record_tries(anna, tried(IDS[3], mode="rush", day="2026-11-01"))
        assert standing(anna)["days"] == told["standing"]["days"]


def test_personal_bests_never_decrease(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)

    def put(**bests: int) -> tuple[int, int]:
        told = json_of(anna.send("PUT", "/puzzles/bests", bests))
        assert told == standing(anna) and told["rating"] == 700
        return told["best_streak"], told["best_rush"]

    assert put(best_streak=7) == (7, 0)
    assert put(best_rush=20, best_streak=3) == (7, 20)
    assert put() == (7, 20)
    assert record_tries(anna, tried(IDS[0]))["standing"]["best_streak"] == 7
    for bests in ({"best_streak": -1}, {"best_rush": 10**6}, {"best_rush": "many"}, {"rating": 3000}):
        assert error_of(anna.send("PUT", "/puzzles/bests", bests)) == (422, "malformed")


# ---------------------------------------------------------------------- who may


def test_guests_and_tokens_have_no_puzzle_progress(new_browser: NewBrowser) -> None:
    def asked(who: Browser) -> set[tuple[int, str]]:
        return {
            error_of(who.get("/puzzles/standing")),
            error_of(who.post("/puzzles/tries", {"tries": [tried(IDS[0])]})),
            error_of(who.send("PUT", "/puzzles/bests", {"best_rush": 5})),
        }

    stranger, guest, (bot, _) = new_browser(), new_browser(), create_account(new_browser)
    assert asked(stranger) == {(401, "stranger")} and stranger.cookie is None  # nor is a guest made for it
    guest.post("/me")
    assert asked(guest) == {(403, "no_account")}
    bot.post("/me/bot", PROOF)
    assert asked(bot) == {(403, "no_account")}
    assert isinstance(ratings(stranger), dict)


def test_there_is_no_puzzle_progress_at_home(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        for method, path, body in (
            ("GET", "standing", None),
            ("GET", "ratings", None),
            ("POST", "tries", {"tries": [tried(IDS[0])]}),
            ("PUT", "bests", {"best_rush": 5}),
        ):
            assert error_of(client.request(method, f"{API}/puzzles/{path}", json=body)) == (409, "not_offered")


def test_a_token_reads_but_cannot_send_tries(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    record_tries(anna, tried(IDS[0]))
    for scopes in (["read"], ["challenge", "play"]):
        bearer = {"authorization": f"Bearer {anna.token(*scopes)['secret']}"}
        read = anna.client.get(f"{API}/puzzles/standing", headers=bearer)
        if "read" in scopes:
            assert read.json() == standing(anna)
        else:
            assert error_of(read) == (403, "not_in_scope")
        assert anna.client.get(f"{API}/puzzles/ratings", headers=bearer).status_code == 200
        for method, path, body in (("POST", "tries", {"tries": [tried(IDS[1])]}), ("PUT", "bests", {"best_rush": 5})):
            answer = anna.client.request(method, f"{API}/puzzles/{path}", json=body, headers=bearer)
            assert error_of(answer) == (403, "not_in_scope")
    assert standing(anna)["tries"] == 1


def test_other_origins_cannot_send_tries(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    for headers in ({"origin": "http://elsewhere.example"}, {}):
        said = {"cookie": f"punct_session={anna.cookie}", **headers}
        body = {"tries": [tried(IDS[0])]}
        assert error_of(anna.client.post(f"{API}/puzzles/tries", json=body, headers=said)) == (403, "foreign_origin")
    assert standing(anna)["tries"] == 0


def test_tries_are_rate_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_clock(monkeypatch)
    most = int(str(PUZZLE_ATTEMPTS.player).partition("/")[0])
    with TestClient(create_app(tmp_path, workers=1, online=True)) as client:
        anna, _ = create_account(lambda: Browser(client))
        for _ in range(most):
            record_tries(anna, tried(IDS[0]))
        assert error_of(anna.post("/puzzles/tries", {"tries": [tried(IDS[1])]})) == (429, "too_many")


def test_a_player_page_shows_the_puzzle_rating(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    page = f"/players/{anna.me()['id']}"
    assert json_of(new_browser().get(page))["puzzles"] is None
    anna.send("PUT", "/puzzles/bests", {"best_rush": 5})
    assert json_of(new_browser().get(page))["puzzles"] is None  # nothing says how strong that is
    told = record_tries(anna, tried(IDS[0]), tried(IDS[1], solved=False))["standing"]
    shown = json_of(new_browser().get(page))["puzzles"]
    assert shown == {name: told[name] for name in ("rating", "deviation", "provisional", "tries", "solved")}
    phone = new_browser()
    phone.post("/me")
    assert log_in(phone, login) == (200, None)
    assert standing(phone) == told  # on every device


def test_puzzle_ratings_are_cacheable(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    record_tries(anna, tried(IDS[0]))
    first = new_browser().get("/puzzles/ratings")
    assert "public" in first.headers["cache-control"] and "set-cookie" not in first.headers
    tag = first.headers["etag"]
    same = new_browser().get("/puzzles/ratings", if_none_match=tag)
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    record_tries(anna, tried(IDS[8]))
    other = new_browser().get("/puzzles/ratings", if_none_match=tag)
    assert other.status_code == 200 and other.headers["etag"] != tag and IDS[8] in other.json()["ratings"]


def test_removed_puzzles_are_left_out(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version may come with others; what was tried stays with its player."""
    anna, _ = create_account(new_browser)
    record_tries(anna, tried(IDS[9]))
    service = anna.client.app.state.services.get(Puzzles)  # type: ignore[attr-defined]
    monkeypatch.setattr(service, "_shipped", lambda: {IDS[10]: 1500.0})
    assert IDS[9] not in ratings(anna) and standing(anna)["tried"] == {IDS[9]: True}
    assert error_of(anna.post("/puzzles/tries", {"tries": [tried(IDS[9])]})) == (422, "unknown_puzzle")


def test_deleting_an_account_deletes_its_puzzle_tries(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    player = anna.me()["id"]
    rated = record_tries(anna, tried(IDS[11], mode="day"), Idempotency_Key="forgotten")["puzzles"]
    anna.send("PUT", "/puzzles/bests", {"best_rush": 5})
    database = anna.client.app.state.services.get(Puzzles)._store._database  # type: ignore[attr-defined]

    def rows() -> list[int]:
        tables = ("puzzle_standings", "puzzle_tries", "puzzle_days", "requests")
        asked = "SELECT count(*) FROM {} WHERE player_id = '{}'"
        return [database.fetch_all(asked.format(table, player))[0][0] for table in tables]

    assert rows() == [1, 1, 1, 1]
    assert anna.delete("/me", PROOF).status_code == 204
    assert rows() == [0, 0, 0, 0]
    assert ratings(new_browser())[IDS[11]] == rated[IDS[11]]  # the puzzle is as hard as it was, and nobody's


def test_a_try_during_the_deletion_of_its_account_is_refused(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = create_account(new_browser)
    sessions = anna.client.app.state.services.get(Sessions)  # type: ignore[attr-defined]

    def late(connection: Any, player_id: str) -> None:
        connection.execute(sql(delete(PLAYERS).where(PLAYERS.c.id == bindparam("player"))), {"player": player_id})
        lock_player(connection, player_id)

    monkeypatch.setattr(puzzle_store, "lock_player", late)
    for method, path, body in (
        ("POST", "/puzzles/tries", {"tries": [tried(IDS[0])]}),
        ("PUT", "/puzzles/bests", {"best_rush": 1}),
    ):
        assert error_of(anna.send(method, path, body)) == (403, "no_account")
    monkeypatch.undo()
    sessions.invalidate(None)


# ---------------------------------------------------------------------- several at once


@pytest.fixture(scope="module")
def pair(postgresql: Postgresql, redis: Redis) -> Iterator[list[TestClient]]:
    """Two processes of one server."""
    where, broker = postgresql.new_store(), redis.address()
    with ExitStack() as stack:
        apps = [create_app(where, online=True, broker_url=broker) for _ in range(2)]
        yield [stack.enter_context(TestClient(app)) for app in apps]


def at_once(monkeypatch: pytest.MonkeyPatch, step: str, after: bool, *asked: Callable[[], Any]) -> list[Any]:
    """Return what comes of requests that meet in the middle of their transactions, before or after a step."""
    meeting, come = threading.Barrier(len(asked)), itertools.count()
    done = getattr(puzzle_store, step)

    def meet() -> None:
        if next(come) < len(asked):  # whoever has to try again does not wait
            meeting.wait(TIMEOUT_SECONDS)

    def stepped(*args: Any) -> Any:
        if not after:
            meet()
        result = done(*args)
        if after:
            meet()
        return result

    with monkeypatch.context() as patched, ThreadPoolExecutor(len(asked)) as together:
        patched.setattr(puzzle_store, step, stepped)
        return [future.result(TIMEOUT_SECONDS) for future in [together.submit(ask) for ask in asked]]


def test_the_same_try_of_two_devices_counts_once(pair: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = create_account(lambda: Browser(pair[0]))
    devices = [Browser(client, anna.cookie) for client in pair]
    same = [tried(puzzle) for puzzle in IDS[:5]]
    others = [partial(record_tries, device, *same) for device in devices]
    first, second = at_once(monkeypatch, "lock_player", False, *others)
    assert first == second and first["standing"]["tries"] == 5
    once, _ = rate_tries(None, stored_tries(IDS[:5]), {id: initial_puzzle_rating(SHIPPED[id]) for id in IDS[:5]}, NOW)
    assert first["standing"]["rating"] == round(once.rating)


def test_one_key_at_two_processes_counts_one_try(pair: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = create_account(lambda: Browser(pair[0]))
    devices = [Browser(client, anna.cookie) for client in pair]
    asked = [partial(record_tries, device, tried(IDS[5]), Idempotency_Key="once") for device in devices]
    first, second = at_once(monkeypatch, "lock_player", False, *asked)
    assert first == second and first["standing"]["tries"] == 1


@pytest.mark.parametrize("known", [False, True], ids=["for the first time", "after others"])
def test_concurrent_tries_of_two_players_both_count(
    pair: list[TestClient], monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    """In another order, too: neither waits for the other for ever."""
    people = [create_account(partial(Browser, client))[0] for client in pair]
    ids = IDS[10:20] if known else IDS[20:30]
    there = [tried(puzzle, solved=False) for puzzle in ids]
    if known:
        record_tries(create_account(partial(Browser, pair[0]))[0], *there)
    before = ratings(people[0])
    asked = [partial(record_tries, who, *tries) for who, tries in zip(people, (there, there[::-1]), strict=True)]
    # Of what is new, one has to wait for the other at once; of what is there, only once both have come so far.
    at_once(monkeypatch, *(("_puzzle_ratings", False) if known else ("lock_player", True)), *asked)
    database = pair[0].app.state.services.get(Puzzles)._store._database  # type: ignore[attr-defined]
    counted = dict(database.fetch_all("SELECT puzzle, tries FROM puzzle_ratings"))
    assert [counted[puzzle] for puzzle in ids] == [3 if known else 2] * 10
    now = ratings(people[0])
    assert all(now[puzzle] > before.get(puzzle, SHIPPED[puzzle]) for puzzle in ids)


def test_concurrent_bests_of_two_devices_are_merged(pair: list[TestClient], monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = create_account(lambda: Browser(pair[0]))
    devices = [Browser(client, anna.cookie) for client in pair]
    bests = ({"best_streak": 9, "best_rush": 1}, {"best_rush": 30})
    put = [partial(device.send, "PUT", "/puzzles/bests", body) for device, body in zip(devices, bests, strict=True)]
    at_once(monkeypatch, "lock_player", False, *put)
    told = standing(anna)
    assert (told["best_streak"], told["best_rush"]) == (9, 30)


def test_tries_of_one_player_wait_for_each_other_across_processes(postgresql: Postgresql) -> None:
    """Else it would be overwritten with what comes of what was true before."""
    where = postgresql.new_store()
    with (
        TestClient(create_app(where, workers=1, online=True)) as client,
        psycopg.connect(where) as other,
        ThreadPoolExecutor(1) as beside,
    ):
        anna, _ = create_account(partial(Browser, client))
        record_tries(anna, tried(IDS[0]))
        other.execute("SELECT id FROM players FOR NO KEY UPDATE")
        other.execute("UPDATE puzzle_standings SET rating = 2000, best_rush = 7")
        handing_in = beside.submit(record_tries, anna, tried(IDS[1]))
        name = where.rpartition("/")[2]
        waiting = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{name}' AND wait_event_type = 'Lock'"
        while postgresql.query(waiting, name) == [(0,)]:
            assert not handing_in.done()
        other.commit()
        handing_in.result(TIMEOUT_SECONDS)
        told = standing(anna)
        assert told["rating"] > 1900 and told["best_rush"] == 7


# ---------------------------------------------------------------------- how ratings move


def stored_tries(ids: Sequence[str], solved: bool = True) -> list[StoredTry]:
    return [StoredTry(puzzle, solved, "strength", NOW, None) for puzzle in ids]


def test_a_puzzles_rating_changes_less_and_less() -> None:
    """Whoever comes, and however they fare."""
    for rating, deviation in ((600, 350), (1500, 350), (1500, 60), (2600, 60)):
        puzzle, moved = initial_puzzle_rating(1500), []
        for place in range(200):
            someone = StoredSkill(rating, deviation, 0.06, 0, 0, NOW)
            _, after = rate_tries(someone, stored_tries(["x"], solved=place % 2 == 0), {"x": puzzle}, NOW)
            moved.append(abs(after["x"].rating - puzzle.rating))
            puzzle = after["x"]
        assert max(moved) < 85 and max(moved[:2]) == max(moved)
        assert puzzle.tries == 200 and MIN_DEVIATION <= puzzle.deviation < PUZZLE_DEVIATION
    even, moved = initial_puzzle_rating(1500), []
    for place in range(70):
        someone = StoredSkill(even.rating, 60, 0.06, 0, 0, NOW)
        _, after = rate_tries(someone, stored_tries(["x"], solved=place % 2 == 0), {"x": even}, NOW)
        moved.append(abs(after["x"].rating - even.rating))
        even = after["x"]
    assert [round(moved[place]) for place in (0, 9, 65)] == [37, 19, 5]


def test_ratings_converge_to_the_players_strength() -> None:
    """Somebody who solves every puzzle up to 1800 and none beyond is worth about that much."""
    ids = [str(rating) for rating in range(700, 2500, 20)]
    skill: StoredSkill | None = None
    for rating in ids * 2:
        known = {rating: initial_puzzle_rating(float(rating))}
        skill, _ = rate_tries(skill, stored_tries([rating], solved=int(rating) <= 1800), known, NOW)
    assert skill is not None and abs(skill.rating - 1800) < 200
    assert Rating(*skill[:3]).deviation < 110
    later = rate_tries(skill, stored_tries(["x"]), {"x": initial_puzzle_rating(1500)}, NOW + timedelta(days=900))[0]
    assert later.deviation > skill.deviation
