"""Who may do what: a seat is its owner's, and between two players nothing happens without both."""

from __future__ import annotations

import pytest
from tests.server.online_client import Browser, NewBrowser, create_account, error_of
from tests.server.two_player_games import game_in_conflict, json_of, play_moves, post_move, start_game


def test_only_the_owner_plays_a_seat(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    assert error_of(post_move(eve, game, "Ed5ne")) == (403, "not_your_seat")
    assert error_of(post_move(ben, game, "Ed5ne")) == (409, "not_your_turn")
    game = play_moves(game, (anna, "Ed5ne"))
    # Sent again by whoever played it, it is not played twice; by others it is refused.
    again = {**game, "ply": 0}
    assert json_of(post_move(anna, again, "Ed5ne"))["ply"] == 1
    assert error_of(post_move(eve, again, "Ed5ne")) == (403, "not_your_seat")
    late = post_move(anna, again, "Td5n")
    assert error_of(late) == (409, "wrong_ply")
    assert game_in_conflict(late) == game
    assert play_moves(game, (ben, "Tl5s"))["ply"] == 2


def test_the_role_of_a_player_in_a_game(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    nothing = {"undo": False, "delete": False, "hint": False, "offer": False}

    def you(who: Browser, of: dict[str, object]) -> dict[str, object]:
        told = json_of(who.get(f"/games/{of['id']}/you"))
        assert told.pop("now")
        return told

    assert you(anna, game) == {"seats": ["w"], "owner": True, "may": {**nothing, "offer": True}}
    assert you(ben, game) == {"seats": ["b"], "owner": False, "may": {**nothing, "offer": True}}
    assert you(eve, game) == {"seats": [], "owner": False, "may": nothing}
    alone = json_of(anna.post("/games", {}), 201)
    everything = {"undo": True, "delete": True, "hint": True, "offer": False}
    assert you(anna, alone) == {"seats": ["w", "b"], "owner": True, "may": everything}
    assert you(ben, alone) == {"seats": [], "owner": False, "may": nothing}
    computer = json_of(anna.post("/games", {"seats": {"b": {"type": "engine", "level": 1}}}), 201)
    assert you(anna, computer) == {"seats": ["w"], "owner": True, "may": everything}


@pytest.mark.parametrize("wish", ["undo", "redo", "draw", "hint"])
def test_undo_and_draw_need_both_players(new_browser: NewBrowser, wish: str) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    for who in (anna, ben):
        assert error_of(who.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
        assert error_of(who.delete(f"/games/{game['id']}")) == (409, "not_possible")
    assert error_of(eve.post(f"/games/{game['id']}/{wish}")) == (403, "not_your_seat")
    assert error_of(eve.delete(f"/games/{game['id']}")) == (403, "not_your_seat")
    assert json_of(anna.get(f"/games/{game['id']}"))["revision"] == game["revision"]


def test_refused_actions_return_the_current_game(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    path = f"/games/{game['id']}"
    assert game_in_conflict(post_move(ben, game, "Td5n")) == game  # not_your_turn
    assert game_in_conflict(post_move(anna, {**game, "ply": 0}, "Td5n")) == game  # wrong_ply
    assert game_in_conflict(post_move(anna, {**game, "ply": 4}, "Td5n")) == game
    for wish in ("undo", "redo", "draw", "hint", "abort"):  # not_possible
        assert game_in_conflict(anna.post(f"{path}/{wish}")) == game
    assert game_in_conflict(anna.post(f"{path}/offers/accept", {"kind": "draw"})) == game
    assert game_in_conflict(anna.post(f"{path}/offers", {"kind": "rematch"})) == game
    assert game_in_conflict(anna.delete(path)) == game
    ended = json_of(ben.post(f"{path}/resign"))
    assert game_in_conflict(post_move(anna, game, "Td5n")) == ended  # game_over
    assert game_in_conflict(anna.post(f"{path}/resign")) == ended
    assert game_in_conflict(anna.post(f"{path}/offers", {"kind": "draw"})) == ended


def test_a_player_resigns_only_their_own_seat(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = start_game(anna, ben)
    path = f"/games/{game['id']}/resign"
    assert error_of(eve.post(path)) == (403, "not_your_seat")
    assert error_of(eve.post(path, {"colour": "w"})) == (403, "not_your_seat")
    assert error_of(ben.post(path, {"colour": "w"})) == (403, "not_your_seat")
    ended = json_of(ben.post(path))  # though it is White's turn
    assert ended["outcome"] == {"winner": "w", "reason": "resignation"}
    assert error_of(anna.post(path)) == (409, "game_over")


def test_a_game_against_oneself_has_all_rights_of_home(new_browser: NewBrowser) -> None:
    anna, eve = new_browser(), new_browser()
    game = play_moves(json_of(anna.post("/games", {}), 201), (anna, "Ed5ne"), (anna, "Tl5s"))
    path = f"/games/{game['id']}"
    for wish in ("undo", "redo", "draw", "resign"):
        assert error_of(eve.post(f"{path}/{wish}")) == (403, "not_your_seat")
    assert error_of(post_move(eve, game, "Td5n")) == (403, "not_your_seat")
    assert error_of(eve.delete(path)) == (403, "not_your_seat")
    assert json_of(anna.post(f"{path}/undo"))["ply"] == 1
    assert json_of(anna.post(f"{path}/redo"))["ply"] == 2
    assert json_of(anna.post(f"{path}/draw"))["result"] == "1/2-1/2"
    assert anna.delete(path).status_code == 204


def test_a_rated_game_against_an_engine_has_no_undo(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    rated = {"rated": True, "seats": {"b": {"type": "engine", "level": 1}}}
    game = play_moves(json_of(anna.post("/games", rated), 201), (anna, "Ed5ne"))
    for wish in ("undo", "hint"):
        assert error_of(anna.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
    assert error_of(anna.delete(f"/games/{game['id']}")) == (409, "not_possible")  # nor is a loss dodged
    json_of(anna.post(f"/games/{game['id']}/resign"))
    for wish in ("undo", "redo", "hint"):
        assert error_of(anna.post(f"/games/{game['id']}/{wish}")) == (409, "not_possible")
    assert error_of(anna.delete(f"/games/{game['id']}")) == (409, "not_possible")
    told = json_of(anna.get(f"/games/{game['id']}/you"))
    assert told["may"] == {"undo": False, "delete": False, "hint": False, "offer": False}
    assert error_of(anna.post("/games", {"rated": True})) == (409, "not_possible")
    assert error_of(anna.post("/games", {**rated, "position": "standard w wEd5ne"})) == (409, "not_possible")


def test_own_games_list_those_to_move_first(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    anna.post("/me", {"name": "Anna"})
    waits = start_game(anna, ben)
    answered = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    over = play_moves(start_game(ben, anna), (ben, "Ed5ne"))
    json_of(ben.post(f"/games/{over['id']}/resign"))
    theirs = json_of(anna.get("/games"))
    assert [(game["id"], game["your_turn"]) for game in theirs["games"]] == [
        (waits["id"], True),
        (over["id"], False),
        (answered["id"], False),
    ]
    assert theirs["total"] == 3
    assert [game["id"] for game in json_of(anna.get("/games?running=true"))["games"]] == [waits["id"], answered["id"]]
    assert [game["id"] for game in json_of(ben.get("/games?running=true"))["games"]] == [answered["id"], waits["id"]]
    assert json_of(eve.get("/games")) == {"games": [], "total": 0, "offset": 0, "limit": 20}
    records = {"text": '[White "Anna"]\n\n1. Ed5ne *'}
    (read,) = json_of(eve.post("/records", records), 201)["games"]
    assert [game["id"] for game in json_of(eve.get("/games"))["games"]] == [read["id"]]
