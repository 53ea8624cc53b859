"""Online: only who played a game keeps its review, and private games are nobody's openings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient
from tests.server.online_client import Browser, refused
from tests.server.two_player_games import agree, found, play

from punct.server.openings.counter import GameCounter


def told(turn: str) -> dict[str, object]:
    return {"turn": turn, "chance": 0.5, "given_away": 0.0}


def ask(client: TestClient, browser: Browser, position: str = "standard w") -> dict[str, Any]:
    assert client.portal is not None
    counter: GameCounter = client.app.state.services.get(GameCounter)  # type: ignore[attr-defined]
    client.portal.call(counter.catch_up)
    return found(browser.get(f"/explorer?position={position}&source=server"))


def test_a_review_is_kept_by_who_played(browser: Callable[[], Browser]) -> None:
    white, black, stranger = browser(), browser(), browser()
    game = play(agree(white, black), (white, "Ed5ne"), (black, "Tl10n"))
    path = f"/games/{game['id']}/review"
    review = {"engine": "test", "nodes": 1, "start": 0.5, "turns": [told("Ed5ne"), told("Tl10n")]}
    assert refused(white.send("PUT", path, review)) == (409, "not_possible")
    found(white.post(f"/games/{game['id']}/resign"))
    assert refused(stranger.send("PUT", path, review)) == (403, "not_your_seat")
    found(black.send("PUT", path, review))
    assert found(stranger.get(path))["engine"] == "test"


def test_private_games_do_not_count_and_listed_ones_do(online: TestClient, browser: Callable[[], Browser]) -> None:
    white, black = browser(), browser()
    before = ask(online, white)["games"]
    for listed in (False, True):
        game = play(agree(white, black, listed=listed), (white, "Ed5ne"), (black, "Tl10n"))
        found(white.post(f"/games/{game['id']}/resign"))
        assert ask(online, white)["games"] == before + listed


def test_an_analysis_is_shared_by_anybody_who_may_write(browser: Callable[[], Browser]) -> None:
    one, two = browser(), browser()
    made = found(one.post("/analyses", {"tree": "Ed5ne (Cc5ne) *"}), 201)
    assert "Cc5ne" in found(two.get(f"/analyses/{made['id']}"))["tree"]
