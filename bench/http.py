"""The benches' own HTTP and WebSocket clients: cheap, so that the machine's time is the server's.

Requests go over a few connections that are kept, as browsers keep theirs. A live connection looks at no more of what
it is sent than it must.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

_NO_HEADERS: Final[Mapping[str, str]] = {}
_SET_COOKIE: Final = re.compile(r"set-cookie:\s*([^;\r\n]+)", re.IGNORECASE)
_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Response(NamedTuple):
    """A response, read whole."""

    status: int
    head: str
    content: bytes

    def json(self) -> Any:
        """Return the content as JSON; None if there is none."""
        return json.loads(self.content) if self.content else None

    def session_cookie(self) -> str | None:
        """Return the session that the response sets, as ``name=value``: the last one, should it end another."""
        cookies = _SET_COOKIE.findall(self.head)
        return str(cookies[-1]) if cookies else None


class Client:
    """Sends requests to a server, over a pool of connections."""

    def __init__(self, host: str, max_connections: int = 32) -> None:
        """Send to the server at a host, as ``127.0.0.1:8000``."""
        self._host = host
        self._idle: list[_Connection] = []
        self._free = asyncio.Semaphore(max_connections)

    async def request(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = _NO_HEADERS,
        timeout: float = 60.0,
    ) -> Response:
        """Send a request and return the response; OSError if there is none within so many seconds."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._host}",
            f"Origin: http://{self._host}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        message = "\r\n".join([*lines, "", ""]).encode() + content
        async with self._free, asyncio.timeout(timeout):
            while self._idle:
                connection = self._idle.pop()
                if connection[0].at_eof():
                    connection[1].close()
                    continue
                try:
                    return await self._exchange(connection, message)
                except _NoResponseError:  # the server had closed it: every browser sends again
                    break
            try:
                return await self._exchange(await self._connect(), message)
            except _NoResponseError as error:
                raise ConnectionResetError(str(error)) from None

    async def close(self) -> None:
        """Close the connection."""
        while self._idle:
            _, writer = self._idle.pop()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _connect(self) -> _Connection:
        name, port = self._host.rsplit(":", 1)
        return await asyncio.open_connection(name, int(port))

    async def _exchange(self, connection: _Connection, message: bytes) -> Response:
        reader, writer = connection
        try:
            writer.write(message)
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
            except asyncio.IncompleteReadError as error:
                if error.partial:
                    raise ConnectionResetError("cut off in the head of a response") from None
                raise _NoResponseError("hung up") from None
            except ConnectionError as error:
                raise _NoResponseError(str(error)) from None
            length = int(head.lower().partition("content-length:")[2].partition("\r\n")[0] or 0)
            try:
                content = await reader.readexactly(length)
            except asyncio.IncompleteReadError:
                raise ConnectionResetError("cut off in the middle of a response") from None
        except BaseException:
            writer.close()
            raise
        if "connection: close" in head.lower():
            writer.close()
        else:
            self._idle.append(connection)
        return Response(int(head.split(maxsplit=2)[1]), head, content)


class _NoResponseError(Exception):
    """A connection ended before a byte of the response came."""


_OPCODE, _COMPRESSED, _LENGTH = 0x0F, 0x40, 0x7F
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_PING_MESSAGE: Final = b'{"type":"ping"}'
"""As pages write it."""
PREVIEW_BYTES: Final = 600
"""Bytes of a message that are read: enough for its type, and the ply of a game."""


def _compress(content: bytes) -> bytes:
    """Return a message's content as a browser compresses it: without the length of the last, empty block."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\x00\x00\xff\xff")


_COMPRESSED_PING: Final = _compress(_PING_MESSAGE)


class LiveConnection(asyncio.Protocol):
    """A live connection, which takes compressed messages as browsers do and passes on the beginning of each."""

    def __init__(
        self,
        host: str,
        path: str,
        cookie: str,
        on_message: Callable[[LiveConnection, bytes], None],
        preview_bytes: int = PREVIEW_BYTES,
    ) -> None:
        """Call ``on_message`` with the first bytes of every message; with all of them if ``preview_bytes`` is 0."""
        key = b64encode(os.urandom(16)).decode()
        self._handshake = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
        ).encode()
        self._on_message, self._preview_bytes = on_message, preview_bytes
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.close_reason: str | None = None
        self.closed = asyncio.Event()
        self.bytes_received = 0

    @classmethod
    async def open(
        cls,
        host: str,
        path: str,
        cookie: str,
        on_message: Callable[[LiveConnection, bytes], None],
        preview_bytes: int = PREVIEW_BYTES,
    ) -> LiveConnection:
        """Open one; OSError if the server refuses it."""
        name, port = host.rsplit(":", 1)
        live = cls(host, path, cookie, on_message, preview_bytes)
        await asyncio.get_running_loop().create_connection(lambda: live, name, int(port))
        await live.is_open
        return live

    def send(self, text: bytes) -> None:
        """Send a short message."""
        self._send(_TEXT, text)

    def ping(self) -> None:
        """Send a ping as a page does: a browser compresses even that."""
        if self.close_reason is None:
            self._send(_COMPRESSED | _TEXT, _COMPRESSED_PING)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are not of this class
        self._transport.write(self._handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """Record why it ended."""
        self.close_reason = self.close_reason or str(exc or "hung up")
        self.closed.set()
        if not self.is_open.done():
            self.is_open.set_exception(ConnectionResetError(self.close_reason))

    def data_received(self, data: bytes) -> None:
        """Read the handshake's response, then frames."""
        self.bytes_received += len(data)
        self._buffer += data
        if not self.is_open.done():
            head, separator, rest = self._buffer.partition(b"\r\n\r\n")
            if not separator:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.close_reason = head.partition(b"\r\n")[0].decode()
                self.close()
                return
            self.is_open.set_result(None)
            self._buffer = rest
        while self._read_frame():
            pass

    def _read_frame(self) -> bool:
        """Read a whole frame, if there is one. Our server never fragments a message."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        length, start = buffer[1] & _LENGTH, 2
        if length >= 126:
            start = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length:
            return False
        first, content = buffer[0], bytes(buffer[start : start + length])
        del buffer[: start + length]
        match first & _OPCODE:
            case 1:
                if first & _COMPRESSED:
                    content = zlib.decompressobj(-15).decompress(content, self._preview_bytes)
                self._on_message(self, content[: self._preview_bytes or None])
            case 8:
                self.close_reason = f"closed: {content[2:].decode()}"
                self.close()
            case 9:
                self._send(_PONG, content)
        return True

    def _send(self, opcode: int, content: bytes) -> None:
        assert self._transport is not None and len(content) < 126
        # Masked with zeros, which change nothing.
        self._transport.write(bytes((0x80 | opcode, 0x80 | len(content), 0, 0, 0, 0)) + content)
