"""The examples of the API's page are sent in its order, as one session, and answered as it says; none is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient, WebSocketTestSession

from punct import puzzles
from punct.server.app import create_app
from punct.server.games.live_schemas import LiveMessage
from punct.server.live.schemas import LiveSaid
from punct.server.lobby.schemas import LobbyMessage
from punct.server.mail.model import MailConfiguration

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")
AT_HOME, ONLINE = (
    re.findall(r"```http\n(.*?)```", part, re.DOTALL) for part in re.split(r"^## Online$", PAGE, flags=re.MULTILINE)
)
EXAMPLES = [*AT_HOME, *ONLINE]
REQUEST = re.compile(r"^(GET|POST|PUT|PATCH|DELETE) (\S+)(?: (.*))?$", re.MULTILINE)
HEADER = re.compile(r"([A-Z][A-Za-z-]+): (.*)")
COOKIE = "punct_session"
IN_BETWEEN = ("thinking", "you", "presence", "probe", "lobby", "yours", "challenges", "appointments")
"""These come when they come."""


class Session:
    """A client that remembers what was made last. Online it has a cookie for each person, the first one Anna's."""

    def __init__(self, client: TestClient, *, online: bool = False) -> None:
        self.client = client
        evening = (datetime.now(UTC) + timedelta(days=1)).replace(hour=19, minute=0, second=0, microsecond=0)
        self.made = {"puzzle": puzzles.shipped()[0].id, "evening": evening.isoformat().replace("+00:00", "Z")}
        self.cookies: dict[str, str] = {}
        self.said = {"Origin": "http://testserver"} if online else {}

    def filled(self, written: str) -> str:
        """Put in what the page calls ``{id}``, ``{player}``, ``{puzzle}`` and so on."""
        return re.sub(r"\{(\w+)\}", lambda found: self.made.get(found[1], found[0]), written)

    def headers(self, given: dict[str, str] | None = None) -> dict[str, str]:
        """Return what a request says: with the cookie of whoever asks, by their name on the page."""
        said = {**self.said, **(given or {})}
        said.pop("Cookie", None)
        person = _person(given)
        if "Authorization" not in said and person in self.cookies:
            said["Cookie"] = f"{COOKIE}={self.cookies[person]}"
        return said

    def send(self, method: str, path: str, body: str | None, headers: dict[str, str] | None = None) -> Any:
        person = _person(headers)
        said = self.headers(headers)
        if body:
            said["Content-Type"] = "application/json"
        answer = self.client.request(method, self.filled(path), content=self.filled(body or "") or None, headers=said)
        self.client.cookies.clear()
        for cookie in answer.headers.get_list("set-cookie"):
            if cookie.startswith(f"{COOKIE}="):
                self.cookies[person] = cookie.partition("=")[2].partition(";")[0]
        self.remember(method, path, answer)
        return answer

    def remember(self, method: str, path: str, answer: Any) -> None:
        if not answer.content or not answer.headers.get("Content-Type", "").startswith("application/json"):
            return
        found = answer.json()
        assert isinstance(found, dict)
        if method == "POST" and answer.status_code == 201 and "id" in found:
            several = path.removeprefix("/api/v1/").partition("/")[0]
            kind = {"analyses": "analysis", "me": "alert"}.get(several, several.removesuffix("s"))
            self.made["id" if kind == "game" or path.endswith("/accept") else kind] = found["id"]
        if isinstance(found.get("player"), dict):
            self.made["player"] = found["player"]["id"]
        if isinstance(found.get("secret"), str):
            self.made["secret"] = found["secret"]


def _person(headers: dict[str, str] | None) -> str:
    return (headers or {}).get("Cookie", f"{COOKIE}=Anna").removeprefix(f"{COOKIE}=")


def lacks(found: object, expected: object, place: str = "") -> str | None:
    """Return where something expected is not found: fields may be left out of it, and the ends of lists."""
    if isinstance(expected, dict) and isinstance(found, dict):
        parts = [(found.get(key, "(missing)"), part, f"{place}.{key}") for key, part in expected.items()]
    elif isinstance(expected, list) and isinstance(found, list) and len(found) >= len(expected):
        parts = [(*pair, f"{place}[{at}]") for at, pair in enumerate(zip(found, expected, strict=False))]
    else:
        return None if found == expected else f"{place}: {found!r} is not {expected!r}"
    return next((lack for part in parts if (lack := lacks(*part))), None)


class RequestContext(NamedTuple):
    """A request as the page writes it."""

    method: str
    path: str
    headers: dict[str, str]
    body: str


