"""Runs the server: binds the port, configures uvicorn, opens a browser, shuts down gracefully."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from punct.server import log
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.dumps.model import DumpConfiguration
from punct.server.games.store import GameStore
from punct.server.http.proxies import LOOPBACK, TrustedProxies
from punct.server.http.security import MAX_BODY_BYTES
from punct.server.mail.model import MailConfiguration
from punct.server.transport import ConnectionLimiter, max_connections, protocol_settings, raise_file_limit
from punct.server.uvicorn_internals import Server

DEFAULT_PORT: Final = 8000
SHUTDOWN_SECONDS: Final = 5
"""How long running requests may take once the server shuts down."""
PING_SECONDS: Final = 9.0
"""How long a live connection may be silent before it is sent a ping; pages send their own every seven seconds."""
PONG_SECONDS: Final = 6.0
"""How long its answer may take. So somebody who has vanished is here for fifteen seconds more, and not for a minute."""
GC_YOUNG_SECONDS: Final = 0.2
GC_FULL_SECONDS: Final = 6 * 3600.0
"""The intervals of garbage collections of the youngest generation, and of all."""
LISTEN_BACKLOG: Final = 512
"""Connections that may wait to be accepted."""


class AddressError(Exception):
    """The server cannot listen at an address. The message is for users."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server; they are pickled for its processes."""

    host: str
    database: Path | str
    """The folder with the SQLite file, or the URL of a PostgreSQL database."""
    names: Collection[str] = ()
    """Further host names of the server, as behind a proxy."""
    online: bool = False
    """Whether players come across a network."""
    broker_url: str | None = None
    """The Redis through which several processes work together."""
    log: log.LogFormat = "text"
    mail: MailConfiguration | None = None
    """How it sends mail, if it does."""
    dumps: DumpConfiguration | None = None
    """Where it publishes finished games, if it does."""


def serve(listener: socket.socket, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve on a socket until a signal; ``ready`` is called once connections are accepted.

    Raises StoreError before anything is served.
    """
    log.configure(settings.log)
    store = GameStore(open_database(settings.database))
    if settings.online:
        raise_file_limit()
    proxies = os.environ.get("FORWARDED_ALLOW_IPS", LOOPBACK)
    names = {"localhost", settings.host, *settings.names}
    config = uvicorn.Config(
        create_app(
            store=store,
            # Numeric addresses are always accepted. Of names only these, against DNS rebinding.
            hosts={_without_port(name) for name in names},
            origins=page_origins(names, listener.getsockname()[1]),
            site=f"https://{next(iter(settings.names))}" if settings.names else browser_url(listener).rstrip("/"),
            online=settings.online,
            broker_url=settings.broker_url,
            proxies=proxies,
            mail=settings.mail,
            dumps=settings.dumps,
        ),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=MAX_BODY_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,  # the app handles them itself: see punct.server.http.proxies
        **protocol_settings(connection_limiter(proxies, online=settings.online)),
    )
    tasks: list[asyncio.Task[None]] = []

    def start() -> None:
        tasks.append(asyncio.create_task(_collect_garbage()))  # asyncio itself keeps no reference to a task
        ready()

    gc.freeze()
    gc.disable()  # see _collect_garbage
    try:
        Server(config, LISTEN_BACKLOG, start).run(sockets=[listener])
    finally:
        gc.unfreeze()  # otherwise the frozen objects, and the games they refer to, could never be freed


def page_origins(names: Collection[str], port: int) -> set[str]:
    """Return the origins of a server's pages, by its names and the port it listens on.

    Browsers offer passkeys on encrypted pages, and on localhost. A name may include the port of a proxy, as
    ``punct.example:8443``.
    """
    origins = {f"http://localhost:{port}", "http://localhost"}
    for name in names:
        host = _without_port(name).lower().removesuffix(".")
        origins |= {f"https://{host}", f"https://{host}:{port}", f"https://{name.lower()}"}
    return origins


def _without_port(name: str) -> str:
    host, colon, port = name.rpartition(":")
    return host if colon and port.isdigit() and ":" not in host else name


def connection_limiter(proxies: str, *, online: bool) -> ConnectionLimiter:
    """Return the limiter of a server; ``proxies`` are the trusted ones, as in FORWARDED_ALLOW_IPS."""
    trusted = TrustedProxies(proxies, online=online)
    return ConnectionLimiter(max_connections(online=online), is_trusted=trusted.trusts)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens at an address; without a port, at the default one or, if that is taken, any."""
    for attempt in [DEFAULT_PORT, 0] if port is None else [port]:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, attempt, type=socket.SOCK_STREAM)[0]
        except OSError:
            raise AddressError(f"{host} is not an address of this machine") from None
        listener = socket.socket(family, kind, protocol)
        if os.name == "posix":  # elsewhere this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(LISTEN_BACKLOG)
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
        else:
            return listener
    raise AddressError(f"cannot listen on {host}, port {port or DEFAULT_PORT}: {reason}; choose another with --port")


def browser_url(listener: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def open_browser(url: str) -> bool:
    """Open a page in a graphical browser; False if there is none."""
    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    return True


async def _collect_garbage() -> None:
    """Collect reference cycles regularly, until cancelled, in place of Python's automatic collection.

    That runs whenever the number of objects has grown by a threshold. But games are many small objects that stay, and
    each move replaces some of them: so there may be a hundred thousand objects to traverse, which blocks the event loop
    for 50 ms, or for a second if it is a full collection. There are hardly any cycles here. So the youngest generation
    is collected often, which takes a millisecond or two, and everything a few times a day.
    """
    while True:
        full_collection = time.monotonic() + GC_FULL_SECONDS
        while time.monotonic() < full_collection:
            await asyncio.sleep(GC_YOUNG_SECONDS)
            gc.collect(0)
        gc.collect()
