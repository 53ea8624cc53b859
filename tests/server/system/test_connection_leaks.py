"""Ended connections are freed at once, with the garbage collector off."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from tests.connection_leaks import Alive, serve_in_thread, track_connections, wait_until_gone
from tests.polling import TIMEOUT_SECONDS
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from punct.server.live.connection import MAX_INVALID_MESSAGES

TIMES = 20


@pytest.fixture
def alive() -> Iterator[Alive]:
    with track_connections() as alive:
        yield alive


def closed(live: ClientConnection) -> None:
    live.close()


def dropped(live: ClientConnection) -> None:
    with contextlib.suppress(OSError):  # the server may have been quicker
        live.socket.shutdown(socket.SHUT_RDWR)


def sent_away(live: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        for _ in range(MAX_INVALID_MESSAGES):
            live.send("nonsense")
        while True:
            live.recv()


@pytest.mark.parametrize("end", [closed, dropped, sent_away])
@pytest.mark.parametrize("online", [False, True], ids=["home", "online"])
def test_ended_connections_are_freed(
    tmp_path: Path, alive: Alive, online: bool, end: Callable[[ClientConnection], None]
) -> None:
    with serve_in_thread(tmp_path, online=online) as address:
        headers = {"Content-Type": "application/json", "Origin": address}
        with urlopen(Request(f"{address}/api/v1/games", b"{}", headers)) as answer:
            game = json.load(answer)
            cookie = answer.headers.get("Set-Cookie", "").partition(";")[0]
        paths = [f"games/{game['id']}/live", "games/unknown/live", *(["lobby/live"] if online else [])]
        seen = 0
        for number in range(TIMES):
            url = f"{address}/api/v1/{paths[number % len(paths)]}".replace("http", "ws", 1)
            given = {"Cookie": cookie} if cookie and number % 2 else None
            with connect(url, origin=Origin(address), proxy=None, additional_headers=given) as live:
                live.recv()
                seen = max(seen, len(alive["WebSocketConnection"]))
                end(live)
        assert seen > 0
        assert wait_until_gone(alive, TIMEOUT_SECONDS) == {}
