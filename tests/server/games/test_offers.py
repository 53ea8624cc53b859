"""What one of two players offers the other."""

from __future__ import annotations

from collections.abc import Callable

import httpx2 as httpx
from tests.server.accounts.test_accounts import account
from tests.server.accounts.test_ownership_transfer import block
from tests.server.games.test_live_routes import at_board, next_of
from tests.server.online_client import PROOF, Browser, refused
from tests.server.two_player_games import agree, found, play

New = Callable[[], Browser]


def offer(who: Browser, game: dict[str, object], kind: str, way: str = "offers", **key: str) -> httpx.Response:
    return who.post(f"/games/{game['id']}/{way}", {"kind": kind}, **key)


def test_a_draw_needs_both(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    assert refused(offer(eve, game, "draw")) == (403, "not_your_seat")
    offered = found(offer(anna, game, "draw"))
    assert offered["offer"] == {"kind": "draw", "by": "w"} and offered["revision"] == game["revision"] + 1
    assert found(offer(anna, game, "draw"))["revision"] == offered["revision"]
    assert refused(offer(anna, game, "draw", "offers/accept")) == (409, "not_possible")
    assert refused(offer(eve, game, "draw", "offers/accept")) == (403, "not_your_seat")
    assert refused(offer(ben, game, "undo", "offers/accept")) == (409, "not_possible")
    assert refused(offer(ben, game, "undo")) == (409, "not_possible")  # one thing at a time
    assert refused(eve.delete(f"/games/{game['id']}/offers")) == (403, "not_your_seat")
    declined = found(ben.delete(f"/games/{game['id']}/offers"))
    assert declined["offer"] is None and declined["outcome"] is None
    found(offer(ben, game, "draw"))
    ended = found(offer(anna, game, "draw"))  # both have offered it
    assert ended["outcome"] == {"winner": None, "reason": "agreement"} and ended["offer"] is None
    assert refused(offer(anna, game, "draw")) == (409, "game_over")


def test_a_move_takes_an_offer_off_the_table(browser: New) -> None:
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    found(offer(anna, game, "draw"))
    assert play(game, (ben, "Tl5s"))["offer"] is None
    assert refused(offer(ben, game, "draw", "offers/accept")) == (409, "not_possible")


def test_taking_back_goes_to_the_turn_of_who_asked(browser: New) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben)
    assert refused(offer(anna, game, "undo")) == (409, "not_possible")
    game = play(game, (anna, "Ed5ne"), (ben, "Tl5s"))
    found(offer(anna, game, "undo"))
    back = found(offer(ben, game, "undo", "offers/accept"))
    assert back["ply"] == 0 and back["turn"] == "w" and back["offer"] is None
    game = play(back, (anna, "Td5n"))
    found(offer(anna, game, "undo"))
    assert found(offer(ben, game, "undo", "offers/accept"))["ply"] == 0
    assert found(ben.get(f"/games/{game['id']}"))["turns"] == []


def test_a_rematch_swaps_colours(browser: New) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben, rules="basic", time="10+0", listed=True)
    assert refused(offer(anna, game, "rematch")) == (409, "not_possible")
    found(ben.post(f"/games/{game['id']}/resign"))
    assert found(offer(ben, game, "rematch"))["offer"] == {"kind": "rematch", "by": "b"}
    over = found(offer(anna, game, "rematch", "offers/accept", Idempotency_Key="again"))
    assert over["next"] and over["offer"] is None and over["outcome"]
    assert found(offer(anna, game, "rematch", "offers/accept", Idempotency_Key="again"))["next"] == over["next"]
    following = found(anna.get(f"/games/{over['next']}"))
    assert [following["seats"][colour]["player"]["id"] for colour in "wb"] == [
        game["seats"][colour]["player"]["id"] for colour in "bw"
    ]
    assert (following["rules"], following["time"], following["listed"], following["ply"]) == ("basic", "10+0", True, 0)
    assert refused(offer(anna, game, "rematch")) == (409, "not_possible")
    assert play(following, (ben, "Ed5ne"))["ply"] == 1


