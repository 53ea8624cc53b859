"""Running the server: a port, an address to tell, a browser where there is one, an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uvicorn

from punct.server import log
from punct.server.api.app import create_app
from punct.server.api.guard import LARGEST_BODY
from punct.server.api.proxies import LOOPBACK, Proxies
from punct.server.connections import Door, allow_many_files, most_connections, protocols
from punct.server.store import GameStore, open_database

USUAL_PORT: Final = 8000
SHUTDOWN_SECONDS: Final = 5
"""How long answers under way may take once the server is told to stop."""
PING_SECONDS: Final = 30.0
"""How often a live connection is asked whether anybody is there, and how long that may take to be answered."""
SWEEP_SECONDS: Final = 0.2
SWEEP_ALL_SECONDS: Final = 6 * 3600.0
"""How often rubbish is looked for among what is newest, and everywhere."""
_QUEUE: Final = 512
"""Connections that may wait to be accepted."""


class AddressError(Exception):
    """The server cannot listen where it was told to. The message is for the person who told it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server runs; it travels to the processes that are started for it."""

    host: str
    where: Path | str
    """The folder its games are kept in, or a database's address."""
    names: Collection[str] = ()
    """Further names for it, as behind a proxy."""
    online: bool = False
    """Whether people play here across a network."""
    broker_url: str | None = None
    """The Redis by which several processes work together."""
    log: log.Form = "text"


def serve(listener: socket.socket, settings: Settings, ready: Callable[[], None]) -> None:
    """Serve on a socket until told to stop; ``ready`` is called once the server answers.

    Raises StoreError before anything is served.
    """
    log.set_up(settings.log)
    store = GameStore(open_database(settings.where))
    if settings.online:
        allow_many_files()
    proxies = os.environ.get("FORWARDED_ALLOW_IPS", LOOPBACK)
    names = {"localhost", settings.host, *settings.names}
    config = uvicorn.Config(
        create_app(
            store=store,
            # Addresses in numbers are always answered. Of names only those: no other site's may lead here.
            hosts={_without_port(name) for name in names},
            origins=origins(names, listener.getsockname()[1]),
            online=settings.online,
            broker_url=settings.broker_url,
            proxies=proxies,
        ),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST_BODY,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,  # the app has its own way with them: see punct.server.api.proxies
        **protocols(door(proxies, online=settings.online)),
    )
    gc.freeze()
    gc.disable()  # see _sweep
    try:
        _Server(config, ready).run(sockets=[listener])
    finally:
        gc.unfreeze()  # or what was there at the start could never be let go, nor the games it holds


def origins(names: Collection[str], port: int) -> set[str]:
    """Return where pages of a server are, by its names and the port it listens on.

    Browsers have passkeys for what comes encrypted, and for this machine itself. A name may say at which other port a
    proxy takes requests, as ``punct.example:8443``.
    """
    found = {f"http://localhost:{port}", "http://localhost"}
    for name in names:
        plain = _without_port(name).lower().removesuffix(".")
        found |= {f"https://{plain}", f"https://{plain}:{port}", f"https://{name.lower()}"}
    return found


def _without_port(name: str) -> str:
    host, colon, port = name.rpartition(":")
    return host if colon and port.isdigit() and ":" not in host else name


def door(proxies: str, *, online: bool) -> Door:
    """Return who may come in; ``proxies`` are those who say whom they bring, as FORWARDED_ALLOW_IPS names them."""
    return Door(most_connections(online=online), trusted=Proxies(proxies, online=online).trusts)


def listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that is bound to an address."""
    for attempt in [USUAL_PORT, 0] if port is None else [port]:
        try:
            family, kind, protocol, _, where = socket.getaddrinfo(host, attempt, type=socket.SOCK_STREAM)[0]
        except OSError:
            raise AddressError(f"{host} is not an address of this machine") from None
        listener = socket.socket(family, kind, protocol)
        if os.name == "posix":  # elsewhere this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(where)
            listener.listen(_QUEUE)
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
        else:
            return listener
    raise AddressError(f"cannot listen on {host}, port {port or USUAL_PORT}: {reason}; choose another with --port")


def address(listener: socket.socket) -> str:
    """Return the address a browser needs."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def open_browser(url: str) -> bool:
    """Open a page where there is a graphical browser; tell whether there is."""
    if sys.platform not in ("win32", "darwin") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    return True


async def _sweep() -> None:
    """Look for rubbish that refers to itself in a circle, until cancelled.

    Left to itself, Python does so when there are so many things more than at the last time. But games are many small
    things that stay, each turn puts new ones in the place of old ones, and so there may be a hundred thousand to look
    at when it begins: everybody waits for a twentieth of a second, or for a whole one when it is the turn of the old
    ones. There is next to no such rubbish here. So what is newest is looked at often, which takes a millisecond or two,
    and everything a few times a day.
    """
    while True:
        end = time.monotonic() + SWEEP_ALL_SECONDS
        while time.monotonic() < end:
            await asyncio.sleep(SWEEP_SECONDS)
            gc.collect(0)
        gc.collect()


class _Server(uvicorn.Server):
    """Says when it is ready."""

    _sweeping: asyncio.Task[None]

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take a signal for what it asks, an orderly end; uvicorn would raise it once more after that."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUE)  # uvicorn has but one number for this and for how many it accepts at a time
        if self.started:
            self._sweeping = asyncio.create_task(_sweep())
            self._ready()
