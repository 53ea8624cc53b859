"""Small steps that tests of games between two players take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from starlette.testclient import TestClient
from tests.server.online_client import Browser

from punct.server.timekeeping.service import Timekeeper

EIGHT = ("Ed5ne", "Tl10n", "Mb3n", "Re12sw", "b3-e3se", "Cl13se", "Tm5n", "Mh4se")
"""Moves of a game that goes on: four of each side."""


class Watch:
    """Tells the time to a server, which stands still unless somebody turns it on."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.time

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.time += timedelta(**time)


def agree(white: Browser, black: Browser, **wanted: object) -> dict[str, Any]:
    """Return a new game of two players."""
    challenge = white.post("/challenges", {"colour": "w", **wanted})
    assert challenge.status_code == 201, challenge.text
    return found(black.post(f"/challenges/{challenge.json()['id']}/accept"), 201)


def play(game: dict[str, Any], *moves: tuple[Browser, str]) -> dict[str, Any]:
    """Return the game after moves."""
    for browser, text in moves:
        game = found(turn(browser, game, text))
    return game


def begin(white: Browser, black: Browser, **wanted: object) -> dict[str, Any]:
    """Return a new game of two players, in which each has played four moves."""
    return play(agree(white, black, **wanted), *zip([white, black] * 4, EIGHT, strict=True))


def turn(browser: Browser, game: dict[str, Any], text: str) -> Any:
    """Return what comes of a move for the ply of the game as it is given."""
    return browser.post(f"/games/{game['id']}/turns", {"text": text, "ply": game["ply"]})


def found(answer: Any, status: int = 200) -> dict[str, Any]:
    """Return an answer's content."""
    assert answer.status_code == status, answer.text
    content = answer.json()
    assert isinstance(content, dict)
    return content


def stands(refused: Any) -> dict[str, Any]:
    """Return the game that comes with a refusal, as it now is."""
    assert refused.status_code == 409, refused.text
    detail = refused.json()["error"]["detail"]
    game = detail["game"]
    assert isinstance(game, dict) and (detail["ply"], detail["revision"]) == (game["ply"], game["revision"])
    return game


def look(client: TestClient) -> None:
    """Have the timekeeper look, instead of waiting for it."""
    assert client.portal is not None
    keeper: Timekeeper = client.app.state.services.get(Timekeeper)  # type: ignore[attr-defined]
    client.portal.call(keeper.check)
