"""A receiver of calls on loopback: it notes what arrives, and responds as a test wants, byte by byte if need be."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tests.server.certificates import Certificate

Respond = Callable[[socket.socket, threading.Event], None]
"""Sends a response; the event is set when the receiver is to end."""
OK: Final = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass(frozen=True)
class Call:
    """A request that has arrived."""

    line: str
    headers: dict[str, str]
    """By their names in lower case."""
    body: bytes


class Receiver:
    """A server of one thread for each connection, plain or by TLS."""

    def __init__(self, certificate: Certificate | None = None) -> None:
        self.calls: list[Call] = []
        self.connections = 0
        self.respond: Respond = saying(OK)
        self._end = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._tls: ssl.SSLContext | None = None
        if certificate is not None:
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._tls.load_cert_chain(certificate.certificate, certificate.key)
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def authority(self) -> str:
        """The host and port, as an operator exempts them."""
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        if self._end.is_set():
            return
        self._end.set()
        with socket.socket() as wake:  # resolves nothing: a test may have replaced the resolver
            wake.connect(("127.0.0.1", self.port))
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._end.is_set():
                connection.close()
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(60)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            stack.enter_context(connection)
            if self._tls is not None:
                connection = stack.enter_context(self._tls.wrap_socket(connection, server_side=True))
            self.calls.append(_read(connection))
            self.respond(connection, self._end)


def saying(response: bytes) -> Respond:
    """Respond with these bytes."""
    return lambda connection, end: connection.sendall(response)


def status(number: int, *headers: str) -> Respond:
    """Respond with a status and headers."""
    lines = [f"HTTP/1.1 {number} As Wanted", *headers, "Content-Length: 0", "", ""]
    return saying("\r\n".join(lines).encode())


def endlessly(start: bytes, more: bytes, pause: float = 0.0) -> Respond:
    """Respond with some bytes, and then with others again and again, until the caller hangs up."""

    def respond(connection: socket.socket, end: threading.Event) -> None:
        connection.sendall(start)
        while not end.wait(pause):
            connection.sendall(more)

    return respond


@contextlib.contextmanager
def running_receiver(certificate: Certificate | None = None) -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(certificate)
    try:
        yield receiver
    finally:
        receiver.close()


def _read(connection: socket.socket) -> Call:
    received = b""
    while b"\r\n\r\n" not in received:
        chunk = connection.recv(65536)
        if not chunk:
            raise OSError
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    line, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    return Call(line, headers, body)
