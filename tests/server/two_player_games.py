"""Games between two players on a server that is online."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.testclient import TestClient
from tests.server.online_client import Browser

from punct.server.timekeeping.service import Timekeeper

EIGHT_MOVES = ("Ed5ne", "Tl10n", "Mb3n", "Re12sw", "b3-e3se", "Cl13se", "Tm5n", "Mh4se")
"""Moves of a game that is not over after them: four of each side."""


class ManualClock:
    """The time of a server: it stands still unless a test advances it."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **time: float) -> None:
        """Let time pass."""
        self.time += timedelta(**time)


def start_game(white: Browser, black: Browser, **options: object) -> dict[str, Any]:
    """Start a game by a challenge that the other accepts."""
    challenge = white.post("/challenges", {"colour": "w", **options})
    assert challenge.status_code == 201, challenge.text
    return json_of(black.post(f"/challenges/{challenge.json()['id']}/accept"), 201)


def play_moves(game: dict[str, Any], *moves: tuple[Browser, str]) -> dict[str, Any]:
    """Play moves, and return the game after them."""
    for browser, text in moves:
        game = json_of(post_move(browser, game, text))
    return game


def start_and_play(white: Browser, black: Browser, **options: object) -> dict[str, Any]:
    """Start a game and play four moves of each side."""
    return play_moves(start_game(white, black, **options), *zip([white, black] * 4, EIGHT_MOVES, strict=True))


def post_move(browser: Browser, game: dict[str, Any], text: str) -> Any:
    """Post a move for the ply of the game as given, and return the response."""
    return browser.post(f"/games/{game['id']}/turns", {"text": text, "ply": game["ply"]})


def json_of(response: Any, status: int = 200) -> dict[str, Any]:
    """Check a response's status, and return its JSON."""
    assert response.status_code == status, response.text
    content = response.json()
    assert isinstance(content, dict)
    return content


def game_in_conflict(response: Any) -> dict[str, Any]:
    """Return the current game from a response of 409 Conflict."""
    assert response.status_code == 409, response.text
    detail = response.json()["error"]["detail"]
    game = detail["game"]
    assert isinstance(game, dict) and (detail["ply"], detail["revision"]) == (game["ply"], game["revision"])
    return game


def run_timekeeper(client: TestClient) -> None:
    """Run the timekeeper's check now instead of waiting for it."""
    assert client.portal is not None
    timekeeper: Timekeeper = client.app.state.services.get(Timekeeper)  # type: ignore[attr-defined]
    client.portal.call(timekeeper.check)
