"""Connections: how many may be open, and how long each may take.

uvicorn has no timeout for the first byte of a request, for the next request, or for a client that does not read the
response; and it knows no limit of connections before a request has been read. Here they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final

from starlette.responses import JSONResponse

from punct.server.errors import BusyError, RequestError
from punct.server.http.errors import NotHttpError, TooSlowError, error_response
from punct.server.http.proxies import rate_limit_key
from punct.server.live import messages as live_messages
from punct.server.live.frames import Message
from punct.server.uvicorn_internals import HttpProtocol, WebSocketProtocol, break_reference_cycle

_log = logging.getLogger(__name__)
MAX_CONNECTIONS: Final = 1000
"""At once, WebSockets included; fewer where the system allows fewer open files."""
MAX_CONNECTIONS_ONLINE: Final = 20_000
"""The same for each process of an online server: a player has a connection or two."""
MAX_CONNECTIONS_PER_ADDRESS: Final = 100
"""At once from one address of another machine, unless it is a trusted proxy's."""
REQUEST_TIMEOUT_SECONDS: Final = 10.0
"""How long a connection may take to send a request's head, or to begin one."""
MAX_HEAD_BYTES: Final = 32 * 1024
"""Of a request's first line and headers."""
MAX_PIPELINED_REQUESTS: Final = 32
"""Requests that a connection may send before the first of them is answered."""
WRITE_TIMEOUT_SECONDS: Final = 30.0
"""How long a client may read nothing of what it is sent."""
ACCEPT_BATCH: Final = 16
"""How many connections Python's own event loop accepts at a time. All of them are open files before the first can be
refused."""
RESERVED_FILES: Final = 96
"""Open files that are not connections: the database's, the workers' pipes, a batch of connections to refuse."""
PING: Final = b'{"type":"ping"}'
"""As the page writes it."""
_PONG: Final = Message(live_messages.PONG_MESSAGE).frame(compressed=False)


def max_connections(*, online: bool = False) -> int:
    """Return how many connections may be open, with the files that this process may open."""
    limit = MAX_CONNECTIONS_ONLINE if online else MAX_CONNECTIONS
    if sys.platform == "win32":
        return limit
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit if files == resource.RLIM_INFINITY else min(limit, max(ACCEPT_BATCH, files - RESERVED_FILES))


def raise_file_limit() -> None:
    """Raise this process's limit of open files as far as the system allows: the default is much lower."""
    if sys.platform == "win32":
        return
    import resource

    current, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = MAX_CONNECTIONS_ONLINE + RESERVED_FILES
    allowed = needed if hard_limit == resource.RLIM_INFINITY else min(needed, hard_limit)
    with contextlib.suppress(OSError, ValueError):
        if current < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard_limit))


class ConnectionLimiter:
    """Limits the open connections. At the limit, a new one replaces the connection that has been idle longest."""

    def __init__(
        self,
        max_connections: int,
        max_per_address: int = MAX_CONNECTIONS_PER_ADDRESS,
        *,
        is_trusted: Callable[[str], bool] = lambda peer: False,
    ) -> None:
        """Set the limits. Trusted proxies have none of their own: the rate limits count the clients behind them."""
        self._max_connections, self._max_per_address, self._is_trusted = max_connections, max_per_address, is_trusted
        self._open: dict[asyncio.Transport, tuple[HttpConnection, str | None]] = {}  # in the order of their opening
        self._per_address: Counter[str] = Counter()

    def admit(self, connection: HttpConnection) -> bool:
        """Count a new connection; False if it exceeds a limit."""
        peer = connection.client[0] if connection.client else ""
        address = None if self._is_trusted(peer) else rate_limit_key(peer)
        if (
            address is not None
            and self._per_address[address] >= self._max_per_address
            and not self._close_idle(address)
        ):
            _log.warning("too many connections from %s; further ones are refused", address)
            return False
        if len(self._open) >= self._max_connections and not self._close_idle(None):
            _log.warning("%d connections are open, all in use; further ones are refused", self._max_connections)
            return False
        self._open[connection.transport] = connection, address
        if address is not None:
            self._per_address[address] += 1
        return True

    def remove(self, transport: asyncio.Transport) -> None:
        """Stop counting a connection that is closed, or about to be."""
        _, address = self._open.pop(transport, (None, None))
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]

    def _close_idle(self, address: str | None) -> bool:
        """Close the oldest idle connection, from one address or, with None, from any; False if there is none."""
        for transport, (connection, its_address) in self._open.items():
            if connection.is_idle and (address is None or its_address == address):
                self.remove(transport)
                transport.abort()
                return True
        return False


