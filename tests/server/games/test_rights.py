"""Who may do what: a seat is its holder's, and between two players nothing happens without both."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.server.accounts.test_accounts import account
from tests.server.online_client import Browser, refused
from tests.server.two_player_games import agree, found, play, stands, turn

New = Callable[[], Browser]


def test_only_the_holder_plays_a_seat(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = agree(anna, ben)
    assert refused(turn(eve, game, "Ed5ne")) == (403, "not_your_seat")
    assert refused(turn(ben, game, "Ed5ne")) == (409, "not_your_turn")
    game = play(game, (anna, "Ed5ne"))
    # Sent again by whoever played it, it is not played twice; by others it is refused.
    again = {**game, "ply": 0}
    assert found(turn(anna, again, "Ed5ne"))["ply"] == 1
    assert refused(turn(eve, again, "Ed5ne")) == (403, "not_your_seat")
    late = turn(anna, again, "Td5n")
    assert refused(late) == (409, "wrong_ply")
    assert stands(late) == game
    assert play(game, (ben, "Tl5s"))["ply"] == 2


def test_what_one_is_in_a_game(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = agree(anna, ben)
    nothing = {"undo": False, "delete": False, "hint": False, "offer": False}

    def you(who: Browser, of: dict[str, object]) -> dict[str, object]:
        told = found(who.get(f"/games/{of['id']}/you"))
        assert told.pop("now")
        return told

    assert you(anna, game) == {"seats": ["w"], "owner": True, "may": {**nothing, "offer": True}}
    assert you(ben, game) == {"seats": ["b"], "owner": False, "may": {**nothing, "offer": True}}
    assert you(eve, game) == {"seats": [], "owner": False, "may": nothing}
    alone = found(anna.post("/games", {}), 201)
    everything = {"undo": True, "delete": True, "hint": True, "offer": False}
    assert you(anna, alone) == {"seats": ["w", "b"], "owner": True, "may": everything}
    assert you(ben, alone) == {"seats": [], "owner": False, "may": nothing}
    computer = found(anna.post("/games", {"seats": {"b": {"type": "engine", "level": 1}}}), 201)
    assert you(anna, computer) == {"seats": ["w"], "owner": True, "may": everything}


@pytest.mark.parametrize("wish", ["undo", "redo", "draw", "hint"])
def test_between_two_players_nobody_decides_alone(browser: New, wish: str) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    for who in (anna, ben):
        assert refused(who.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
        assert refused(who.delete(f"/games/{game['id']}")) == (409, "not_possible")
    assert refused(eve.post(f"/games/{game['id']}/{wish}")) == (403, "not_your_seat")
    assert refused(eve.delete(f"/games/{game['id']}")) == (403, "not_your_seat")
    assert found(anna.get(f"/games/{game['id']}"))["revision"] == game["revision"]


def test_what_a_game_does_not_allow_comes_with_how_it_stands(browser: New) -> None:
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    path = f"/games/{game['id']}"
    assert stands(turn(ben, game, "Td5n")) == game  # not_your_turn
    assert stands(turn(anna, {**game, "ply": 0}, "Td5n")) == game  # wrong_ply
    assert stands(turn(anna, {**game, "ply": 4}, "Td5n")) == game
    for wish in ("undo", "redo", "draw", "hint", "abort"):  # not_possible
        assert stands(anna.post(f"{path}/{wish}")) == game
    assert stands(anna.post(f"{path}/offers/accept", {"kind": "draw"})) == game
    assert stands(anna.post(f"{path}/offers", {"kind": "rematch"})) == game
    assert stands(anna.delete(path)) == game
    ended = found(ben.post(f"{path}/resign"))
    assert stands(turn(anna, game, "Td5n")) == ended  # game_over
    assert stands(anna.post(f"{path}/resign")) == ended
    assert stands(anna.post(f"{path}/offers", {"kind": "draw"})) == ended


def test_one_resigns_ones_own_seat(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = agree(anna, ben)
    path = f"/games/{game['id']}/resign"
    assert refused(eve.post(path)) == (403, "not_your_seat")
    assert refused(eve.post(path, {"colour": "w"})) == (403, "not_your_seat")
    assert refused(ben.post(path, {"colour": "w"})) == (403, "not_your_seat")
    ended = found(ben.post(path))  # though it is White's turn
    assert ended["outcome"] == {"winner": "w", "reason": "resignation"}
    assert refused(anna.post(path)) == (409, "game_over")


def test_a_game_of_ones_own_is_as_at_home(browser: New) -> None:
    anna, eve = browser(), browser()
    game = play(found(anna.post("/games", {}), 201), (anna, "Ed5ne"), (anna, "Tl5s"))
    path = f"/games/{game['id']}"
    for wish in ("undo", "redo", "draw", "resign"):
        assert refused(eve.post(f"{path}/{wish}")) == (403, "not_your_seat")
    assert refused(turn(eve, game, "Td5n")) == (403, "not_your_seat")
    assert refused(eve.delete(path)) == (403, "not_your_seat")
    assert found(anna.post(f"{path}/undo"))["ply"] == 1
    assert found(anna.post(f"{path}/redo"))["ply"] == 2
    assert found(anna.post(f"{path}/draw"))["result"] == "1/2-1/2"
    assert anna.delete(path).status_code == 204


def test_a_rated_game_against_the_computer_takes_nothing_back(browser: New) -> None:
    anna, _ = account(browser)
    rated = {"rated": True, "seats": {"b": {"type": "engine", "level": 1}}}
    game = play(found(anna.post("/games", rated), 201), (anna, "Ed5ne"))
    for wish in ("undo", "hint"):
        assert refused(anna.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
    assert refused(anna.delete(f"/games/{game['id']}")) == (409, "not_possible")  # nor is a loss dodged
    found(anna.post(f"/games/{game['id']}/resign"))
    for wish in ("undo", "redo", "hint"):
        assert refused(anna.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
    assert refused(anna.delete(f"/games/{game['id']}")) == (409, "not_possible")
    told = found(anna.get(f"/games/{game['id']}/you"))
    assert told["may"] == {"undo": False, "delete": False, "hint": False, "offer": False}
    assert refused(anna.post("/games", {"rated": True})) == (409, "not_possible")
    assert refused(anna.post("/games", {**rated, "position": "standard w wEd5ne"})) == (409, "not_possible")


def test_ones_games_and_those_that_wait_first(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    anna.post("/me", {"name": "Anna"})
    waits = agree(anna, ben)
    answered = play(agree(anna, ben), (anna, "Ed5ne"))
    over = play(agree(ben, anna), (ben, "Ed5ne"))
    found(ben.post(f"/games/{over['id']}/resign"))
    theirs = found(anna.get("/games"))
    assert [(game["id"], game["your_turn"]) for game in theirs["games"]] == [
        (waits["id"], True),
        (over["id"], False),
        (answered["id"], False),
    ]
    assert theirs["total"] == 3
    assert [game["id"] for game in found(anna.get("/games?running=true"))["games"]] == [waits["id"], answered["id"]]
    assert [game["id"] for game in found(ben.get("/games?running=true"))["games"]] == [answered["id"], waits["id"]]
    assert found(eve.get("/games")) == {"games": [], "total": 0, "offset": 0, "limit": 20}
    records = {"text": '[White "Anna"]\n\n1. Ed5ne *'}
    (read,) = found(eve.post("/records", records), 201)["games"]
    assert [game["id"] for game in found(eve.get("/games"))["games"]] == [read["id"]]
