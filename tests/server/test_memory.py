"""What has ended is let go at once: with Python's search for circles turned off, nothing of a connection stays."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import uvicorn
from starlette.websockets import WebSocket
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from punct.server.api.app import create_app
from punct.server.api.live import MOST_FAULTS, Watcher
from punct.server.connections import Door, HttpConnection, LiveConnection, protocols

PATIENCE = 60.0
TIMES = 20


@contextlib.contextmanager
def serving(data: Path, *, online: bool) -> Iterator[str]:
    """Run a server with its connections in a thread; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(create_app(data, workers=1, online=online), log_level="warning", **protocols(Door(500)))
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, weakref.WeakSet[Any]]]:
    """What is left of connections, by kind. Nothing but its last reference frees anything meanwhile."""
    found: dict[str, weakref.WeakSet[Any]] = {}
    for kind in (HttpConnection, LiveConnection, Watcher, WebSocket):
        noted = found[kind.__name__] = weakref.WeakSet()
        monkeypatch.setattr(kind, "__init__", _noting(kind.__init__, noted))
    transports = found["transport"] = weakref.WeakSet()
    made = HttpConnection.connection_made

    def connection_made(self: HttpConnection, transport: asyncio.Transport) -> None:
        transports.add(transport)
        made(self, transport)

    monkeypatch.setattr(HttpConnection, "connection_made", connection_made)
    gc.collect()
    gc.disable()
    try:
        yield found
    finally:
        gc.enable()


def _noting(begin: Callable[..., None], noted: weakref.WeakSet[Any]) -> Callable[..., None]:
    def noting(self: Any, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        noted.add(self)

    return noting


def left(alive: dict[str, weakref.WeakSet[Any]]) -> dict[str, int]:
    return {kind: len(things) for kind, things in alive.items() if things}


def closed(live: ClientConnection) -> None:
    live.close()


def dropped(live: ClientConnection) -> None:
    with contextlib.suppress(OSError):  # the server may have been quicker
        live.socket.shutdown(socket.SHUT_RDWR)


def sent_away(live: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        for _ in range(MOST_FAULTS):
            live.send("nonsense")
        while True:
            live.recv()


@pytest.mark.parametrize("end", [closed, dropped, sent_away])
@pytest.mark.parametrize("online", [False, True], ids=["home", "online"])
def test_nothing_is_left_of_a_connection(
    tmp_path: Path, alive: dict[str, weakref.WeakSet[Any]], online: bool, end: Callable[[ClientConnection], None]
) -> None:
    with serving(tmp_path, online=online) as address:
        headers = {"Content-Type": "application/json", "Origin": address}
        with urlopen(Request(f"{address}/api/v1/games", b"{}", headers)) as answer:
            game = json.load(answer)
            cookie = answer.headers.get("Set-Cookie", "").partition(";")[0]
        assert alive["HttpConnection"] is not None and alive["transport"] is not None
        paths = [f"games/{game['id']}/live", "games/unknown/live", *(["lobby/live"] if online else [])]
        seen = 0
        for number in range(TIMES):
            url = f"{address}/api/v1/{paths[number % len(paths)]}".replace("http", "ws", 1)
            given = {"Cookie": cookie} if cookie and number % 2 else None
            with connect(url, origin=Origin(address), proxy=None, additional_headers=given) as live:
                live.recv()
                seen = max(seen, len(alive["LiveConnection"]))
                end(live)
        assert seen > 0
        end_by = time.monotonic() + PATIENCE
        while left(alive) and time.monotonic() < end_by:
            time.sleep(0.01)
        assert left(alive) == {}