class _WriteTimeout(asyncio.Protocol):
    """Aborts a connection whose client does not read: closing it would wait until the client does."""

    transport: asyncio.Transport
    limiter: ClassVar[ConnectionLimiter]
    _write_timeout: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timeout = asyncio.get_running_loop().call_later(WRITE_TIMEOUT_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._cancel_write_timeout()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_write_timeout()
        self.limiter.remove(self.transport)
        super().connection_lost(exc)
        break_reference_cycle(self.transport)

    def _cancel_write_timeout(self) -> None:
        if self._write_timeout is not None:
            self._write_timeout.cancel()
            self._write_timeout = None


class HttpConnection(_WriteTimeout, HttpProtocol):
    """An HTTP connection with a timeout for requests, and limits for their heads and their number."""

    _request_timeout: asyncio.TimerHandle | None = None
    _is_upgraded = False
    _has_received = False
    _is_in_head = False
    _has_request_ended = False
    _head_bytes = _unparsed_bytes = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return not self._is_upgraded and not self.is_responding

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Accept the connection, or refuse it at a limit."""
        super().connection_made(transport)
        if self.limiter.admit(self):
            self._start_request_timeout()
        else:
            self._refuse(BusyError("Too many are connected at the moment; try again in a while."))

    def data_received(self, data: bytes) -> None:
        """Parse a part of a request."""
        self._has_received = True
        self._has_request_ended = False
        super().data_received(data)
        if self._is_in_head and not self._has_request_ended:  # the parser reports complete lines only
            self._unparsed_bytes += len(data)
            if self._unparsed_bytes > MAX_HEAD_BYTES:
                self._refuse(NotHttpError())
                return
        if not self.is_idle:
            self._cancel_request_timeout()
        elif self._request_timeout is None and not self.transport.is_closing():
            self._start_request_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeouts."""
        self._cancel_request_timeout()
        super().connection_lost(exc)

    def head_started(self) -> None:
        """Start counting the bytes of a head."""
        self._is_in_head, self._head_bytes, self._unparsed_bytes = True, 0, 0

    def head_received(self, length: int) -> None:
        """Count bytes of a head."""
        self._head_bytes += length
        if self._head_bytes > MAX_HEAD_BYTES:
            raise ValueError("the head is too large")

    def head_ended(self) -> None:
        """Limit the pipelined requests."""
        self._is_in_head = False
        if self.queued_requests >= MAX_PIPELINED_REQUESTS:
            raise ValueError("too many requests at once")

    def request_ended(self) -> None:
        """Note that the parser has read everything."""
        self._has_request_ended = True

    def upgrade_started(self) -> None:
        """Become a WebSocket."""
        self._is_upgraded = True

    def invalid_request_received(self) -> None:
        """Refuse what is not HTTP."""
        self._refuse(NotHttpError())

    def _start_request_timeout(self) -> None:
        self._request_timeout = self.loop.call_later(REQUEST_TIMEOUT_SECONDS, self._handle_request_timeout)

    def _cancel_request_timeout(self) -> None:
        if self._request_timeout is not None:
            self._request_timeout.cancel()
            self._request_timeout = None

    def _handle_request_timeout(self) -> None:
        self._request_timeout = None
        if not self._has_received:
            self.transport.close()  # browsers open some connections in advance
        elif self.is_idle:
            self._refuse(TooSlowError())

    def _refuse(self, error: RequestError) -> None:
        """Send an error, and close the connection."""
        if self.is_idle:  # otherwise a part of a response may have been sent
            self.transport.write(_serialize(error_response(error)))
        self.transport.close()


class WebSocketConnection(_WriteTimeout, WebSocketProtocol):
    """A WebSocket, which counts as the connection it was upgraded from, and sends frames shared by all."""

    def text_received(self, data: bytes | bytearray | memoryview) -> bool:
        """Answer a page's ping at once: pages send far more pings than moves. Any other form of it is the app's."""
        if data != PING:
            return False
        if self.is_writable and self.is_open:
            self.transport.write(_PONG)
        return True

    def make_frame(self, text: str) -> bytes | None:
        """Return the shared frame of a message that many are sent."""
        return text.frame(compressed=self.accepts_compressed) if isinstance(text, Message) else None


def protocol_settings(limiter: ConnectionLimiter) -> dict[str, Any]:
    """Return uvicorn's settings for connections with these limits."""
    return {
        "http": type("HttpConnection", (HttpConnection,), {"limiter": limiter}),
        "ws": type("WebSocketConnection", (WebSocketConnection,), {"limiter": limiter}),
        "backlog": ACCEPT_BATCH,
    }


def _serialize(response: JSONResponse) -> bytes:
    """Return the bytes of a response without a request."""
    response.headers["Connection"] = "close"
    headers = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
    return b"HTTP/1.1 %d \r\n%s\r\n%s" % (response.status_code, headers, bytes(response.body))
