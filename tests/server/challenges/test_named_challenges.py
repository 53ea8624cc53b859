"""Challenges to one player: seen by the two, accepted, declined or changed once; and blocks between players."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, Browser, NewBrowser, block_player, create_account, error_of
from tests.server.two_player_games import json_of, start_game


def challenge(one: Browser, other: Browser, **terms: object) -> dict[str, Any]:
    return json_of(one.post("/challenges", {"to": other.me()["id"], "time": "3d", **terms}), 201)


def own(browser: Browser) -> tuple[list[str], list[str]]:
    lists = json_of(browser.get("/me/challenges"))
    return [each["id"] for each in lists["received"]], [each["id"] for each in lists["sent"]]


@pytest.fixture
def anna(new_browser: NewBrowser) -> Browser:
    return create_account(new_browser, name="Anna")[0]


@pytest.fixture
def ben(new_browser: NewBrowser) -> Browser:
    return create_account(new_browser, name="Ben")[0]


@pytest.fixture
def eve(new_browser: NewBrowser) -> Browser:
    return create_account(new_browser, name="Eve")[0]


def test_a_challenge_to_a_player_is_accepted(anna: Browser, ben: Browser) -> None:
    made = challenge(anna, ben, colour="w")
    assert made["to"]["id"] == ben.me()["id"] and made["to"]["name"] == "Ben" and not made["listed"]
    assert own(anna) == ([], [made["id"]]) and own(ben) == ([made["id"]], [])
    game = json_of(ben.post(f"/challenges/{made['id']}/accept"), 201)
    assert game["seats"]["b"]["player"]["id"] == ben.me()["id"]
    assert own(anna) == ([], []) and own(ben) == ([], [])


def test_only_the_two_see_it_and_only_the_one_answers(anna: Browser, ben: Browser, eve: Browser) -> None:
    made = challenge(anna, ben)
    path = f"/challenges/{made['id']}"
    stranger = Browser(eve.client)
    for thief in (eve, stranger):
        for answer in (
            thief.get(path),
            thief.get(f"{path}/qr.svg"),
            thief.post(f"{path}/accept"),
            thief.post(f"{path}/decline", {}),
            thief.delete(path),
        ):
            assert error_of(answer) == (404, "unknown_challenge")
    replacing = {"to": anna.me()["id"], "replaces": made["id"], "time": "3d"}
    assert error_of(eve.post("/challenges", replacing)) == (404, "unknown_challenge")
    assert error_of(anna.post("/challenges", {**replacing, "to": ben.me()["id"]})) == (404, "unknown_challenge")
    assert own(eve) == ([], [])
    lobby = json_of(eve.get("/lobby"))
    assert made["id"] not in [each["id"] for each in lobby["challenges"]]
    assert error_of(anna.post(f"{path}/decline", {})) == (403, "not_your_seat")
    assert error_of(anna.post(f"{path}/accept")) == (409, "not_possible")
    assert json_of(ben.get(path)) == json_of(anna.get(path)) == made


def test_tokens_see_challenges_by_their_scope(anna: Browser, ben: Browser) -> None:
    made = challenge(anna, ben)
    program = Browser(ben.client)
    for scope, is_seen in (("play", False), ("read", True), ("challenge", True)):
        header = {"Authorization": f"Bearer {ben.token(scope)['secret']}"}
        answer = program.get(f"/challenges/{made['id']}", **header)
        listed = program.get("/me/challenges", **header)
        assert (answer.status_code, listed.status_code) == ((200, 200) if is_seen else (404, 403))
    assert error_of(program.get("/me/challenges")) == (401, "stranger")


def test_a_challenge_is_declined_with_a_word(anna: Browser, ben: Browser) -> None:
    made = challenge(anna, ben)
    words = "  Not today,\n sorry\u202e! <b>"
    declined = json_of(ben.post(f"/challenges/{made['id']}/decline", {"words": words}, Idempotency_Key="no"))
    assert declined["words"] == "Not today, sorry! <b>" and declined["declined"] is not None
    assert json_of(ben.post(f"/challenges/{made['id']}/decline", {"words": words}, Idempotency_Key="no")) == declined
    assert own(ben) == ([], []) and own(anna) == ([], [made["id"]])
    assert error_of(ben.post(f"/challenges/{made['id']}/accept")) == (404, "unknown_challenge")
    assert anna.delete(f"/challenges/{made['id']}").status_code == 204  # she has read it
    assert own(anna) == ([], [])
    other = challenge(anna, ben)
    assert error_of(ben.post(f"/challenges/{other['id']}/decline", {"words": "x" * 201}))[0] == 422
    assert json_of(ben.post(f"/challenges/{other['id']}/decline"))["words"] is None


def test_a_challenge_is_changed(anna: Browser, ben: Browser) -> None:
    made = challenge(anna, ben, rated=True)
    answer = json_of(
        ben.post("/challenges", {"to": anna.me()["id"], "replaces": made["id"], "time": "7d", "colour": "w"}), 201
    )
    assert answer["replaces"] == made["id"] and answer["challenger"]["name"] == "Ben"
    assert json_of(anna.get(f"/challenges/{made['id']}"))["declined"] is not None
    assert own(anna)[0] == [answer["id"]] and own(ben) == ([], [answer["id"]])
    assert error_of(ben.post(f"/challenges/{made['id']}/accept")) == (404, "unknown_challenge")
    again = {"to": anna.me()["id"], "replaces": made["id"], "time": "1d"}
    assert error_of(ben.post("/challenges", again)) == (404, "unknown_challenge")
    assert json_of(anna.post(f"/challenges/{answer['id']}/accept"), 201)["time"] == "7d"


def test_one_answer_of_many_counts(anna: Browser, ben: Browser) -> None:
    for _ in range(4):
        made = challenge(anna, ben)
        path = f"/challenges/{made['id']}"
        change = {"to": anna.me()["id"], "replaces": made["id"], "time": "7d"}
        requests = [
            lambda path=path: ben.post(f"{path}/accept"),
            lambda path=path: ben.post(f"{path}/decline", {"words": "no"}),
            lambda change=change: ben.post("/challenges", change),
            lambda path=path: anna.delete(path),
        ]
        with ThreadPoolExecutor(len(requests)) as at_once:
            answers = list(at_once.map(lambda request: request(), requests))
        accepted, declined, changed, withdrawn = (answer.is_success for answer in answers)
        # A declined challenge may be withdrawn afterwards; nothing else goes together.
        assert accepted + changed + (declined and not changed) <= 1 and not (accepted and (withdrawn or declined))
        assert accepted or declined or changed or withdrawn
        for each in own(ben)[1]:
            ben.delete(f"/challenges/{each}")
        for each in own(anna)[1]:
            anna.delete(f"/challenges/{each}")


def test_challenges_to_a_player_are_limited(anna: Browser, ben: Browser) -> None:
    with ThreadPoolExecutor(6) as at_once:
        answers = list(at_once.map(lambda _: anna.post("/challenges", {"to": ben.me()["id"], "time": "3d"}), range(6)))
    assert Counter(answer.status_code for answer in answers) == {201: 3, 409: 3}
    assert {error_of(answer) for answer in answers if not answer.is_success} == {(409, "not_possible")}


def test_who_cannot_be_challenged(anna: Browser, ben: Browser, new_browser: NewBrowser) -> None:
    guest = new_browser()
    guest.post("/me", {"name": "Guest"})
    assert error_of(guest.post("/challenges", {"to": ben.me()["id"]})) == (403, "no_account")
    assert error_of(new_browser().post("/challenges", {"to": ben.me()["id"]})) == (403, "no_account")
    assert error_of(anna.post("/challenges", {"to": guest.me()["id"]})) == (409, "takes_no_challenges")
    assert error_of(anna.post("/challenges", {"to": anna.me()["id"]})) == (409, "not_possible")
    assert error_of(anna.post("/challenges", {"to": "@nobody-is-this"})) == (404, "unknown_player")
    assert error_of(anna.post("/challenges", {"to": ben.me()["id"], "listed": True})) == (409, "not_possible")
    assert error_of(anna.post("/challenges", {"to": ben.me()["id"], "places": 2})) == (409, "not_possible")
    block_player(ben)
    assert error_of(anna.post("/challenges", {"to": ben.me()["id"]})) == (409, "takes_no_challenges")


def test_a_deleted_player_has_no_challenges(anna: Browser, ben: Browser) -> None:
    made = challenge(anna, ben)
    assert ben.delete("/me", {"password": "three blue bridges"}).status_code == 204
    assert own(anna) == ([], []) and error_of(anna.get(f"/challenges/{made['id']}")) == (404, "unknown_challenge")


# ---------------------------------------------------------------------- blocks


def relate(one: Browser, other: Browser, kind: str) -> None:
    answer = one.send("PUT", f"/players/{other.me()['id']}/relation", {"kind": kind})
    assert json_of(answer) == {"kind": kind}


def test_relations_are_the_owners_own(anna: Browser, ben: Browser) -> None:
    relate(anna, ben, "follow")
    listed = json_of(anna.get("/me/relations"))
    assert [each["player"]["name"] for each in listed["following"]] == ["Ben"] and listed["blocked"] == []
    relate(anna, ben, "block")
    listed = json_of(anna.get("/me/relations"))
    assert listed["following"] == [] and [each["name"] for each in listed["blocked"]] == ["Ben"]
    assert json_of(anna.get(f"/players/{ben.me()['id']}/relation")) == {"kind": "block"}
    assert json_of(ben.get(f"/players/{anna.me()['id']}/relation")) == {"kind": None}
    assert json_of(ben.get("/me/relations")) == {"following": [], "blocked": []}
    program = Browser(anna.client)
    header = {"Authorization": f"Bearer {anna.token('play')['secret']}"}
    assert error_of(program.get("/me/relations", **header)) == (403, "not_in_scope")
    assert anna.delete(f"/players/{ben.me()['id']}/relation").status_code == 204
    assert json_of(anna.get("/me/relations")) == {"following": [], "blocked": []}
    answer = anna.send("PUT", f"/players/{anna.me()['id']}/relation", {"kind": "follow"})
    assert error_of(answer) == (409, "own_relation")
    assert error_of(program.get("/me/relations")) == (401, "stranger")


def test_a_followed_players_public_game_is_shown(anna: Browser, ben: Browser, eve: Browser) -> None:
    relate(anna, ben, "follow")
    start_game(ben, eve)  # not public
    assert json_of(anna.get("/me/relations"))["following"][0]["playing"] is None
    game = start_game(ben, eve, listed=True)
    assert json_of(anna.get("/me/relations"))["following"][0]["playing"] == game["id"]


def test_blocked_players_are_kept_apart(anna: Browser, ben: Browser) -> None:
    before = challenge(ben, anna)
    seat = json_of(anna.post("/challenges", {"listed": True, "time": "3d"}), 201)
    relate(anna, ben, "block")
    assert own(anna)[0] == []  # she does not see it any more
    assert error_of(ben.post("/challenges", {"to": anna.me()["id"]})) == (409, "takes_no_challenges")
    assert error_of(anna.post("/challenges", {"to": ben.me()["id"]})) == (409, "you_blocked")
    assert error_of(ben.post(f"/challenges/{seat['id']}/accept")) == (409, "takes_no_challenges")
    assert error_of(anna.post(f"/challenges/{before['id']}/accept")) == (409, "you_blocked")
    anna.send("PATCH", "/me", {"name": "Hidden Anna"})
    names = [each["name"] for each in json_of(ben.get("/players?query=hidden"))["players"]]
    assert names == [] and len(json_of(Browser(ben.client).get("/players?query=hidden"))["players"]) >= 1
    anna.delete(f"/players/{ben.me()['id']}/relation")
    assert ben.post(f"/challenges/{seat['id']}/accept").status_code == 201


def test_no_rematch_with_who_blocked_whom(anna: Browser, ben: Browser) -> None:
    """Neither offered nor accepted; and who is blocked hears no more of it than of a challenge."""
    game = start_game(anna, ben, time="3d")
    json_of(ben.post(f"/games/{game['id']}/resign"))
    offers, rematch = f"/games/{game['id']}/offers", {"kind": "rematch"}
    relate(anna, ben, "block")
    assert error_of(ben.post(offers, rematch)) == (409, "takes_no_challenges")
    assert error_of(anna.post(offers, rematch)) == (409, "you_blocked")
    assert json_of(anna.get(f"/games/{game['id']}"))["offer"] is None
    anna.delete(f"/players/{ben.me()['id']}/relation")
    json_of(ben.post(offers, rematch))
    relate(anna, ben, "block")
    assert error_of(anna.post(f"{offers}/accept", rematch)) == (409, "you_blocked")
    json_of(ben.delete(offers))
    anna.delete(f"/players/{ben.me()['id']}/relation")
    json_of(anna.post(offers, rematch))
    relate(anna, ben, "block")
    assert error_of(ben.post(f"{offers}/accept", rematch)) == (409, "takes_no_challenges")
    assert json_of(ben.get(f"/games/{game['id']}"))["next"] is None
    anna.delete(f"/players/{ben.me()['id']}/relation")
    assert json_of(ben.post(f"{offers}/accept", rematch))["next"]


def test_a_block_races_with_an_acceptance(anna: Browser, ben: Browser) -> None:
    for _ in range(8):
        seat = json_of(anna.post("/challenges", {"time": "3d"}), 201)
        with ThreadPoolExecutor(2) as at_once:
            accepted = at_once.submit(ben.post, f"/challenges/{seat['id']}/accept")
            blocked = at_once.submit(anna.send, "PUT", f"/players/{ben.me()['id']}/relation", {"kind": "block"})
        assert blocked.result().status_code == 200
        assert accepted.result().status_code == 201 or error_of(accepted.result()) == (409, "takes_no_challenges")
        assert error_of(ben.post("/challenges", {"to": anna.me()["id"]})) == (409, "takes_no_challenges")
        anna.delete(f"/players/{ben.me()['id']}/relation")


def test_greetings_of_blocked_players_reach_nobody(online: TestClient, anna: Browser, ben: Browser) -> None:
    game = start_game(anna, ben)
    path = f"/games/{game['id']}/greetings"
    relate(anna, ben, "block")
    with online.websocket_connect(f"{API}/games/{game['id']}/live", headers=anna.headers) as socket:
        assert ben.post(path, {"greeting": "hello"}).status_code == 204
        assert anna.post(path, {"greeting": "thanks"}).status_code == 204
        while (message := socket.receive_json())["type"] != "greeting":
            pass
        assert message == {"type": "greeting", "by": "w", "greeting": "thanks"}


def test_relations_of_a_guest_come_along(anna: Browser, new_browser: NewBrowser) -> None:
    guest = new_browser()
    guest.post("/me", {"name": "Guest"})
    relate(guest, anna, "block")
    relate(anna, guest, "follow")
    holder, login = create_account(new_browser, name="Holder")
    relate(holder, anna, "follow")
    assert guest.post("/session", {"login": login, "password": "three blue bridges"}).status_code == 200
    assert json_of(guest.get(f"/players/{anna.me()['id']}/relation")) == {"kind": "block"}  # a block stays
    assert [each["player"]["name"] for each in json_of(anna.get("/me/relations"))["following"]] == ["Holder"]


# ---------------------------------------------------------------------- standing challenges


def test_a_standing_challenge_opens_again(anna: Browser, new_browser: NewBrowser) -> None:
    seat = json_of(anna.post("/challenges", {"listed": True, "time": "3d", "places": 2}), 201)
    path = f"/challenges/{seat['id']}"

    def is_listed() -> bool:
        return seat["id"] in [each["id"] for each in json_of(anna.get("/lobby"))["challenges"]]

    others = [create_account(new_browser)[0] for _ in range(3)]
    games = [json_of(other.post(f"{path}/accept"), 201) for other in others[:2]]
    assert len({game["id"] for game in games}) == 2 and not is_listed()
    state = json_of(anna.get(path))
    assert state["game"] is None and (state["places"], state["running"]) == (2, 2)
    assert error_of(others[2].post(f"{path}/accept")) == (409, "taken")
    # Who plays one of its games gets that game again, not another one.
    assert json_of(others[0].post(f"{path}/accept"), 201)["id"] == games[0]["id"]
    assert anna.post(f"/games/{games[0]['id']}/abort").status_code == 204
    assert is_listed() and json_of(anna.get(path))["running"] == 1
    assert others[2].post(f"{path}/accept").status_code == 201 and not is_listed()
    assert anna.delete(path).status_code == 204
    assert json_of(anna.get(f"/games/{games[1]['id']}"))["result"] == "*"
    assert own(anna) == ([], [])


def test_places_are_counted_in_the_transaction(anna: Browser, new_browser: NewBrowser) -> None:
    seat = json_of(anna.post("/challenges", {"time": "3d", "places": 3}), 201)
    others = [create_account(new_browser)[0] for _ in range(8)]
    with ThreadPoolExecutor(len(others)) as at_once:
        answers = list(at_once.map(lambda other: other.post(f"/challenges/{seat['id']}/accept"), others))
    assert Counter(answer.status_code for answer in answers) == {201: 3, 409: 5}
    assert len({answer.json()["id"] for answer in answers if answer.is_success}) == 3


@pytest.mark.parametrize("places", [0, 11, "two"])
def test_places_have_bounds(anna: Browser, places: object) -> None:
    assert error_of(anna.post("/challenges", {"places": places}))[0] == 422
