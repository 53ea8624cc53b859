"""Connections: how many there may be, and how long one may keep its place without asking for anything.

The protocols are uvicorn's, with what it leaves out: it waits for ever for the first byte of a request, or for the
next one, or for somebody to take an answer; and it knows no limit before a request has been read.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final

from starlette.responses import JSONResponse
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame

from punct.server.api import present
from punct.server.api.addresses import counted
from punct.server.api.errors import NotHttpError, TooSlowError, refused
from punct.server.api.message import Message
from punct.server.opponents.refusals import BusyError
from punct.server.refusal import RefusalError

_log = logging.getLogger(__name__)
MOST: Final = 1000
"""Connections at once, live ones counted in; fewer where the system allows fewer open files."""
MOST_ONLINE: Final = 20_000
"""The same for a server that is online, in each of its processes: a player is a connection or two."""
MOST_FROM_ONE: Final = 100
"""Connections at once from one address of another machine, unless that is a proxy's, which brings everybody."""
REQUEST_SECONDS: Final = 10.0
"""So long a connection may take to ask for something, and a request's head to arrive."""
LARGEST_HEAD: Final = 32 * 1024
"""Bytes of a request before its body."""
MOST_AHEAD: Final = 32
"""Requests that one connection may send before the first of them is answered."""
TAKE_SECONDS: Final = 30.0
"""So long a client may take nothing of what it is sent."""
BATCH: Final = 16
"""How many connections Python's own event loop accepts at a time. All have a file open before the first can be turned
away."""
PING: Final = b'{"type":"ping"}'
"""As pages write it."""
_PONG: Final = Message(present.PONG_MESSAGE).frame(compressed=False)
FILES_KEPT: Final = 96
"""Open files that are not connections: the store's, the workers' pipes, a batch of connections to be turned away."""


def most_connections(*, online: bool = False) -> int:
    """Return how many connections there may be, with the files this process may open."""
    most = MOST_ONLINE if online else MOST
    if sys.platform == "win32":
        return most
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if files == resource.RLIM_INFINITY else min(most, max(BATCH, files - FILES_KEPT))


def allow_many_files() -> None:
    """Have this process open as many files as the system lets it: usually it is asked for far fewer."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_ONLINE + FILES_KEPT
    with contextlib.suppress(OSError, ValueError):
        allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < allowed:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))


class Door:
    """Everybody who is connected. When it is full, whoever waits longest without a request makes room."""

    def __init__(
        self, most: int, most_from_one: int = MOST_FROM_ONE, *, trusted: Callable[[str], bool] = lambda peer: False
    ) -> None:
        """Let so many in. Who is trusted to say whom they bring is not counted: the gate counts whom they bring."""
        self._most, self._most_from_one, self._trusted = most, most_from_one, trusted
        self._inside: dict[asyncio.Transport, tuple[HttpConnection, str | None]] = {}  # in the order they came
        self._from: Counter[str] = Counter()

    def enter(self, connection: HttpConnection) -> bool:
        """Let a connection in; False if there is no room for it."""
        peer = connection.client[0] if connection.client else ""
        address = None if self._trusted(peer) else counted(peer)
        if address is not None and self._from[address] >= self._most_from_one and not self._make_room(address):
            _log.warning("too many connections from %s; further ones are turned away", address)
            return False
        if len(self._inside) >= self._most and not self._make_room(None):
            _log.warning("%d connections are open, all in use; further ones are turned away", self._most)
            return False
        self._inside[connection.transport] = connection, address
        if address is not None:
            self._from[address] += 1
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection that has ended, or will at once."""
        _, address = self._inside.pop(transport, (None, None))
        if address is not None:
            self._from[address] -= 1
            if not self._from[address]:
                del self._from[address]

    def _make_room(self, address: str | None) -> bool:
        """End the oldest connection that waits without a request, from anywhere or from one address."""
        for transport, (connection, whose) in self._inside.items():
            if connection.is_waiting and (address is None or whose == address):
                self.leave(transport)
                transport.abort()
                return True
        return False


