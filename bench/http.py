"""The benches' own HTTP and WebSocket clients: cheap, so that the machine's time is the server's.

Requests go over a few connections that are kept, as browsers keep theirs. A live connection looks at no more of what
it is sent than it must.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, cast

_NOTHING: Final[Mapping[str, str]] = {}
_Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Answer(NamedTuple):
    """What came back."""

    status: int
    head: str
    content: bytes

    def json(self) -> Any:
        """Return what the content says; None if there is none."""
        return json.loads(self.content) if self.content else None


class Client:
    """Asks a server, over so many connections at most."""

    def __init__(self, host: str, most: int = 32) -> None:
        """Ask the server at an address, as ``127.0.0.1:8000``."""
        self._host = host
        self._idle: list[_Connection] = []
        self._free = asyncio.Semaphore(most)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = _NOTHING,
        seconds: float = 60.0,
    ) -> Answer:
        """Send a request and return the answer; OSError if there is none, in so many seconds."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self._host}",
            f"Origin: http://{self._host}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        asked = "\r\n".join([*lines, "", ""]).encode() + content
        async with self._free, asyncio.timeout(seconds):
            while self._idle:
                connection = self._idle.pop()
                if connection[0].at_eof():
                    connection[1].close()
                    continue
                try:
                    return await self._exchange(connection, asked)
                except _UnansweredError:  # it was kept for too long: every browser asks once more
                    break
            try:
                return await self._exchange(await self._opened(), asked)
            except _UnansweredError as error:
                raise ConnectionResetError(str(error)) from None

    async def close(self) -> None:
        """Hang up."""
        while self._idle:
            _, writer = self._idle.pop()
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _opened(self) -> _Connection:
        name, port = self._host.rsplit(":", 1)
        return await asyncio.open_connection(name, int(port))

    async def _exchange(self, connection: _Connection, asked: bytes) -> Answer:
        reader, writer = connection
        try:
            writer.write(asked)
            try:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
            except asyncio.IncompleteReadError as error:
                if error.partial:
                    raise ConnectionResetError("cut off in the head of an answer") from None
                raise _UnansweredError("hung up") from None
            except ConnectionError as error:
                raise _UnansweredError(str(error)) from None
            length = int(head.lower().partition("content-length:")[2].partition("\r\n")[0] or 0)
            try:
                content = await reader.readexactly(length)
            except asyncio.IncompleteReadError:
                raise ConnectionResetError("cut off in the middle of an answer") from None
        except BaseException:
            writer.close()
            raise
        if "connection: close" in head.lower():
            writer.close()
        else:
            self._idle.append(connection)
        return Answer(int(head.split(maxsplit=2)[1]), head, content)


class _UnansweredError(Exception):
    """A connection ended before a byte of the answer came."""


_OPCODE, _COMPRESSED, _LENGTH = 0x0F, 0x40, 0x7F
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_ASKED: Final = b'{"type":"ping"}'
"""As pages write it."""
GLANCE: Final = 600
"""Characters of a message that are looked at: what it is, and of a game the ply."""


def _compressed(content: bytes) -> bytes:
    """Return a message's content as a browser compresses it: without the length of the last, empty block."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\x00\x00\xff\xff")


_COMPRESSED_PING: Final = _compressed(_ASKED)


class Live(asyncio.Protocol):
    """A live connection, which takes compressed messages as browsers do and has the beginning of each looked at."""

    def __init__(
        self, host: str, path: str, cookie: str, heard: Callable[[Live, bytes], None], glance: int = GLANCE
    ) -> None:
        """Have ``heard`` called with the first characters of every message; with all of them if that is 0."""
        key = b64encode(os.urandom(16)).decode()
        self._asked = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
        ).encode()
        self._heard, self._glance = heard, glance
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.ended: str | None = None
        self.gone = asyncio.Event()
        """Set when it has ended."""
        self.taken = 0
        """Bytes."""

    @classmethod
    async def open(
        cls, host: str, path: str, cookie: str, heard: Callable[[Live, bytes], None], glance: int = GLANCE
    ) -> Live:
        """Return one that is open; OSError if the server does not want it."""
        name, port = host.rsplit(":", 1)
        live = cls(host, path, cookie, heard, glance)
        await asyncio.get_running_loop().create_connection(lambda: live, name, int(port))
        await live.is_open
        return live

    def send(self, text: bytes) -> None:
        """Send a short message."""
        self._send(_TEXT, text)

    def ping(self) -> None:
        """Ask for a sign of life as a page does: a browser compresses even that."""
        if self.ended is None:
            self._send(_COMPRESSED | _TEXT, _COMPRESSED_PING)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the messages."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's are not of this class
        self._transport.write(self._asked)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it is over."""
        self.ended = self.ended or str(exc or "hung up")
        self.gone.set()
        if not self.is_open.done():
            self.is_open.set_exception(ConnectionResetError(self.ended))

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        self.taken += len(data)
        self._buffer += data
        if not self.is_open.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.ended = head.partition(b"\r\n")[0].decode()
                self.close()
                return
            self.is_open.set_result(None)
            self._buffer = rest
        while self._take():
            pass

    def _take(self) -> bool:
        """Take a whole frame, if there is one. No server of ours divides a message."""
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
                    content = zlib.decompressobj(-15).decompress(content, self._glance)
                self._heard(self, content[: self._glance or None])
            case 8:
                self.ended = f"closed: {content[2:].decode()}"
                self.close()
            case 9:
                self._send(_PONG, content)
        return True

    def _send(self, opcode: int, content: bytes) -> None:
        assert self._transport is not None and len(content) < 126
        # Masked with zeros, which change nothing.
        self._transport.write(bytes((0x80 | opcode, 0x80 | len(content), 0, 0, 0, 0)) + content)
