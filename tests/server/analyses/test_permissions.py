"""Online: only players store a review of their game, and private games are not counted as openings."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient
from tests.server.online_client import Browser, NewBrowser, error_of
from tests.server.two_player_games import json_of, play_moves, start_game

from punct.server.openings.counter import GameCounter


def told(turn: str) -> dict[str, object]:
    return {"turn": turn, "chance": 0.5, "given_away": 0.0}


def ask(client: TestClient, browser: Browser, position: str = "standard w") -> dict[str, Any]:
    assert client.portal is not None
    counter: GameCounter = client.app.state.services.get(GameCounter)  # type: ignore[attr-defined]
    client.portal.call(counter.catch_up)
    return json_of(browser.get(f"/explorer?position={position}&source=server"))


def test_only_players_store_a_review(new_browser: NewBrowser) -> None:
    white, black, stranger = new_browser(), new_browser(), new_browser()
    game = play_moves(start_game(white, black), (white, "Ed5ne"), (black, "Tl10n"))
    path = f"/games/{game['id']}/review"
    review = {"engine": "test", "nodes": 1, "start": 0.5, "turns": [told("Ed5ne"), told("Tl10n")]}
    assert error_of(white.send("PUT", path, review)) == (409, "not_possible")
    json_of(white.post(f"/games/{game['id']}/resign"))
    assert error_of(stranger.send("PUT", path, review)) == (403, "not_your_seat")
    json_of(black.send("PUT", path, review))
    assert json_of(stranger.get(path))["engine"] == "test"


def test_openings_count_listed_games_but_not_private_ones(online: TestClient, new_browser: NewBrowser) -> None:
    white, black = new_browser(), new_browser()
    before = ask(online, white)["games"]
    for listed in (False, True):
        game = play_moves(start_game(white, black, listed=listed), (white, "Ed5ne"), (black, "Tl10n"))
        json_of(white.post(f"/games/{game['id']}/resign"))
        assert ask(online, white)["games"] == before + listed


def test_everybody_may_share_an_analysis(new_browser: NewBrowser) -> None:
    one, two = new_browser(), new_browser()
    made = json_of(one.post("/analyses", {"tree": "Ed5ne (Cc5ne) *"}), 201)
    assert "Cc5ne" in json_of(two.get(f"/analyses/{made['id']}"))["tree"]
