"""Live connections of browsers to a server in the same process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import WebSocketTestSession
from tests.server.online_client import API, Browser


@contextmanager
def connect_to_game(browser: Browser, game: dict[str, Any], seen: int | None = None) -> Iterator[WebSocketTestSession]:
    """Open a live connection to a game."""
    path = f"{API}/games/{game['id']}/live" + ("" if seen is None else f"?seen={seen}")
    with browser.client.websocket_connect(path, headers=browser.headers) as socket:
        yield socket


def next_message(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """Return the next message of a type."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind:
            return message


@contextmanager
def connect_to_lobby(browser: Browser) -> Iterator[WebSocketTestSession]:
    """Open a live connection to the lobby."""
    with browser.client.websocket_connect(f"{API}/lobby/live", headers=browser.headers) as socket:
        yield socket


def message_where(
    socket: WebSocketTestSession, kind: str, condition: Callable[[dict[str, Any]], object]
) -> dict[str, Any]:
    """Return the first message of a type that meets a condition."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind and condition(message):
            return message


def ids_of(games: list[dict[str, Any]]) -> set[str]:
    return {game["id"] for game in games}
