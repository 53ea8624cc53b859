"""Connections: too many, too slow, too silent; and a log that stays short."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.request import Request, urlopen

import pytest
import uvicorn
from tests.polling import TIMEOUT_SECONDS, wait_until
from websockets.sync.client import connect

from punct.server import run, transport
from punct.server.app import create_app
from punct.server.http.proxies import rate_limit_key
from punct.server.log import RateLimit
from punct.server.run import LISTEN_BACKLOG, listen
from punct.server.transport import ConnectionLimiter, WebSocketConnection, protocol_settings
from punct.server.uvicorn_internals import Server

HEALTH = b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BEGIN = (
    b"POST /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
)
JSON = {"Content-Type": "application/json"}


@contextlib.contextmanager
def serving(folder: Path, limiter: ConnectionLimiter, **settings: Any) -> Iterator[int]:
    """Run a server in a thread, and yield its port."""
    with listen("127.0.0.1", 0) as listener:
        app = create_app(folder, workers=1)
        config = uvicorn.Config(app, log_config=None, **protocol_settings(limiter), **settings)
        running = Server(config, LISTEN_BACKLOG, lambda: None)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            running.should_exit = True
            thread.join()


def dial(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)


def heard(line: socket.socket) -> bytes:
    """Return everything until the server hangs up."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := line.recv(65536):
            found += piece
    return found


def answer(line: socket.socket) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of one answer."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += line.recv(65536)
    head, _, body = found.partition(b"\r\n\r\n")
    length = next(int(row.split(b":")[1]) for row in head.splitlines() if row.lower().startswith(b"content-length"))
    while len(body) < length:
        body += line.recv(65536)
    return int(head.split()[1]), json.loads(body)


def ask(port: int) -> int:
    with dial(port) as line:
        line.sendall(HEALTH)
        return answer(line)[0]


def test_silent_connections_are_closed_for_new_ones(tmp_path: Path) -> None:
    limiter = ConnectionLimiter(8)
    with serving(tmp_path, limiter) as port, contextlib.ExitStack() as open_lines:
        silent = [open_lines.enter_context(dial(port)) for _ in range(40)]
        assert ask(port) == 200
        assert len(limiter._open) <= 8
        assert heard(silent[0]) == b""  # the oldest went first
        assert ask(port) == 200


def test_connections_in_use_are_not_closed_for_new_ones(tmp_path: Path) -> None:
    limiter = ConnectionLimiter(2)
    with serving(tmp_path, limiter) as port, contextlib.ExitStack() as open_lines:
        lines = []
        for _ in range(2):
            line = open_lines.enter_context(dial(port))
            line.sendall(BEGIN % 2)
            lines.append(line)
            wait_until(lambda: [who.is_idle for who, _ in list(limiter._open.values())] == [False] * len(lines))
        with dial(port) as another:
            found = heard(another)
            assert found.startswith(b"HTTP/1.1 429") and b'"busy"' in found
        for line in lines:
            line.sendall(b"{}")  # what their requests still lacked
            assert answer(line)[0] == 201


class Line:
    """A connection from somewhere, in use."""

    is_idle = False

    def __init__(self, address: str) -> None:
        self.client = (address, 1)
        self.transport = self
        self.aborted = False

    def abort(self) -> None:
        self.aborted = True


def test_one_address_cannot_take_all_connections() -> None:
    limiter = ConnectionLimiter(10, max_per_address=2)
    lines: Any = [Line("192.0.2.1") for _ in range(3)]
    assert [limiter.admit(line) for line in lines] == [True, True, False]
    others: Any = [Line("192.0.2.2"), *(Line("127.0.0.1") for _ in range(5))]
    assert all(limiter.admit(line) for line in others)
    lines[1].is_idle = True
    again: Any = Line("192.0.2.1")
    assert limiter.admit(again) and lines[1].aborted  # its own silent one made room
    limiter.remove(again)
    limiter.remove(again)
    assert limiter.admit(lines[2])


