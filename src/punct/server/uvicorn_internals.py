"""The only module that uses parts of uvicorn and websockets which they do not document, behind an interface of ours.

A new version of either may change them. ``tests/server/test_private_apis.py`` checks that they exist in the installed
versions, and says which feature of the server needs each of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import socket
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import uvicorn
from uvicorn._types import ASGISendEvent
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame

TESTED_VERSIONS: Final = {"uvicorn": "0.54.0", "websockets": "17.4"}
"""The versions that all of this was last tested with."""


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol of an HTTP connection, with hooks for a subclass; none of them has to call ``super``."""

    @property
    def is_responding(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def queued_requests(self) -> int:
        """The number of pipelined requests that wait for an earlier response."""
        return len(self.pipeline)

    def head_started(self) -> None:
        """React to the first line of a request."""

    def head_received(self, length: int) -> None:
        """React to so many bytes of a request's head; a ValueError makes the request invalid."""

    def head_ended(self) -> None:
        """React to the end of a request's head, before it is answered; a ValueError makes the request invalid."""

    def request_ended(self) -> None:
        """React to the end of a request's body."""

    def upgrade_started(self) -> None:
        """React to the upgrade to a WebSocket, which replaces this protocol."""

    def invalid_request_received(self) -> None:
        """React to bytes that are no valid request."""

    def on_message_begin(self) -> None:
        """Call the hook."""
        self.head_started()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Call the hook."""
        self.head_received(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Call the hook."""
        self.head_received(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Call the hook."""
        self.head_ended()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Call the hook."""
        self.request_ended()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Call the hook."""
        self.upgrade_started()
        super().handle_websocket_upgrade()
        # The parser and this protocol refer to each other, and after an upgrade no connection_lost breaks the cycle.
        self.parser = None  # type: ignore[assignment]

    def send_400_response(self, msg: str) -> None:
        """Call the hook instead of responding in plain text."""
        self.invalid_request_received()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol of a WebSocket, with hooks for a subclass, and shared frames.

    It negotiates (RFC 7692) that no message is compressed with the context of an earlier one: only so can all
    connections be sent the same bytes.
    """

    _accepts_compressed: bool | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._received_at = self.loop.time()
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)
        ]

    @property
    def is_open(self) -> bool:
        """Whether the handshake is done, and no close frame was sent."""
        return self.handshake_complete and not self.close_sent

    @property
    def is_writable(self) -> bool:
        """Whether the client reads what it is sent."""
        return self.writable.is_set()

    @property
    def accepts_compressed(self) -> bool:
        """Whether the client accepts messages compressed with the largest window."""
        if self._accepts_compressed is None:  # it is constant after the handshake
            self._accepts_compressed = any(
                isinstance(extension, PerMessageDeflate) and extension.local_max_window_bits == zlib.MAX_WBITS
                for extension in self.conn.extensions
            )
        return self._accepts_compressed

    def text_received(self, data: bytes | bytearray | memoryview) -> bool:
        """Handle a text message; False leaves it to the app."""
        return False

    def make_frame(self, text: str) -> bytes | None:
        """Return the frame for a text message of the app; None leaves it to websockets."""
        return None

    def data_received(self, data: bytes) -> None:
        """Note that the client is there."""
        self._received_at = self.loop.time()
        super().data_received(data)

    def send_keepalive_ping(self) -> None:
        """Send a ping to a client that has been silent for the interval; others show anyway that they are there."""
        assert self.ping_interval is not None
        silent_seconds = self.loop.time() - self._received_at
        if silent_seconds < self.ping_interval:
            self.ping_timer = self.loop.call_later(self.ping_interval - silent_seconds, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_text(self, event: Frame) -> None:
        """Call the hook with messages of one frame."""
        if not (event.fin and self.handshake_complete and self.text_received(event.data)):
            super().handle_text(event)

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the app sends; a frame of ``make_frame`` as soon as the client reads."""
        text = message.get("text")
        frame = self.make_frame(text) if self.is_open and isinstance(text, str) else None
        if frame is None:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.transport.is_closing() or self.close_sent:
            raise ClientDisconnected
        self.transport.write(frame)


class Server(uvicorn.Server):
    """uvicorn's server, which calls a function once it accepts connections, and ends normally after a signal."""

    def __init__(self, config: uvicorn.Config, backlog: int, ready: Callable[[], None]) -> None:
        """Serve with a listen backlog: uvicorn's setting is also how many connections are accepted at a time."""
        super().__init__(config)
        self._backlog, self._ready = backlog, ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals as a request to shut down; uvicorn would raise them again afterwards."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(self._backlog)
        if self.started:
            self._ready()


class TrustedHosts:
    """The addresses and networks in a list like that of uvicorn's ``--forwarded-allow-ips``."""

    def __init__(self, hosts: str) -> None:
        """Parse a list: addresses and networks separated by commas, or ``*`` for all."""
        self._hosts = _TrustedHosts(hosts)
        # Of the peers of connections: addresses, which are parsed each time.
        self._contains = functools.lru_cache(maxsize=4096)(self._hosts.__contains__)

    def __contains__(self, host: str) -> bool:
        return self._contains(host)

    def find_client(self, forwarded_for: str) -> tuple[str, int]:
        """Return the address and port of the last host in an ``X-Forwarded-For`` header that is not trusted."""
        return self._hosts.get_trusted_client_address(forwarded_for)


def break_reference_cycle(transport: asyncio.Transport) -> None:
    """Free a closed transport at once: those of Python's own event loop refer to themselves."""
    with contextlib.suppress(AttributeError):
        transport._read_ready_cb = None  # type: ignore[attr-defined]
