"""Challenges: by link or in the lobby, accepted once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, NewBrowser, error_of
from tests.server.two_player_games import json_of, start_game


def test_a_challenge_becomes_a_game(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    anna.post("/me", {"name": "Anna"})
    made = json_of(anna.post("/challenges", {"rules": "basic", "colour": "b", "time": "5+3", "listed": True}), 201)
    assert made["challenger"]["name"] == "Anna" and made["game"] is None and made["link"] == f"/join/{made['id']}"
    assert len(made["id"]) >= 22
    assert json_of(ben.get(f"/challenges/{made['id']}")) == made
    game = json_of(ben.post(f"/challenges/{made['id']}/accept"), 201)
    assert game["rules"] == "basic" and game["time"] == "5+3" and game["listed"] and not game["rated"]
    assert game["seats"]["b"]["player"]["id"] == anna.me()["id"] and game["seats"]["b"]["name"] == "Anna"
    assert game["seats"]["w"]["player"]["id"] == ben.me()["id"]
    assert json_of(anna.get(f"/challenges/{made['id']}"))["game"] == game["id"]


def test_colours_are_random_by_default(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    anna.post("/me")
    me = anna.me()["id"]
    seats = {start_game(anna, ben, colour=None)["seats"]["w"]["player"]["id"] == me for _ in range(40)}
    assert seats == {True, False}


def test_only_others_accept_and_only_the_owner_withdraws(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    made = json_of(anna.post("/challenges", {}), 201)
    assert error_of(anna.post(f"/challenges/{made['id']}/accept")) == (409, "not_possible")
    assert error_of(ben.delete(f"/challenges/{made['id']}")) == (403, "not_your_seat")
    assert anna.delete(f"/challenges/{made['id']}").status_code == 204
    assert error_of(ben.get(f"/challenges/{made['id']}")) == (404, "unknown_challenge")
    assert error_of(ben.post(f"/challenges/{made['id']}/accept")) == (404, "unknown_challenge")


def test_the_first_to_accept_plays(new_browser: NewBrowser) -> None:
    anna = new_browser()
    others = [new_browser() for _ in range(8)]
    for other in others:
        other.post("/me")
    made = json_of(anna.post("/challenges", {}), 201)
    with ThreadPoolExecutor(len(others)) as at_once:
        answers = list(at_once.map(lambda other: other.post(f"/challenges/{made['id']}/accept"), others))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    winner = next(who for who, answer in zip(others, answers, strict=True) if answer.status_code == 201)
    for other, answer in zip(others, answers, strict=True):
        if other is not winner:
            assert error_of(answer) == (409, "taken")
    # Whose answer got lost asks again, with or without a key.
    game = json_of(anna.get(f"/challenges/{made['id']}"))["game"]
    assert json_of(winner.post(f"/challenges/{made['id']}/accept"), 201)["id"] == game
    assert error_of(anna.delete(f"/challenges/{made['id']}")) == (409, "taken")


def test_a_repeated_request_with_one_key_creates_one_challenge(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    anna.post("/me")
    one = json_of(anna.post("/challenges", {"listed": True}, Idempotency_Key="one"), 201)
    assert json_of(anna.post("/challenges", {"listed": True}, Idempotency_Key="one"), 201) == one
    assert json_of(anna.post("/challenges", {"listed": True}, Idempotency_Key="two"), 201)["id"] != one["id"]
    game = json_of(ben.post(f"/challenges/{one['id']}/accept", Idempotency_Key="one"), 201)  # Ben's own key
    assert json_of(ben.post(f"/challenges/{one['id']}/accept", Idempotency_Key="one"), 201)["id"] == game["id"]
    assert error_of(anna.post("/games", {}, Idempotency_Key="one")) == (422, "key_reused")
    alone = json_of(anna.post("/games", {}, Idempotency_Key="three"), 201)
    assert json_of(anna.post("/games", {}, Idempotency_Key="three"), 201)["id"] == alone["id"]
    for bad in ("", "x" * 65, "a b"):
        assert error_of(anna.post("/games", {}, Idempotency_Key=bad)) == (422, "malformed")


@pytest.mark.parametrize("time", ["", "0+5", "5", "5+", "181+0", "5+181", "0d", "15d", "1w", "-1+0", "٥+٣", "5+3x"])
def test_invalid_time_controls_are_refused(new_browser: NewBrowser, time: str) -> None:
    assert error_of(new_browser().post("/challenges", {"time": time}))[0] == 422


def test_only_accounts_play_rated_games(new_browser: NewBrowser) -> None:
    assert error_of(new_browser().post("/challenges", {"rated": True, "time": "5+3"})) == (403, "no_account")


def test_a_challenge_may_name_a_position(new_browser: NewBrowser) -> None:
    game = start_game(new_browser(), new_browser(), position="basic b wTd5n")
    assert game["start"] == "basic b wTd5n" and game["rules"] == "basic" and game["turn"] == "b"
    assert error_of(new_browser().post("/challenges", {"position": "nonsense"})) == (422, "invalid_position")


def test_open_challenges_are_limited(new_browser: NewBrowser) -> None:
    anna = new_browser()
    for _ in range(20):
        assert anna.post("/challenges", {}).status_code == 201
    assert error_of(anna.post("/challenges", {})) == (409, "not_possible")


def test_open_challenges_are_limited_for_concurrent_requests(new_browser: NewBrowser) -> None:
    anna = new_browser()
    anna.post("/challenges", {"time": "5+3"})
    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(lambda _: anna.post("/challenges", {"time": "5+3"}), range(40)))
    assert Counter(answer.status_code for answer in answers) == {201: 19, 409: 21}
    assert all(error_of(answer) == (409, "not_possible") for answer in answers if answer.status_code == 409)


def test_a_qr_code_of_a_challenge(new_browser: NewBrowser) -> None:
    anna = new_browser()
    made = json_of(anna.post("/challenges", {}), 201)
    answer = anna.get(f"/challenges/{made['id']}/qr.svg")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<?xml") or answer.text.startswith("<svg")
    assert error_of(anna.get("/challenges/nobody-knows-this-one/qr.svg")) == (404, "unknown_challenge")


def test_there_are_no_challenges_at_home(client: TestClient) -> None:
    assert error_of(client.post(f"{API}/challenges", json={})) == (409, "not_offered")
