"""What happens to games when a guest logs in, or an account is deleted or blocked."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import (
    API,
    PASSWORD,
    PROOF,
    Browser,
    NewBrowser,
    block_player,
    create_account,
    error_of,
    log_in,
)
from tests.server.two_player_games import (
    ManualClock,
    json_of,
    play_moves,
    post_move,
    run_timekeeper,
    start_and_play,
    start_game,
)

from punct.server.accounts import store as account_store
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.db.errors import StoreError


def test_games_of_a_guest_go_to_the_account_after_logging_in(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser, name="Anna")
    phone, ben = new_browser(), new_browser()
    game = play_moves(start_game(phone, ben), (phone, "Ed5ne"), (ben, "Tl10n"))
    own = json_of(phone.post("/games", {"seats": {"b": {"type": "engine", "level": 1}}}), 201)
    challenge = json_of(phone.post("/challenges", {}), 201)
    assert log_in(phone, login) == (200, None)
    after = json_of(anna.get(f"/games/{game['id']}"))
    assert after["seats"]["w"]["player"]["name"] == "Anna" and after["revision"] > game["revision"]
    assert {listed["id"] for listed in anna.get("/games").json()["games"]} >= {game["id"], own["id"]}
    game = play_moves(after, (anna, "Tl5n"))  # from the other device
    assert error_of(post_move(phone, game, "Td9n")) == (409, "not_your_turn")
    assert anna.delete(f"/games/{own['id']}").status_code == 204
    assert anna.delete(f"/challenges/{challenge['id']}").status_code == 204


def test_a_game_from_a_browser_is_uploaded_once(new_browser: NewBrowser) -> None:
    """Played without the server, then given to it with its id as the key, twice because an answer got lost."""
    anna, ben = new_browser(), new_browser()
    tags = '[Date "2026-11-16"]\n[Rules "standard"]\n[Result "0-1"]\n[Termination "resignation"]\n\n'
    seats = {"w": {"type": "person"}, "b": {"type": "engine", "level": 3}}
    wanted = {"record": f"{tags}1. Ed5ne Tl10n 0-1\n", "seats": seats}
    game = json_of(anna.post("/games", wanted, Idempotency_Key="c0ffee"), 201)
    assert json_of(anna.post("/games", wanted, Idempotency_Key="c0ffee"), 201)["id"] == game["id"]
    assert [listed["id"] for listed in json_of(anna.get("/games"))["games"]] == [game["id"]]
    assert game["outcome"] == {"winner": "b", "reason": "resignation"} and not game["rated"]
    assert game["seats"]["w"]["player"]["id"] == anna.me()["id"] and game["seats"]["b"]["level"] == 3
    assert json_of(ben.get("/games"))["total"] == 0
    assert anna.delete(f"/games/{game['id']}").status_code == 204
    assert error_of(anna.post("/games", wanted, Idempotency_Key="c0ffee")) == (404, "unknown_game")


def test_idempotency_keys_of_uploads_last_a_year(tmp_path: Path) -> None:
    """A phone whose answer got lost, and that was put away: months later it brings the same game."""
    clock = ManualClock()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        anna = Browser(client)
        game = json_of(anna.post("/games", {}, Idempotency_Key="c0ffee"), 201)
        path = f"/games/{game['id']}"
        json_of(anna.post(f"{path}/turns", {"text": "Ed5ne", "ply": 0}, Idempotency_Key="turn"))
        json_of(anna.post(f"{path}/resign", {"colour": "w"}, Idempotency_Key="resigned"))
        json_of(anna.post("/analyses", {"tree": "1. Ed5ne *"}, Idempotency_Key="analysis"), 201)
        kept = []
        for wait in ({"hours": 2}, {"days": 2}, {"days": 350}, {"days": 60}):
            clock.advance(**wait)
            run_timekeeper(client)
            with sqlite3.connect(tmp_path / "punct.sqlite3") as database:
                kept.append({key for (key,) in database.execute("SELECT key FROM requests")})
            if "c0ffee" in kept[-1]:
                assert json_of(anna.post("/games", {}, Idempotency_Key="c0ffee"), 201)["id"] == game["id"]
                assert json_of(anna.get("/games"))["total"] == 1
        assert kept == [{"c0ffee", "resigned", "analysis"}, {"c0ffee"}, {"c0ffee"}, set()]


def test_a_failed_login_loses_nothing(new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, login = create_account(new_browser, name="Anna")
    phone = new_browser()
    game = json_of(phone.post("/games", {}), 201)
    guest = phone.me()
    with monkeypatch.context() as failing:
        failing.setattr(account_store, "insert_session", _fail)
        assert log_in(phone, login) == (503, "store_failed")
    assert phone.me() == guest and json_of(anna.get("/games"))["total"] == 0
    assert log_in(phone, login) == (200, None)
    assert [listed["id"] for listed in json_of(anna.get("/games"))["games"]] == [game["id"]]
    with monkeypatch.context() as failing:
        failing.setattr(account_store, "insert_session", _fail)
        wanted = {"old": PASSWORD, "new": "four green bridges"}
        assert error_of(anna.send("PUT", "/account/password", wanted)) == (503, "store_failed")
    assert anna.me() == phone.me() != guest  # nobody was logged out
    assert log_in(new_browser(), login) == (200, None)  # with the old password


def _fail(*_: object) -> None:
    raise StoreError("The disk is full.")


def test_a_merge_never_seats_one_player_on_both_sides(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser, name="Anna")
    phone = new_browser()
    game = play_moves(start_game(anna, phone), (anna, "Ed5ne"))
    assert log_in(phone, login) == (200, None)
    after = json_of(anna.get(f"/games/{game['id']}"))
    assert after["seats"]["w"]["player"]["name"] == "Anna"
    assert error_of(post_move(phone, after, "Tl10n")) == (409, "not_your_turn")  # the guest's seat is nobody's now
    assert json_of(anna.get(f"/games/{game['id']}/you"))["seats"] == ["w"]


def test_subscribers_learn_of_merged_players(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser, name="Anna")
    phone, ben = new_browser(), new_browser()
    game = start_game(phone, ben)
    with anna.client.websocket_connect(f"{API}/games/{game['id']}/live") as socket:
        message = socket.receive_json()
        while message["type"] != "game":
            message = socket.receive_json()
        log_in(phone, login)
        message = socket.receive_json()
        while message["type"] != "game":
            message = socket.receive_json()
        assert message["game"]["seats"]["w"]["player"]["name"] == "Anna"


def test_deleting_an_account_resigns_and_anonymizes_its_games(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser, name="Anna")
    ben = new_browser()
    running = play_moves(start_game(anna, ben, time="3d"), (anna, "Ed5ne"), (ben, "Tl10n"))
    ended = json_of(ben.post(f"/games/{start_game(anna, ben)['id']}/resign"))
    own = json_of(anna.post("/games", {}), 201)
    player = anna.me()["id"]
    assert anna.delete("/me", {"password": PASSWORD}).status_code == 204
    after = json_of(ben.get(f"/games/{running['id']}"))
    assert (after["result"], after["outcome"]) == ("0-1", {"winner": "b", "reason": "resignation"})
    assert "Anna" not in str(after) and after["turns"] == json_of(ben.get(f"/games/{running['id']}"))["turns"]
    assert json_of(ben.get(f"/games/{ended['id']}"))["result"] == "1-0"
    assert error_of(ben.get(f"/games/{own['id']}")) == (404, "unknown_game")
    assert error_of(ben.get(f"/players/{player}")) == (404, "unknown_player")
    assert {game["id"] for game in ben.get("/games").json()["games"]} == {running["id"], ended["id"]}


def test_a_game_is_deleted_with_both_its_players(new_browser: NewBrowser) -> None:
    (anna, _), (ben, _), eve = create_account(new_browser), create_account(new_browser), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    with connect_to_game(eve, game) as socket:
        assert anna.delete("/me", PROOF).status_code == 204
        assert json_of(eve.get(f"/games/{game['id']}"))["result"] == "0-1"
        assert ben.delete("/me", PROOF).status_code == 204
        assert next_message(socket, "gone")["reason"] == "deleted"
    assert error_of(eve.get(f"/games/{game['id']}")) == (404, "unknown_game")


def test_the_winner_is_rated_though_the_loser_deleted_their_account(new_browser: NewBrowser) -> None:
    (anna, _), (ben, _) = create_account(new_browser), create_account(new_browser)
    game = start_and_play(anna, ben, time="5+3", rated=True)
    json_of(ben.get(f"/games/{game['id']}"))
    assert anna.delete("/me", PROOF).status_code == 204
    (rating,) = ben.get("/me").json()["ratings"]
    assert rating["pool"] == "standard-live" and rating["rating"] > 1500
    with connect_to_game(ben, game) as socket:  # at once or as soon as it is known
        while next_message(socket, "game")["game"]["seats"]["b"]["player"]["rating"] != rating["rating"]:
            pass


def test_blocked_players_cannot_rename_themselves_or_start_games(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    json_of(anna.post("/me", {"name": "Anna"}))
    made = json_of(anna.post("/challenges", {"listed": True}), 201)
    accepted = start_game(anna, ben)
    block_player(anna)
    for method, path, body in (
        ("PATCH", "/me", {"name": "Eve"}),
        ("PATCH", "/me", {"settings": {}}),
        ("POST", "/me", {"name": "Eve"}),
        ("POST", "/session", {"login": "anna", "password": PASSWORD}),
    ):
        assert error_of(anna.send(method, path, body)) == (403, "blocked"), (method, path)
    assert anna.me()["name"] == "Anna"
    assert made["id"] not in str(ben.get("/lobby").json())
    assert error_of(ben.get(f"/challenges/{made['id']}")) == (404, "unknown_challenge")
    assert error_of(ben.post(f"/challenges/{made['id']}/accept")) == (404, "unknown_challenge")
    assert ben.get(f"/games/{accepted['id']}").status_code == 200
    assert anna.delete("/session").status_code == 204


def test_blocked_players_may_read_and_delete_their_account(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    game = json_of(anna.post("/games", {}), 201)
    block_player(anna)
    assert error_of(post_move(anna, game, "Ed5ne")) == (403, "blocked")
    assert error_of(anna.post("/games", {})) == (403, "blocked")
    assert anna.get(f"/games/{game['id']}").status_code == 200
    assert anna.delete("/me", {"password": PASSWORD}).status_code == 204


def test_games_of_deleted_players_cannot_be_linked(store_url: Path | str) -> None:
    with TestClient(create_app(store_url, workers=1, online=True)) as client:
        anna, ben, phone = (Browser(client) for _ in range(3))
        json_of(anna.post("/account", {"login": "anna", **PROOF}), 201)
        games = [start_game(anna, other)["id"] for other in (ben, ben, phone)]
        gone = anna.me()["id"]
        both = start_game(anna, phone)  # a guest who turns out to be the same person
        guest = phone.me()["id"]
        assert log_in(phone, "anna") == (200, None)
        assert anna.delete("/me", PROOF).status_code == 204
        with contextlib.closing(open_database(store_url)) as database:
            seats = database.fetch_all("SELECT game_id, player_id FROM seats WHERE player_id IS NOT NULL")
            ids = [player for game, player in seats if game in games and player != ben.me()["id"]]
            assert len(ids) == len(set(ids)) == 2  # those with Ben: the others were Anna's alone
            assert not {gone, guest} & {player for _, player in seats} and both["id"] not in {game for game, _ in seats}
            for table in ("games", "turns", "requests", "secrets", "challenges", "rated", "analyses"):
                assert gone not in str(database.fetch_all(f"SELECT * FROM {table}")), table
        assert json_of(ben.get(f"/games/{games[0]}"))["outcome"]["winner"] is not None