def finished(browser: New, rated: bool = False) -> tuple[Browser, Browser, dict[str, object]]:
    """Return two account holders, and their game that is over, in which White has offered a rematch."""
    (anna, _), (ben, _) = account(browser), account(browser)
    game = agree(anna, ben, time="5+3", rated=rated)
    found(ben.post(f"/games/{game['id']}/resign"))
    return anna, ben, found(offer(anna, game, "rematch"))


def test_nobody_begins_a_rematch_with_whoever_is_gone(browser: New) -> None:
    anna, ben, game = finished(browser, rated=True)
    assert anna.delete("/me", PROOF).status_code == 204
    after = found(ben.get(f"/games/{game['id']}"))
    assert after["offer"] is None
    assert refused(offer(ben, game, "rematch", "offers/accept")) == (409, "not_possible")
    found(offer(ben, game, "rematch"))  # nobody will ever answer it
    assert found(ben.get("/games?running=true"))["total"] == 0


def test_nobody_begins_a_rematch_with_the_blocked(browser: New) -> None:
    anna, ben, game = finished(browser)
    block(anna)
    refusal = offer(ben, game, "rematch", "offers/accept")
    assert refused(refusal) == (409, "not_possible") and refusal.json()["error"]["detail"]["game"]["next"] is None
    assert found(ben.get("/games?running=true"))["total"] == 0


def test_after_a_rematch_was_called_off_there_may_be_another(browser: New) -> None:
    anna, ben, game = finished(browser)
    first = found(offer(ben, game, "rematch", "offers/accept"))["next"]
    assert refused(offer(anna, game, "rematch")) == (409, "not_possible")
    with at_board(ben, game) as socket:
        assert next_of(socket, "game")["game"]["next"] == first
        assert anna.post(f"/games/{first}/abort").status_code == 204
        assert found(ben.get(f"/games/{game['id']}"))["next"] is None
        assert next_of(socket, "game")["game"]["next"] is None
    found(offer(anna, game, "rematch"))
    second = found(offer(ben, game, "rematch", "offers/accept"))["next"]
    assert second not in (None, first) and found(ben.get(f"/games/{second}"))["ply"] == 0


