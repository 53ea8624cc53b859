"""Offers between two players: draw, undo, rematch; and idempotency keys."""

from __future__ import annotations

import httpx2 as httpx
import pytest
from tests.server.live_client import connect_to_game, next_message
from tests.server.online_client import PROOF, Browser, NewBrowser, block_player, create_account, error_of
from tests.server.two_player_games import json_of, play_moves, start_game

from punct.server.db.errors import StoreBusyError
from punct.server.games.service import Games


def offer(who: Browser, game: dict[str, object], kind: str, way: str = "offers", **key: str) -> httpx.Response:
    return who.post(f"/games/{game['id']}/{way}", {"kind": kind}, **key)


def test_a_draw_needs_both_players(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    assert error_of(offer(eve, game, "draw")) == (403, "not_your_seat")
    offered = json_of(offer(anna, game, "draw"))
    assert offered["offer"] == {"kind": "draw", "by": "w"} and offered["revision"] == game["revision"] + 1
    assert json_of(offer(anna, game, "draw"))["revision"] == offered["revision"]
    assert error_of(offer(anna, game, "draw", "offers/accept")) == (409, "not_possible")
    assert error_of(offer(eve, game, "draw", "offers/accept")) == (403, "not_your_seat")
    assert error_of(offer(ben, game, "undo", "offers/accept")) == (409, "not_possible")
    assert error_of(offer(ben, game, "undo")) == (409, "not_possible")  # one thing at a time
    assert error_of(eve.delete(f"/games/{game['id']}/offers")) == (403, "not_your_seat")
    declined = json_of(ben.delete(f"/games/{game['id']}/offers"))
    assert declined["offer"] is None and declined["outcome"] is None
    json_of(offer(ben, game, "draw"))
    ended = json_of(offer(anna, game, "draw"))  # both have offered it
    assert ended["outcome"] == {"winner": None, "reason": "agreement"} and ended["offer"] is None
    assert error_of(offer(anna, game, "draw")) == (409, "game_over")


def test_a_move_cancels_an_offer(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    json_of(offer(anna, game, "draw"))
    assert play_moves(game, (ben, "Tl5s"))["offer"] is None
    assert error_of(offer(ben, game, "draw", "offers/accept")) == (409, "not_possible")


def test_undo_goes_back_to_the_move_of_the_player_who_offered(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben)
    assert error_of(offer(anna, game, "undo")) == (409, "not_possible")
    game = play_moves(game, (anna, "Ed5ne"), (ben, "Tl5s"))
    json_of(offer(anna, game, "undo"))
    back = json_of(offer(ben, game, "undo", "offers/accept"))
    assert back["ply"] == 0 and back["turn"] == "w" and back["offer"] is None
    game = play_moves(back, (anna, "Td5n"))
    json_of(offer(anna, game, "undo"))
    assert json_of(offer(ben, game, "undo", "offers/accept"))["ply"] == 0
    assert json_of(ben.get(f"/games/{game['id']}"))["turns"] == []


def test_a_rematch_swaps_colours(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben, rules="basic", time="10+0", listed=True)
    assert error_of(offer(anna, game, "rematch")) == (409, "not_possible")
    json_of(ben.post(f"/games/{game['id']}/resign"))
    assert json_of(offer(ben, game, "rematch"))["offer"] == {"kind": "rematch", "by": "b"}
    over = json_of(offer(anna, game, "rematch", "offers/accept", Idempotency_Key="again"))
    assert over["next"] and over["offer"] is None and over["outcome"]
    assert json_of(offer(anna, game, "rematch", "offers/accept", Idempotency_Key="again"))["next"] == over["next"]
    following = json_of(anna.get(f"/games/{over['next']}"))
    assert [following["seats"][colour]["player"]["id"] for colour in "wb"] == [
        game["seats"][colour]["player"]["id"] for colour in "bw"
    ]
    assert (following["rules"], following["time"], following["listed"], following["ply"]) == ("basic", "10+0", True, 0)
    assert error_of(offer(anna, game, "rematch")) == (409, "not_possible")
    assert play_moves(following, (ben, "Ed5ne"))["ply"] == 1


def finished(new_browser: NewBrowser, rated: bool = False) -> tuple[Browser, Browser, dict[str, object]]:
    """Return two account holders, and their game that is over, in which White has offered a rematch."""
    (anna, _), (ben, _) = create_account(new_browser), create_account(new_browser)
    game = start_game(anna, ben, time="5+3", rated=rated)
    json_of(ben.post(f"/games/{game['id']}/resign"))
    return anna, ben, json_of(offer(anna, game, "rematch"))


def test_a_stored_rematch_is_accepted_even_if_it_cannot_be_read(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, game = finished(new_browser)

    async def fail(_: Games, game_id: str) -> None:
        raise StoreBusyError("The store is busy.")

    with connect_to_game(anna, game) as socket, monkeypatch.context() as disk:
        next_message(socket, "game")
        disk.setattr(Games, "publish_new", fail)
        accepted = json_of(offer(ben, game, "rematch", "offers/accept"))
        assert accepted["next"] and next_message(socket, "game")["game"]["next"] == accepted["next"]


def test_no_rematch_with_a_deleted_player(new_browser: NewBrowser) -> None:
    anna, ben, game = finished(new_browser, rated=True)
    assert anna.delete("/me", PROOF).status_code == 204
    after = json_of(ben.get(f"/games/{game['id']}"))
    assert after["offer"] is None
    assert error_of(offer(ben, game, "rematch", "offers/accept")) == (409, "not_possible")
    json_of(offer(ben, game, "rematch"))  # nobody will ever answer it
    assert json_of(ben.get("/games?running=true"))["total"] == 0


def test_no_rematch_with_a_blocked_player(new_browser: NewBrowser) -> None:
    anna, ben, game = finished(new_browser)
    block_player(anna)
    refusal = offer(ben, game, "rematch", "offers/accept")
    assert error_of(refusal) == (409, "not_possible") and refusal.json()["error"]["detail"]["game"]["next"] is None
    assert json_of(ben.get("/games?running=true"))["total"] == 0


def test_an_aborted_rematch_may_be_repeated(new_browser: NewBrowser) -> None:
    anna, ben, game = finished(new_browser)
    first = json_of(offer(ben, game, "rematch", "offers/accept"))["next"]
    assert error_of(offer(anna, game, "rematch")) == (409, "not_possible")
    with connect_to_game(ben, game) as socket:
        assert next_message(socket, "game")["game"]["next"] == first
        assert anna.post(f"/games/{first}/abort").status_code == 204
        assert json_of(ben.get(f"/games/{game['id']}"))["next"] is None
        assert next_message(socket, "game")["game"]["next"] is None
    json_of(offer(anna, game, "rematch"))
    second = json_of(offer(ben, game, "rematch", "offers/accept"))["next"]
    assert second not in (None, first) and json_of(ben.get(f"/games/{second}"))["ply"] == 0


def test_a_rematch_is_aborted_even_if_the_game_before_it_cannot_be_read(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, game = finished(new_browser)
    rematch = json_of(offer(ben, game, "rematch", "offers/accept"))["next"]

    async def fail(_: Games, game_ids: list[str]) -> None:
        assert game_ids == [game["id"]]
        raise StoreBusyError("The store is busy.")

    with monkeypatch.context() as disk:
        disk.setattr(Games, "refresh", fail)
        assert anna.post(f"/games/{rematch}/abort").status_code == 204
    assert error_of(anna.get(f"/games/{rematch}")) == (404, "unknown_game")


def test_a_game_is_aborted_before_both_have_played(new_browser: NewBrowser) -> None:
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"))
    assert error_of(eve.post(f"/games/{game['id']}/abort")) == (403, "not_your_seat")
    assert ben.post(f"/games/{game['id']}/abort").status_code == 204
    assert error_of(anna.get(f"/games/{game['id']}")) == (404, "unknown_game")
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    assert error_of(ben.post(f"/games/{game['id']}/abort")) == (409, "not_possible")


def test_offers_need_an_opponent(new_browser: NewBrowser) -> None:
    anna = new_browser()
    for seats in ({}, {"b": {"type": "engine", "level": 1}}):
        game = json_of(anna.post("/games", {"seats": seats}), 201)
        assert error_of(offer(anna, game, "draw")) == (409, "not_possible")
        assert error_of(anna.post(f"/games/{game['id']}/abort")) == (409, "not_possible")


def test_a_repeated_request_with_one_key_is_executed_once(new_browser: NewBrowser) -> None:
    anna = new_browser()
    game = play_moves(json_of(anna.post("/games", {}), 201), (anna, "Ed5ne"), (anna, "Tl5s"))
    for _ in range(3):
        assert json_of(anna.post(f"/games/{game['id']}/undo", Idempotency_Key="back"))["ply"] == 1
    for _ in range(2):  # the second time would be refused: the game is over
        assert json_of(anna.post(f"/games/{game['id']}/resign", Idempotency_Key="enough"))["outcome"]
    other = json_of(anna.post("/games", {}), 201)
    assert error_of(anna.post(f"/games/{other['id']}/resign", Idempotency_Key="enough")) == (422, "key_reused")


def test_a_late_duplicate_does_not_replay_an_undone_move(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = start_game(anna, ben)
    turns, first = f"/games/{game['id']}/turns", {"text": "Ed5ne", "ply": 0}
    played = json_of(anna.post(turns, first, Idempotency_Key="turn-1"))
    assert json_of(anna.post(turns, first, Idempotency_Key="turn-1")) == played
    json_of(offer(anna, game, "undo"))
    back = json_of(offer(ben, game, "undo", "offers/accept"))
    assert json_of(anna.post(turns, first, Idempotency_Key="turn-1")) == back  # with no turn played
    other = {"text": "Td5n", "ply": 0}
    assert error_of(anna.post(turns, other, Idempotency_Key="turn-1")) == (422, "key_reused")
    after = json_of(anna.post(turns, other, Idempotency_Key="turn-2"))
    assert json_of(anna.post(turns, first, Idempotency_Key="turn-1")) == after  # not wrong_ply: it was played then
    assert json_of(anna.get(f"/games/{game['id']}"))["turns"][0]["text"] == "Td5n"


def test_a_key_is_valid_for_one_request(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    game = play_moves(start_game(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    path = f"/games/{game['id']}"
    json_of(anna.post(f"{path}/offers", {"kind": "draw"}, Idempotency_Key="one"))
    for wish, body in (("resign", None), ("offers", {"kind": "undo"}), ("abort", None)):
        assert error_of(anna.post(f"{path}/{wish}", body, Idempotency_Key="one")) == (422, "key_reused")
    assert error_of(anna.delete(path, Idempotency_Key="one")) == (422, "key_reused")
    declined = json_of(ben.delete(f"{path}/offers", Idempotency_Key="no"))
    json_of(anna.post(f"{path}/offers", {"kind": "draw"}, Idempotency_Key="two"))
    assert json_of(ben.delete(f"{path}/offers", Idempotency_Key="no"))["offer"] == {"kind": "draw", "by": "w"}
    assert declined["offer"] is None
    ended = json_of(anna.post(f"{path}/resign", Idempotency_Key="enough"))
    assert json_of(anna.post(f"{path}/resign", Idempotency_Key="enough")) == ended


def test_a_repeated_deletion_with_one_key_succeeds(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    aborted, own = start_game(anna, ben), json_of(anna.post("/games", {}), 201)
    challenge = json_of(anna.post("/challenges", {}), 201)
    for _ in range(2):
        assert anna.post(f"/games/{aborted['id']}/abort", Idempotency_Key="off").status_code == 204
        assert anna.delete(f"/games/{own['id']}", Idempotency_Key="away").status_code == 204
        assert anna.delete(f"/challenges/{challenge['id']}", Idempotency_Key="back").status_code == 204
    assert error_of(anna.delete(f"/games/{own['id']}")) == (404, "unknown_game")


def test_records_and_tokens_are_created_once_per_key(new_browser: NewBrowser) -> None:
    anna = new_browser()
    json_of(anna.post("/account", {"login": f"maker-{id(anna)}", **PROOF}), 201)
    record = {"text": "1. Ed5ne Tl5s *\n\n1. Td5n Tl5s *"}
    taken = json_of(anna.post("/records", record, Idempotency_Key="record"), 201)
    assert json_of(anna.post("/records", record, Idempotency_Key="record"), 201) == taken
    assert json_of(anna.get("/games"))["total"] == len(taken["games"]) == 2
    wanted = {"name": "bot", "scopes": ["read"], **PROOF}
    first = json_of(anna.post("/tokens", wanted, Idempotency_Key="token"), 201)
    second = json_of(anna.post("/tokens", wanted, Idempotency_Key="token"), 201)
    (token,) = json_of(anna.get("/tokens"))["tokens"]
    assert token["id"] == second["id"]
    stranger = Browser(anna.client)
    assert error_of(stranger.get("/games", Authorization=f"Bearer {first['secret']}")) == (401, "bad_token")
    assert json_of(stranger.get("/games", Authorization=f"Bearer {second['secret']}"))["total"] == 2
    assert error_of(anna.post("/tokens", wanted, Idempotency_Key="record")) == (422, "key_reused")