def asked_in(example: str) -> RequestContext:
    """Return the request that an example begins with."""
    request, *rest = example.partition("\n\n")[0].splitlines()
    headers = {}
    while rest and (header := HEADER.fullmatch(rest[0])):
        headers[header[1]] = header[2]
        rest.pop(0)
    method, path = request.split(" ")
    return RequestContext(method, path, headers, "\n".join(rest))


def play_request(session: Session, example: str) -> None:
    method, path, written, body = asked_in(example)
    headers = {name: session.filled(value) for name, value in written.items()}
    expected, _, content = example.partition("\n\n")[2].partition("\n")
    status, _, media = expected.partition(" ")
    answer = session.send(method, path, body, headers)
    assert answer.status_code == int(status), answer.text
    if media:
        assert answer.headers["Content-Type"].startswith(media)
        for line in content.splitlines():
            assert line in answer.text
    elif content:
        expectation = json.loads(session.filled(content))
        assert (lack := lacks(answer.json(), expectation)) is None, f"{method} {path}{lack}"


def receive(socket: WebSocketTestSession, expected: dict[str, Any]) -> None:
    while True:  # however many tell of an engine that thinks: a busy machine is slow to have the move
        message = socket.receive_json()
        lack = lacks(message, expected)
        if lack is None:
            return
        assert message["type"] in IN_BETWEEN, f"{expected['type']}{lack}"


def play_live(session: Session, example: str) -> None:
    asked, _, talk = example.partition("\n\n")
    path, *rest = asked.removeprefix("WS ").splitlines()
    headers = {header[1]: header[2] for line in rest if (header := HEADER.fullmatch(line))}
    with session.client.websocket_connect(session.filled(path), headers=session.headers(headers)) as socket:
        for line in talk.splitlines():
            if line.startswith("< "):
                receive(socket, json.loads(session.filled(line[2:])))
            elif line.startswith("> "):
                socket.send_text(session.filled(line[2:]))
            else:
                found = REQUEST.fullmatch(line)
                assert found, line
                assert session.send(found[1], found[2], found[3]).is_success


def run(session: Session, examples: list[str]) -> None:
    for example in examples:
        (play_live if example.startswith("WS ") else play_request)(session, example)


def test_the_examples_of_the_page_are_right(empty_client: TestClient) -> None:
    run(Session(empty_client), AT_HOME)


def test_the_examples_of_the_page_are_right_online(tmp_path: Path) -> None:
    # Nobody answers there.
    mail = MailConfiguration("smtp://127.0.0.1:9", "punct@example.org", "https://punct.example.org")
    with TestClient(create_app(tmp_path, workers=1, online=True, mail=mail)) as client:
        run(Session(client, online=True), ONLINE)


def all_asked() -> Iterator[RequestContext]:
    """Yield every request on the page, also those that stand between live messages."""
    for example in EXAMPLES:
        if example.startswith("WS "):
            yield from (RequestContext(method, path, {}, body) for method, path, body in REQUEST.findall(example))
        else:
            yield asked_in(example)


def asked_of(path: str, method: str) -> list[RequestContext]:
    """Return the page's requests for an operation."""
    pattern = re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(path))
    return [
        asked
        for asked in all_asked()
        if asked.method == method.upper() and re.fullmatch(pattern, asked.path.partition("?")[0])
    ]


def test_every_operation_has_an_example() -> None:
    for path, operations in create_app().openapi()["paths"].items():
        for method in operations:
            assert asked_of(path, method), f"{method} {path}"


def test_every_body_has_an_example() -> None:
    """Also where it may be left out: somebody has to see what could be said."""
    found = 0
    for path, operations in create_app().openapi()["paths"].items():
        for method, operation in operations.items():
            if "requestBody" in operation:
                bodies = [json.loads(asked.body) for asked in asked_of(path, method) if asked.body]
                assert any(isinstance(body, dict) and body for body in bodies), f"{method} {path}"
                found += 1
    assert found > 20


@pytest.mark.parametrize("message", dict.fromkeys(get_args(LiveMessage) + get_args(LobbyMessage)))
def test_every_live_message_has_an_example(message: Any) -> None:
    kind = message.model_fields["type"].default
    assert any(f'< {{"type": "{kind}"' in example for example in EXAMPLES), kind


@pytest.mark.parametrize("message", get_args(LiveSaid))
def test_every_message_of_clients_has_an_example(message: Any) -> None:
    said = re.findall(r"^> (.*)$", "\n".join(EXAMPLES), re.MULTILINE)
    understood = []
    for text in said:
        with suppress(ValidationError):  # the page also shows what is refused
            understood.append(message.model_validate_json(text))
    assert understood, message.__name__
