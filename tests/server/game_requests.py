"""Requests about games to a server at home."""

from __future__ import annotations

import threading
from typing import Any

from starlette.testclient import TestClient

from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredMove
from punct.server.games.store import GameStore

API = "/api/v1"


def create_game(client: TestClient, **options: object) -> dict[str, Any]:
    response = client.post(f"{API}/games", json=options)
    assert response.status_code == 201, response.text
    return _object(response.json())


def play_moves(client: TestClient, game: dict[str, Any], *moves: str) -> dict[str, Any]:
    for text in moves:
        response = client.post(f"{API}/games/{game['id']}/turns", json={"text": text, "ply": game["ply"]})
        assert response.status_code == 200, response.text
        game = _object(response.json())
    return game


def get_game(client: TestClient, game: dict[str, Any]) -> dict[str, Any]:
    response = client.get(f"{API}/games/{game['id']}")
    assert response.status_code == 200, response.text
    return _object(response.json())


def post_action(
    client: TestClient, game: dict[str, Any], action: str, body: object = None
) -> tuple[int, dict[str, Any]]:
    response = client.post(f"{API}/games/{game['id']}/{action}", json=body)
    return response.status_code, _object(response.json())


def play_in_other_process(store: GameStore, game_id: str, text: str) -> None:
    """Play a move past this server, as another process on the same folder might."""
    stored = store.load(game_id)
    assert stored is not None
    after = PlayedGame.replay(*stored).push(text)
    store.add_moves(after.stored, StoredMove(text, after.stored.updated)).result()


def error_of(response: tuple[int, dict[str, Any]]) -> tuple[int, str]:
    """Return status and code of an error, after checking its fields."""
    status, body = response
    assert set(body) == {"error"} and {"code", "message", "detail"} == set(body["error"])
    assert body["error"]["message"]
    return status, body["error"]["code"]


def event_loop_thread(client: TestClient) -> int:
    """Return the thread of the server's event loop."""
    assert client.portal is not None
    return client.portal.call(threading.get_ident)


def _object(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value
