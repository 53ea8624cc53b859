"""Challenges: found by a link or in the lobby, accepted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, Browser, refused
from tests.server.two_player_games import agree, found

New = Callable[[], Browser]


def test_a_challenge_becomes_a_game(browser: New) -> None:
    anna, ben = browser(), browser()
    anna.post("/me", {"name": "Anna"})
    made = found(anna.post("/challenges", {"rules": "basic", "colour": "b", "time": "5+3", "listed": True}), 201)
    assert made["challenger"]["name"] == "Anna" and made["game"] is None and made["link"] == f"/join/{made['id']}"
    assert len(made["id"]) >= 22
    assert found(ben.get(f"/challenges/{made['id']}")) == made
    game = found(ben.post(f"/challenges/{made['id']}/accept"), 201)
    assert game["rules"] == "basic" and game["time"] == "5+3" and game["listed"] and not game["rated"]
    assert game["seats"]["b"]["player"]["id"] == anna.me()["id"] and game["seats"]["b"]["name"] == "Anna"
    assert game["seats"]["w"]["player"]["id"] == ben.me()["id"]
    assert found(anna.get(f"/challenges/{made['id']}"))["game"] == game["id"]


def test_colours_are_random_if_nobody_chooses(browser: New) -> None:
    anna, ben = browser(), browser()
    anna.post("/me")
    me = anna.me()["id"]
    seats = {agree(anna, ben, colour=None)["seats"]["w"]["player"]["id"] == me for _ in range(40)}
    assert seats == {True, False}


def test_nobody_accepts_their_own_and_nobody_else_withdraws_it(browser: New) -> None:
    anna, ben = browser(), browser()
    made = found(anna.post("/challenges", {}), 201)
    assert refused(anna.post(f"/challenges/{made['id']}/accept")) == (409, "not_possible")
    assert refused(ben.delete(f"/challenges/{made['id']}")) == (403, "not_your_seat")
    assert anna.delete(f"/challenges/{made['id']}").status_code == 204
    assert refused(ben.get(f"/challenges/{made['id']}")) == (404, "unknown_challenge")
    assert refused(ben.post(f"/challenges/{made['id']}/accept")) == (404, "unknown_challenge")


def test_the_first_who_accepts_plays(browser: New) -> None:
    anna = browser()
    others = [browser() for _ in range(8)]
    for other in others:
        other.post("/me")
    made = found(anna.post("/challenges", {}), 201)
    with ThreadPoolExecutor(len(others)) as at_once:
        answers = list(at_once.map(lambda other: other.post(f"/challenges/{made['id']}/accept"), others))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    winner = next(who for who, answer in zip(others, answers, strict=True) if answer.status_code == 201)
    for other, answer in zip(others, answers, strict=True):
        if other is not winner:
            assert refused(answer) == (409, "taken")
    # Whose answer got lost asks again, with or without a key.
    game = found(anna.get(f"/challenges/{made['id']}"))["game"]
    assert found(winner.post(f"/challenges/{made['id']}/accept"), 201)["id"] == game
    assert refused(anna.delete(f"/challenges/{made['id']}")) == (409, "taken")


def test_asked_again_with_a_key_nothing_is_made_again(browser: New) -> None:
    anna, ben = browser(), browser()
    anna.post("/me")
    one = found(anna.post("/challenges", {"listed": True}, Idempotency_Key="one"), 201)
    assert found(anna.post("/challenges", {"listed": True}, Idempotency_Key="one"), 201) == one
    assert found(anna.post("/challenges", {"listed": True}, Idempotency_Key="two"), 201)["id"] != one["id"]
    game = found(ben.post(f"/challenges/{one['id']}/accept", Idempotency_Key="one"), 201)  # Ben's own key
    assert found(ben.post(f"/challenges/{one['id']}/accept", Idempotency_Key="one"), 201)["id"] == game["id"]
    assert refused(anna.post("/games", {}, Idempotency_Key="one")) == (422, "key_reused")
    alone = found(anna.post("/games", {}, Idempotency_Key="three"), 201)
    assert found(anna.post("/games", {}, Idempotency_Key="three"), 201)["id"] == alone["id"]
    for bad in ("", "x" * 65, "a b"):
        assert refused(anna.post("/games", {}, Idempotency_Key=bad)) == (422, "malformed")


@pytest.mark.parametrize("time", ["", "0+5", "5", "5+", "181+0", "5+181", "0d", "15d", "1w", "-1+0", "٥+٣", "5+3x"])
def test_a_time_must_make_sense(browser: New, time: str) -> None:
    assert refused(browser().post("/challenges", {"time": time}))[0] == 422


def test_a_rated_game_is_for_account_holders(browser: New) -> None:
    assert refused(browser().post("/challenges", {"rated": True, "time": "5+3"})) == (403, "no_account")


def test_a_game_may_begin_from_a_position(browser: New) -> None:
    game = agree(browser(), browser(), position="basic b wTd5n")
    assert game["start"] == "basic b wTd5n" and game["rules"] == "basic" and game["turn"] == "b"
    assert refused(browser().post("/challenges", {"position": "nonsense"})) == (422, "invalid_position")


def test_too_many_may_not_wait(browser: New) -> None:
    anna = browser()
    for _ in range(20):
        assert anna.post("/challenges", {}).status_code == 201
    assert refused(anna.post("/challenges", {})) == (409, "not_possible")


def test_no_more_may_wait_however_many_are_asked_for_at_once(browser: New) -> None:
    anna = browser()
    anna.post("/challenges", {"time": "5+3"})
    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(lambda _: anna.post("/challenges", {"time": "5+3"}), range(40)))
    assert Counter(answer.status_code for answer in answers) == {201: 19, 409: 21}
    assert all(refused(answer) == (409, "not_possible") for answer in answers if answer.status_code == 409)


def test_a_code_to_photograph(browser: New) -> None:
    anna = browser()
    made = found(anna.post("/challenges", {}), 201)
    answer = anna.get(f"/challenges/{made['id']}/qr.svg")
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.startswith("<?xml") or answer.text.startswith("<svg")
    assert refused(anna.get("/challenges/nobody-knows-this-one/qr.svg")) == (404, "unknown_challenge")


def test_at_home_there_is_nobody_to_invite(client: TestClient) -> None:
    assert refused(client.post(f"{API}/challenges", json={})) == (409, "not_offered")
