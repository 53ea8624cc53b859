"""Small steps that many tests of the server take."""

from __future__ import annotations

import threading
from typing import Any

from starlette.testclient import TestClient

from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredMove
from punct.server.games.store import GameStore

API = "/api/v1"


def begin(client: TestClient, **wanted: object) -> dict[str, Any]:
    answer = client.post(f"{API}/games", json=wanted)
    assert answer.status_code == 201, answer.text
    return _object(answer.json())


def play(client: TestClient, game: dict[str, Any], *turns: str) -> dict[str, Any]:
    for text in turns:
        answer = client.post(f"{API}/games/{game['id']}/turns", json={"text": text, "ply": game["ply"]})
        assert answer.status_code == 200, answer.text
        game = _object(answer.json())
    return game


def look(client: TestClient, game: dict[str, Any]) -> dict[str, Any]:
    answer = client.get(f"{API}/games/{game['id']}")
    assert answer.status_code == 200, answer.text
    return _object(answer.json())


def post(client: TestClient, game: dict[str, Any], action: str, body: object = None) -> tuple[int, dict[str, Any]]:
    answer = client.post(f"{API}/games/{game['id']}/{action}", json=body)
    return answer.status_code, _object(answer.json())


def play_elsewhere(store: GameStore, game_id: str, text: str) -> None:
    """Play a move past this server, as another process on the same folder might."""
    found = store.load(game_id)
    assert found is not None
    after = PlayedGame.replay(*found).push(text)
    store.add_move(after.stored, StoredMove(text, after.stored.updated)).result()


def refusal(answer: tuple[int, dict[str, Any]]) -> tuple[int, str]:
    """Return status and code, after checking the one shape of errors."""
    status, body = answer
    assert set(body) == {"error"} and {"code", "message", "detail"} == set(body["error"])
    assert body["error"]["message"]
    return status, body["error"]["code"]


def loop_of(client: TestClient) -> int:
    """Return the thread of the server's event loop."""
    assert client.portal is not None
    return client.portal.call(threading.get_ident)


def _object(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value
