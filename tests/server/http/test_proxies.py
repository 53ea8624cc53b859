"""Behind a proxy: a real nginx as deploy/nginx.conf has it, and one that sends no forwarded headers."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.browser.serving import COMMAND, TIMEOUT_SECONDS, Server
from tests.nginx import NAME, Nginx
from tests.server.online_client import API
from websockets.sync.client import connect
from websockets.typing import Origin

from punct.server.app import create_app
from punct.server.http.rate_limits import BAD_TOKENS

MOST_GUESSES = int(str(BAD_TOKENS.address).partition("/")[0])
SILENT = """
    location / {
        proxy_pass http://punct;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection "upgrade";
    }
"""
"""As it is often written: nothing of whom it brings."""


class Client:
    """Somebody at an address, who reaches the server through a proxy."""

    def __init__(self, nginx: Nginx, address: str) -> None:
        self.nginx, self.address = nginx, address
        self.context = ssl.create_default_context(cafile=str(nginx.certificate))

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.nginx.port), TIMEOUT_SECONDS, (self.address, 0))

    def request(self, path: str, method: str = "GET", body: object = None, **headers: str) -> HTTPResponse:
        connection = HTTPSConnection(NAME, self.nginx.port, timeout=TIMEOUT_SECONDS)
        connection.sock = self.context.wrap_socket(self.connect(), server_hostname=NAME)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = None if body is None else json.dumps(body)
        connection.request(method, path, sent, {"Content-Type": "application/json", **named} if sent else named)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer

    def guess(self, **headers: str) -> int:
        """Try a token that is none."""
        return self.request(f"{API}/me", Authorization="Bearer punct_" + "x" * 43, **headers).status


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    command = [*COMMAND, "--name", NAME]
    with Server(tmp_path_factory.mktemp("data"), command) as started:
        yield started


def port(server: Server) -> int:
    return int(server.address.rpartition(":")[2])


@pytest.fixture
def proxied(server: Server, tmp_path: Path) -> Iterator[Callable[..., Nginx]]:
    started: list[Nginx] = []

    def start(location: str | None = None) -> Nginx:
        nginx = Nginx(tmp_path, port(server), location)
        assert "warn" not in nginx.check()
        nginx.start()
        started.append(nginx)
        return nginx

    yield start
    for nginx in started:
        nginx.stop()


def test_behind_the_proxy_of_the_example(server: Server, proxied: Callable[..., Nginx]) -> None:
    nginx = proxied()
    anna, ben = Client(nginx, "127.0.0.5"), Client(nginx, "127.0.0.6")

    # Figures are for this machine.
    assert anna.request("/metrics").status == 403 and anna.request("/readyz").status == 403

    # The page; and that it shall come encrypted, once, also with what nginx answers itself.
    for path, status in (("/", 200), ("/metrics", 403), (f"{API}/health", 200)):
        answer = anna.request(path)
        assert answer.status == status
        assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]

    # A page at this very address may change something, and is known by a cookie that is sent encrypted only.
    answer = anna.request(f"{API}/me", "POST", Origin=nginx.address)
    assert answer.status == 200
    (cookie,) = answer.headers.get_all("Set-Cookie", [])
    assert "; Secure" in cookie and cookie.startswith("__Host-")
    assert anna.request(f"{API}/me", "POST", Origin=f"https://{NAME}").status == 403  # another port is another site

    # Live connections pass.
    place = f"wss://{NAME}:{nginx.port}{API}/lobby/live"
    with connect(place, sock=anna.connect(), ssl=anna.context, origin=Origin(nginx.address)) as live:
        assert json.loads(live.recv(TIMEOUT_SECONDS))["type"] == "lobby"

    # Guesses are counted by whom nginx sees, whatever is said about that.
    forged = ("X_Forwarded_For", "Forwarded", "X_Real_Ip")
    assert [anna.guess() for _ in range(MOST_GUESSES)] == [401] * MOST_GUESSES
    assert anna.guess() == 429
    assert [anna.guess(**{name: "203.0.113.9"}) for name in forged] == [429] * 3
    assert ben.guess() == 401
    with pytest.raises(AssertionError, match="403"):
        direct(server, "/metrics", X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="https")
    assert direct(server, "/readyz")["proxy"] is True


def test_a_proxy_without_forwarded_headers_makes_nobody_local(server: Server, proxied: Callable[..., Nginx]) -> None:
    nginx = proxied(SILENT)
    anna, ben = Client(nginx, "127.0.0.7"), Client(nginx, "127.0.0.8")
    assert anna.request("/metrics").status == 403
    assert anna.request("/", Sec_Fetch_Site="none").status == 200  # a browser, of whose address nothing is said
    assert direct(server, "/readyz")["proxy"] is False
    assert "WARNING a proxy forwards requests without X-Forwarded-For" in server.says_until("X-Forwarded-For")

    # Nobody's guesses are free, nor those of who invents an address; and nobody else is locked out by it.
    answers = [anna.guess(X_Forwarded_For=f"198.51.100.{number}") for number in range(MOST_GUESSES)]
    assert answers == [401] * MOST_GUESSES
    assert anna.guess(X_Forwarded_For="198.51.100.99") == 429 and ben.guess() == 429
    # A program on this machine is local all the same.
    figures = direct(server, "/metrics")
    assert "punct_proxy_silent 1.0" in figures


def direct(server: Server, path: str, **headers: str) -> Any:
    """Ask as a program on this machine does."""
    connection = HTTPConnection("127.0.0.1", port(server), timeout=TIMEOUT_SECONDS)
    connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    told = answer.read().decode()
    connection.close()
    assert answer.status == 200, answer.status
    return json.loads(told) if told.startswith("{") else told


@pytest.mark.parametrize(
    ("online", "host", "headers", "status"),
    [
        (False, "127.0.0.1:8000", {}, 200),
        (False, "192.168.0.7:8000", {}, 200),  # at home whoever can reach it may see everything
        (True, "127.0.0.1:8000", {}, 200),
        (True, "localhost:8000", {}, 200),
        (True, "[::1]:8000", {}, 200),
        (True, "punct.example.org", {}, 403),
        (True, "192.168.0.7:8000", {}, 403),
        (True, "127.0.0.1.example.org", {}, 403),
        (True, "127.0.0.1:8000", {"X-Forwarded-For": "127.0.0.1"}, 403),
        (True, "127.0.0.1:8000", {"X-Real-IP": "203.0.113.9"}, 403),
    ],
)
def test_which_requests_count_as_local(
    tmp_path: Path, online: bool, host: str, headers: dict[str, str], status: int
) -> None:
    app = create_app(tmp_path, workers=1, online=online)
    with TestClient(app, client=("127.0.0.1", 1234)) as client:
        assert client.get("/metrics", headers={"Host": host, **headers}).status_code == status


def test_local_requests_by_the_public_name_leave_the_limits_of_players(tmp_path: Path) -> None:
    """Whoever runs the server tries it past the proxy: it is said, and players are counted as before."""
    with TestClient(create_app(tmp_path, workers=1, online=True), client=("127.0.0.1", 1234)) as client:
        assert client.get(f"{API}/me", headers={"Host": NAME}).status_code == 200
        guess = {"Host": NAME, "Authorization": "Bearer punct_x", "X-Forwarded-Proto": "https"}
        for number in range(MOST_GUESSES + 1):
            said = {**guess, "X-Forwarded-For": f"198.51.100.{number}"}
            assert client.get(f"{API}/me", headers=said).status_code == 401


def test_two_host_headers_are_refused(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, workers=1), client=("127.0.0.1", 1234)) as client:
        answer = client.get("/healthz", headers=[("Host", "127.0.0.1"), ("Host", NAME)])
        assert answer.status_code == 400 and "one Host" in answer.text
