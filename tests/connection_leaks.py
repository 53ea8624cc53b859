"""A server with its real connections in a thread of this process, and what is left in memory of those that ended."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.websockets import WebSocket
from tests.polling import until

from punct.server.app import create_app
from punct.server.live.subscriber import Subscriber
from punct.server.transport import ConnectionLimiter, HttpConnection, WebSocketConnection, protocol_settings

Alive = dict[str, "weakref.WeakSet[Any]"]
"""By kind, what is left of connections."""


@contextlib.contextmanager
def serving(data: Path, *, online: bool) -> Iterator[str]:
    """Run a server; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            create_app(data, workers=1, online=online), log_level="warning", **protocol_settings(ConnectionLimiter(500))
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        until(lambda: server.started)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def counting_alive() -> Iterator[Alive]:
    """Count what is left of connections. Nothing but its last reference frees anything meanwhile."""
    found: Alive = {}
    begun = {kind: kind.__init__ for kind in (HttpConnection, WebSocketConnection, Subscriber, WebSocket)}
    made = HttpConnection.connection_made
    for kind, begin in begun.items():
        found[kind.__name__] = weakref.WeakSet()
        setattr(kind, "__init__", _noting(begin, found[kind.__name__]))  # noqa: B010
    transports = found["transport"] = weakref.WeakSet()

    def connection_made(self: HttpConnection, transport: asyncio.Transport) -> None:
        transports.add(transport)
        made(self, transport)

    setattr(HttpConnection, "connection_made", connection_made)  # noqa: B010
    gc.collect()
    gc.disable()
    try:
        yield found
    finally:
        gc.enable()
        setattr(HttpConnection, "connection_made", made)  # noqa: B010
        for kind, begin in begun.items():
            setattr(kind, "__init__", begin)  # noqa: B010


def left(alive: Alive) -> dict[str, int]:
    """Return how many there are of each kind of which there are any."""
    return {kind: len(things) for kind, things in alive.items() if things}


def wait_until_gone(alive: Alive, seconds: float) -> dict[str, int]:
    """Wait until nothing is left, for so long at most; return what is."""
    end = time.monotonic() + seconds
    while left(alive) and time.monotonic() < end:
        time.sleep(0.01)
    return left(alive)


def _noting(begin: Callable[..., None], noted: weakref.WeakSet[Any]) -> Callable[..., None]:
    def noting(self: Any, *arguments: Any, **named: Any) -> None:
        begin(self, *arguments, **named)
        noted.add(self)

    return noting