def test_a_game_is_aborted_before_both_have_played(browser: New) -> None:
    anna, ben, eve = browser(), browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"))
    assert refused(eve.post(f"/games/{game['id']}/abort")) == (403, "not_your_seat")
    assert ben.post(f"/games/{game['id']}/abort").status_code == 204
    assert refused(anna.get(f"/games/{game['id']}")) == (404, "unknown_game")
    game = play(agree(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    assert refused(ben.post(f"/games/{game['id']}/abort")) == (409, "not_possible")


def test_offers_need_somebody_across_the_board(browser: New) -> None:
    anna = browser()
    for seats in ({}, {"b": {"type": "engine", "level": 1}}):
        game = found(anna.post("/games", {"seats": seats}), 201)
        assert refused(offer(anna, game, "draw")) == (409, "not_possible")
        assert refused(anna.post(f"/games/{game['id']}/abort")) == (409, "not_possible")


def test_repeated_with_a_key_a_wish_is_granted_once(browser: New) -> None:
    anna = browser()
    game = play(found(anna.post("/games", {}), 201), (anna, "Ed5ne"), (anna, "Tl5s"))
    for _ in range(3):
        assert found(anna.post(f"/games/{game['id']}/undo", Idempotency_Key="back"))["ply"] == 1
    for _ in range(2):  # the second time would be refused: the game is over
        assert found(anna.post(f"/games/{game['id']}/resign", Idempotency_Key="enough"))["outcome"]
    other = found(anna.post("/games", {}), 201)
    assert refused(anna.post(f"/games/{other['id']}/resign", Idempotency_Key="enough")) == (422, "key_reused")


def test_a_turn_that_was_taken_back_is_not_played_again_by_a_late_duplicate(browser: New) -> None:
    anna, ben = browser(), browser()
    game = agree(anna, ben)
    turns, first = f"/games/{game['id']}/turns", {"text": "Ed5ne", "ply": 0}
    played = found(anna.post(turns, first, Idempotency_Key="turn-1"))
    assert found(anna.post(turns, first, Idempotency_Key="turn-1")) == played
    found(offer(anna, game, "undo"))
    back = found(offer(ben, game, "undo", "offers/accept"))
    assert found(anna.post(turns, first, Idempotency_Key="turn-1")) == back  # with no turn played
    other = {"text": "Td5n", "ply": 0}
    assert refused(anna.post(turns, other, Idempotency_Key="turn-1")) == (422, "key_reused")
    after = found(anna.post(turns, other, Idempotency_Key="turn-2"))
    assert found(anna.post(turns, first, Idempotency_Key="turn-1")) == after  # not wrong_ply: it was played then
    assert found(anna.get(f"/games/{game['id']}"))["turns"][0]["text"] == "Td5n"


def test_a_key_stands_for_one_wish(browser: New) -> None:
    anna, ben = browser(), browser()
    game = play(agree(anna, ben), (anna, "Ed5ne"), (ben, "Tl5s"))
    path = f"/games/{game['id']}"
    found(anna.post(f"{path}/offers", {"kind": "draw"}, Idempotency_Key="one"))
    for wish, body in (("resign", None), ("offers", {"kind": "undo"}), ("abort", None)):
        assert refused(anna.post(f"{path}/{wish}", body, Idempotency_Key="one")) == (422, "key_reused")
    assert refused(anna.delete(path, Idempotency_Key="one")) == (422, "key_reused")
    declined = found(ben.delete(f"{path}/offers", Idempotency_Key="no"))
    found(anna.post(f"{path}/offers", {"kind": "draw"}, Idempotency_Key="two"))
    assert found(ben.delete(f"{path}/offers", Idempotency_Key="no"))["offer"] == {"kind": "draw", "by": "w"}
    assert declined["offer"] is None
    ended = found(anna.post(f"{path}/resign", Idempotency_Key="enough"))
    assert found(anna.post(f"{path}/resign", Idempotency_Key="enough")) == ended


def test_what_is_gone_is_gone_once(browser: New) -> None:
    anna, ben = browser(), browser()
    aborted, own = agree(anna, ben), found(anna.post("/games", {}), 201)
    challenge = found(anna.post("/challenges", {}), 201)
    for _ in range(2):
        assert anna.post(f"/games/{aborted['id']}/abort", Idempotency_Key="off").status_code == 204
        assert anna.delete(f"/games/{own['id']}", Idempotency_Key="away").status_code == 204
        assert anna.delete(f"/challenges/{challenge['id']}", Idempotency_Key="back").status_code == 204
    assert refused(anna.delete(f"/games/{own['id']}")) == (404, "unknown_game")


def test_records_and_tokens_are_made_once(browser: New) -> None:
    anna = browser()
    found(anna.post("/account", {"login": f"maker-{id(anna)}", **PROOF}), 201)
    record = {"text": "1. Ed5ne Tl5s *\n\n1. Td5n Tl5s *"}
    taken = found(anna.post("/records", record, Idempotency_Key="record"), 201)
    assert found(anna.post("/records", record, Idempotency_Key="record"), 201) == taken
    assert found(anna.get("/games"))["total"] == len(taken["games"]) == 2
    wanted = {"name": "bot", "scopes": ["read"], **PROOF}
    first = found(anna.post("/tokens", wanted, Idempotency_Key="token"), 201)
    second = found(anna.post("/tokens", wanted, Idempotency_Key="token"), 201)
    (token,) = found(anna.get("/tokens"))["tokens"]
    assert token["id"] == second["id"]
    stranger = Browser(anna.client)
    assert refused(stranger.get("/games", Authorization=f"Bearer {first['secret']}")) == (401, "bad_token")
    assert found(stranger.get("/games", Authorization=f"Bearer {second['secret']}"))["total"] == 2
    assert refused(anna.post("/tokens", wanted, Idempotency_Key="record")) == (422, "key_reused")
