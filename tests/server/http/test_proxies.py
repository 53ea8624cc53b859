"""Behind a proxy: a real nginx with each recipe that this project gives, and one that sends no forwarded headers."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.browser.serving import Server
from tests.nginx import NAME, Nginx
from tests.polling import TIMEOUT_SECONDS
from tests.server.online_client import API
from tests.server.still_limits import COMMAND
from websockets.sync.client import connect
from websockets.typing import Origin

from punct.server.app import create_app
from punct.server.http.rate_limits import BAD_TOKENS, LOGIN_FROM_ADDRESS

ROOT = Path(__file__).resolve().parents[3]
MOST_GUESSES = int(str(BAD_TOKENS.address).partition("/")[0])
MOST_PASSWORDS = int(str(LOGIN_FROM_ADDRESS.player).partition("/")[0])
PRIVATE = ("/metrics", "/readyz", "/readyz/", "//readyz", "/%72eadyz", "/x/../readyz", "/readyz?verbose=1")
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


def recipes() -> dict[str, str | None]:
    """Return every way of passing requests on that this project shows: the example's own, and those on its pages."""
    found: dict[str, str | None] = {"deploy/nginx.conf": None}
    for page in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        blocks = re.findall(r"^ *```nginx\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.M | re.S)
        found |= {f"{page.relative_to(ROOT)} {number}": block for number, block in enumerate(blocks, 1)}
    return found


RECIPES = recipes()


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
        self.read = answer.read()
        connection.close()
        return answer

    def guess(self, **headers: str) -> int:
        """Try a token that is none."""
        return self.request(f"{API}/me", Authorization="Bearer punct_" + "x" * 43, **headers).status

    def try_password(self, login: str, **headers: str) -> int:
        """Try to log in with a password that is wrong."""
        tried = {"login": login, "password": "four red bridges"}
        return self.request(f"{API}/session", "POST", tried, Origin=self.nginx.address, **headers).status


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


def test_the_pages_have_recipes() -> None:
    assert len(RECIPES) >= 2
    for recipe in RECIPES.values():  # right for nginx before and since 1.25.1: see deploy/nginx.conf
        site = recipe or (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        assert not re.search(r"^\s*(listen .*http2|http2 on)", site, re.M)


@pytest.mark.parametrize("recipe", RECIPES)
def test_behind_the_proxy_of_each_recipe(server: Server, proxied: Callable[..., Nginx], recipe: str) -> None:
    nginx = proxied(RECIPES[recipe])
    number = list(RECIPES).index(recipe)  # guesses at the recipe before are not counted again
    anna, ben = Client(nginx, f"127.0.1.{2 * number + 1}"), Client(nginx, f"127.0.1.{2 * number + 2}")

    # Figures are for this machine, however a path is written.
    assert [anna.request(path).status for path in PRIVATE[:2]] == [403, 403]
    assert anna.request("/").status == 200 and b"<script" in anna.read
    page = anna.read
    for path in PRIVATE[2:]:
        assert anna.request(path).status == 403 or anna.read == page, path

    # The page; and that it shall come encrypted, once, also with what nginx answers itself.
    for path, status in (("/", 200), ("/metrics", 403), (f"{API}/health", 200)):
        answer = anna.request(path)
        assert answer.status == status
        assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]

    # Each request has one id, which is nginx's, whatever the client calls it.
    ids = [anna.request(f"{API}/health", X_Request_Id="mine").headers.get_all("X-Request-Id") for _ in range(2)]
    assert all(len(each) == 1 and re.fullmatch("[0-9a-f]{32}", each[0]) for each in ids if each) and ids[0] != ids[1]

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

    # Guesses at tokens and passwords are counted by whom nginx sees, whatever is said about that.
    forged = ("X_Forwarded_For", "Forwarded", "X_Real_Ip")
    assert [anna.guess() for _ in range(MOST_GUESSES)] == [401] * MOST_GUESSES
    assert anna.guess() == 429
    assert [anna.guess(**{name: "203.0.113.9"}) for name in forged] == [429] * 3
    assert ben.guess() == 401
    login = f"carl-{number}"
    assert [anna.try_password(login) for _ in range(MOST_PASSWORDS)] == [401] * MOST_PASSWORDS
    assert anna.try_password(login, X_Forwarded_For="203.0.113.9") == 429
    assert ben.try_password(login) == 401
    with pytest.raises(AssertionError, match="403"):
        direct(server, "/metrics", X_Forwarded_For="203.0.113.9", X_Forwarded_Proto="https")
    assert direct(server, "/readyz")["proxy"] is True


def test_plain_requests_are_sent_to_https_but_for_those_of_certbot(
    proxied: Callable[..., Nginx], tmp_path: Path
) -> None:
    nginx = proxied()
    challenges = tmp_path / ".well-known" / "acme-challenge"
    challenges.mkdir(parents=True)
    (challenges / "token").write_text("proof")
    connection = HTTPConnection("127.0.0.1", nginx.plain_port, timeout=TIMEOUT_SECONDS)
    for path, status, location, body in (
        ("/.well-known/acme-challenge/token", 200, None, b"proof"),
        ("/games?page=2", 301, f"https://{NAME}/games?page=2", None),
    ):
        connection.request("GET", path, headers={"Host": NAME})
        answer = connection.getresponse()
        told = answer.read()
        assert (answer.status, answer.headers["Location"]) == (status, location)
        assert body is None or told == body
        assert answer.headers["Server"] == "nginx", "nginx tells its version"
    connection.close()


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