class _Taking(asyncio.Protocol):
    """Ends a connection whose other side takes nothing: closing alone would wait until it does."""

    transport: asyncio.Transport
    door: ClassVar[Door]
    _stuck: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stuck = asyncio.get_running_loop().call_later(TAKE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._unstick()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unstick()
        self.door.leave(self.transport)
        super().connection_lost(exc)
        with contextlib.suppress(AttributeError):  # of Python's own loop: there a transport refers to itself
            self.transport._read_ready_cb = None  # type: ignore[attr-defined]

    def _unstick(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None


class HttpConnection(_Taking, HttpToolsProtocol):
    """A connection that must ask for something before long, and not for too much at once."""

    _deadline: asyncio.TimerHandle | None = None
    _is_live = False
    _has_spoken = False
    _in_head = False
    _has_ended = False
    _head = _unread = 0

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return not self._is_live and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Come in, or be turned away."""
        super().connection_made(transport)
        if self.door.enter(self):
            self._expect_request()
        else:
            self._refuse(BusyError("Too many are connected at the moment; try again in a while."))

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request."""
        self._has_spoken = True
        self._has_ended = False
        super().data_received(data)
        if self._in_head and not self._has_ended:  # the parser tells of whole lines only, and this one has no end yet
            self._unread += len(data)
            if self._unread > LARGEST_HEAD:
                self._refuse(NotHttpError())
                return
        if not self.is_waiting:
            self._expect_nothing()
        elif self._deadline is None and not self.transport.is_closing():
            self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self._expect_nothing()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin a request."""
        self._in_head, self._head, self._unread = True, 0, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take a piece of the address."""
        self._measure(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of the head."""
        self._measure(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Answer, or have the request wait for those before it."""
        self._in_head = False
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests at once")  # as what follows: the parser stops, and it is refused
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Have a whole request."""
        self._has_ended = True
        super().on_message_complete()

    def _measure(self, length: int) -> None:
        self._head += length
        if self._head > LARGEST_HEAD:
            raise ValueError("the head is too large")

    def handle_websocket_upgrade(self) -> None:
        """Become a live connection."""
        self._is_live = True
        super().handle_websocket_upgrade()
        # It holds this connection as this holds it, and nobody tells this one of the end.
        self.parser = None  # type: ignore[assignment]

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP."""
        self._refuse(NotHttpError())

    def _expect_request(self) -> None:
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._too_slow)

    def _expect_nothing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if not self._has_spoken:
            self.transport.close()  # browsers open some connections just in case
        elif self.is_waiting:
            self._refuse(TooSlowError())

    def _refuse(self, error: RefusalError) -> None:
        """Say why in the one shape of errors, and hang up."""
        if self.is_waiting:  # else part of an answer may be on its way already
            self.transport.write(_raw(refused(error)))
        self.transport.close()


class LiveConnection(_Taking, WebSocketsSansIOProtocol):
    """A WebSocket, which keeps the place of the connection it was, and sends frames that were made for all."""

    _takes_compressed: bool | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Agree with browsers that no message builds upon the one before: no other way the same bytes can serve all."""
        super().__init__(*arguments, **named)
        self.conn.available_extensions = [
            ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)
        ]

    def handle_text(self, event: Frame) -> None:
        """Take a message. Pages ask for a sign of life far more often than they play: it is given here and now.

        To whoever takes nothing there is none to give. However else a ping is written, the app understands it.
        """
        if event.data != PING or not event.fin or not self.handshake_complete:
            super().handle_text(event)
        elif self.writable.is_set() and not self.close_sent:
            self.transport.write(_PONG)

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the app says."""
        text = message.get("text")
        if not isinstance(text, Message) or not self.handshake_complete or self.close_sent:
            await super().send(message)
            return
        if self._takes_compressed is None:
            self._takes_compressed = any(
                isinstance(extension, PerMessageDeflate) and extension.local_max_window_bits == zlib.MAX_WBITS
                for extension in self.conn.extensions
            )
        await self.writable.wait()
        if self.disconnected or self.transport.is_closing() or self.close_sent:
            raise ClientDisconnected
        self.transport.write(text.frame(compressed=self._takes_compressed))


def protocols(door: Door) -> dict[str, Any]:
    """Return uvicorn's settings for connections that pass a door."""
    return {
        "http": type("HttpConnection", (HttpConnection,), {"door": door}),
        "ws": type("LiveConnection", (LiveConnection,), {"door": door}),
        "backlog": BATCH,
    }


def _raw(response: JSONResponse) -> bytes:
    """Return an answer as it goes over the line when there is no request it answers."""
    response.headers["Connection"] = "close"
    head = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
    return b"HTTP/1.1 %d \r\n%s\r\n%s" % (response.status_code, head, bytes(response.body))
