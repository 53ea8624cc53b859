"""A server in a thread of this process, and a count of the connection objects that stay in memory."""

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
from tests.polling import wait_until

from punct.server.app import create_app
from punct.server.live.subscriber import Subscriber
from punct.server.transport import ConnectionLimiter, HttpConnection, WebSocketConnection, protocol_settings

Alive = dict[str, "weakref.WeakSet[Any]"]
"""By class, the connection objects that have not been freed."""


@contextlib.contextmanager
def serve_in_thread(data: Path, *, online: bool) -> Iterator[str]:
    """Run a server; yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            create_app(data, workers=1, online=online), log_level="warning", **protocol_settings(ConnectionLimiter(500))
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextlib.contextmanager
def track_connections() -> Iterator[Alive]:
    """Track connection objects. The garbage collector is off meanwhile: only reference counts free them."""
    alive: Alive = {}
    initializers = {kind: kind.__init__ for kind in (HttpConnection, WebSocketConnection, Subscriber, WebSocket)}
    original = HttpConnection.connection_made
    for kind, initialize in initializers.items():
        alive[kind.__name__] = weakref.WeakSet()
        setattr(kind, "__init__", _tracking(initialize, alive[kind.__name__]))  # noqa: B010
    transports = alive["transport"] = weakref.WeakSet()

    def connection_made(self: HttpConnection, transport: asyncio.Transport) -> None:
        transports.add(transport)
        original(self, transport)

    setattr(HttpConnection, "connection_made", connection_made)  # noqa: B010
    gc.collect()
    gc.disable()
    try:
        yield alive
    finally:
        gc.enable()
        setattr(HttpConnection, "connection_made", original)  # noqa: B010
        for kind, initialize in initializers.items():
            setattr(kind, "__init__", initialize)  # noqa: B010


def count_alive(alive: Alive) -> dict[str, int]:
    """Return the number of objects by class, of those of which there are any."""
    return {kind: len(objects) for kind, objects in alive.items() if objects}


def wait_until_gone(alive: Alive, seconds: float) -> dict[str, int]:
    """Wait until all are freed, for so many seconds at most; return how many are not."""
    end = time.monotonic() + seconds
    while count_alive(alive) and time.monotonic() < end:
        time.sleep(0.01)
    return count_alive(alive)


def _tracking(initialize: Callable[..., None], tracked: weakref.WeakSet[Any]) -> Callable[..., None]:
    def tracking(self: Any, *arguments: Any, **named: Any) -> None:
        initialize(self, *arguments, **named)
        tracked.add(self)

    return tracking