@pytest.mark.parametrize("proxies", ["172.18.0.3", "10.0.0.1, 172.18.0.0/16", "*"])
def test_a_trusted_proxy_has_no_limit_of_its_own(proxies: str) -> None:
    limiter = run.connection_limiter(proxies, online=True)
    brought: Any = [Line("172.18.0.3") for _ in range(3 * transport.MAX_CONNECTIONS_PER_ADDRESS)]
    assert all(limiter.admit(line) for line in brought)
    for line in brought:
        limiter.remove(line)
    others: Any = [Line("172.19.0.3") for _ in range(transport.MAX_CONNECTIONS_PER_ADDRESS + 1)]
    assert [limiter.admit(line) for line in others] == [True] * transport.MAX_CONNECTIONS_PER_ADDRESS + [proxies == "*"]


@pytest.mark.parametrize(
    ("address", "as_counted"),
    [
        ("127.0.0.1", None),
        ("127.9.9.9", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("", None),
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_rate_limit_keys_of_addresses(address: str, as_counted: str | None) -> None:
    assert rate_limit_key(address) == as_counted


def test_slow_request_heads_are_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "REQUEST_TIMEOUT_SECONDS", 0.3)
    with serving(tmp_path, ConnectionLimiter(100)) as port:
        with dial(port) as silent:
            assert heard(silent) == b""
        with dial(port) as slow:
            slow.sendall(HEALTH[:20])
            found = heard(slow)
            assert found.startswith(b"HTTP/1.1 408") and b'"too_slow"' in found
        with dial(port) as second_time:  # what holds for the first request holds for every one
            second_time.sendall(HEALTH)
            assert answer(second_time)[0] == 200
            second_time.sendall(HEALTH[:20])
            assert b'"too_slow"' in heard(second_time)


def test_slow_request_bodies_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punct.server.http.security.BODY_SECONDS", 0.3)
    with serving(tmp_path, ConnectionLimiter(100)) as port, dial(port) as slow:
        slow.sendall(BEGIN % 9 + b"{")
        found = heard(slow)
        assert found.startswith(b"HTTP/1.1 408") and b'"too_slow"' in found


def test_clients_that_read_nothing_are_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "WRITE_TIMEOUT_SECONDS", 0.3)
    limiter = ConnectionLimiter(100)
    with serving(tmp_path, limiter) as port, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.settimeout(TIMEOUT_SECONDS)
        deaf.connect(("127.0.0.1", port))
        request = HEALTH.replace(b"health", b"board")
        with contextlib.suppress(OSError):  # asks on and on, until there is nobody to ask
            while True:
                deaf.sendall(request * transport.MAX_PIPELINED_REQUESTS)
        assert ask(port) == 200
        wait_until(lambda: not limiter._open)


def test_pings_are_answered_by_the_transport(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bytes] = []
    take = WebSocketConnection.send_receive_event_to_app

    def note(connection: WebSocketConnection) -> None:
        taken.append(b"".join(connection.frames))
        take(connection)

    monkeypatch.setattr(WebSocketConnection, "send_receive_event_to_app", note)
    with serving(tmp_path, ConnectionLimiter(100)) as port:
        with urlopen(Request(f"http://127.0.0.1:{port}/api/v1/games", b"{}", JSON, method="POST")) as begun:
            game = json.load(begun)["id"]
        for compression in ("deflate", None):
            with connect(f"ws://127.0.0.1:{port}/api/v1/games/{game}/live", compression=compression) as line:
                line.recv(TIMEOUT_SECONDS)
                for _ in range(3):
                    line.send('{"type":"ping"}')
                    assert line.recv(TIMEOUT_SECONDS) == '{"type":"pong"}'
                assert taken == []
                line.send('{ "type": "ping" }')  # whoever writes it otherwise is understood, too
                assert line.recv(TIMEOUT_SECONDS) == '{"type":"pong"}'
                assert taken.pop() == b'{ "type": "ping" }'


@pytest.mark.parametrize(
    "nonsense",
    [
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000,
        b"GET / HTTP/1.1\r\n" + b"X: %s\r\n" % (b"x" * 1000) * 40 + b"\r\n",
        b"GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % (b"x" * 40_000),
    ],
    ids=["another protocol", "a line without an end", "many lines", "a long address"],
)
def test_invalid_http_gets_the_usual_error_body(tmp_path: Path, nonsense: bytes) -> None:
    with serving(tmp_path, ConnectionLimiter(100)) as port, dial(port) as line:
        line.sendall(nonsense)
        found = heard(line)
        # What we still sent may have cut the answer off; what fits into one packet has not.
        assert found or len(nonsense) > 1000
        if found:
            assert found.startswith(b"HTTP/1.1 400")
            assert json.loads(found.partition(b"\r\n\r\n")[2])["error"]["code"] == "malformed"
        assert ask(port) == 200


def test_pipelined_requests_are_answered_in_order(tmp_path: Path) -> None:
    body = b'{"rules": "basic"}'
    with serving(tmp_path, ConnectionLimiter(100)) as port, dial(port) as line:
        line.sendall(
            HEALTH + BEGIN % len(body) + body + HEALTH + HEALTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        )
        assert [part.split()[0] for part in heard(line).split(b"HTTP/1.1 ")[1:]] == [b"200", b"201", b"200", b"200"]


def test_pipelined_requests_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, ConnectionLimiter(100)) as port, dial(port) as line:
        with contextlib.suppress(OSError):
            line.sendall(HEALTH * 10_000)
        assert heard(line).count(b"HTTP/1.1 200") <= 2 * transport.MAX_PIPELINED_REQUESTS
        assert ask(port) == 200


def test_the_limit_of_open_files_limits_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    for files, most in ((128, 32), (64, 16), (1024, 928), (1_000_000, 1000), (resource.RLIM_INFINITY, 1000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert transport.max_connections() == most


def test_only_a_silent_client_is_sent_a_ping() -> None:
    loop, connection = mock.Mock(), WebSocketConnection.__new__(WebSocketConnection)
    connection.loop, connection.conn, connection.transport = loop, mock.Mock(), mock.Mock()
    connection.conn.data_to_send.return_value = [b"ping"]
    connection.transport.is_closing.return_value = False
    connection.conn.parser_exc, connection.close_sent = None, False
    connection.conn.events_received.return_value = []
    connection.ping_interval, connection.ping_timeout = 9.0, 6.0
    loop.time.return_value = 100.0
    connection.data_received(b"a page's own ping")
    loop.time.return_value = 107.0
    connection.send_keepalive_ping()
    loop.call_later.assert_called_once_with(2.0, connection.send_keepalive_ping)
    connection.transport.write.assert_not_called()
    loop.time.return_value = 109.0
    connection.send_keepalive_ping()
    connection.transport.write.assert_called_once_with(b"ping")
    loop.call_later.assert_called_with(6.0, connection.keepalive_timeout)


def test_a_client_that_has_vanished_is_disconnected(tmp_path: Path) -> None:
    limiter = ConnectionLimiter(100)
    with serving(tmp_path, limiter, ws_ping_interval=0.2, ws_ping_timeout=0.2) as port, dial(port) as line:
        with urlopen(Request(f"http://127.0.0.1:{port}/api/v1/games", b"{}", JSON, method="POST")) as begun:
            game = json.load(begun)["id"]
        line.sendall(
            b"GET /api/v1/games/%b/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            % game.encode()
        )
        received = heard(line)
        assert received.startswith(b"HTTP/1.1 101") and b"keepalive ping timeout" in received
        wait_until(lambda: not limiter._open)


# ---------------------------------------------------------------------- the log


def record(line: int, at: float, text: str = "no %s", *args: object) -> logging.LogRecord:
    found = logging.LogRecord("punct", logging.WARNING, "file.py", line, text, args or ("room",), None)
    found.created = at
    return found


def test_repeated_log_messages_are_limited() -> None:
    limit = RateLimit(max_messages=2, seconds=60)
    passed = [limit.filter(record(1, at / 1000)) for at in range(1000)]
    assert passed == [True, True] + [False] * 998
    assert limit.filter(record(2, 1.0))  # from elsewhere: something else
    later = record(1, 61.0)
    assert limit.filter(later) and later.getMessage() == "no room (and 998 more like this before)"
    again = record(1, 130.0)
    assert limit.filter(again) and again.getMessage() == "no room"
