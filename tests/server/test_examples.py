"""The examples of the API's page are sent in its order, as one session, and answered as it says; none is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from punct.server.api.app import create_app
from punct.server.api.schemas import LiveMessage

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "http-api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```http\n(.*?)```", PAGE, re.DOTALL)
REQUEST = re.compile(r"^(GET|POST|DELETE) (\S+)(?: (.*))?$", re.MULTILINE)
MOST_NEWS = 200
"""How many messages about thinking may come before the one that is expected."""


class Session:
    """A client that remembers which game it began last."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.game = ""

    def path(self, written: str) -> str:
        return written.replace("{id}", self.game)

    def send(self, method: str, path: str, body: str | None) -> Any:
        headers = {"Content-Type": "application/json"} if body else {}
        answer = self.client.request(method, self.path(path), content=body or None, headers=headers)
        if (method, path, answer.status_code) == ("POST", "/api/v1/games", 201):
            self.game = answer.json()["id"]
        return answer


def lacks(found: object, expected: object, place: str = "") -> str | None:
    """Return where something expected is not found: fields may be left out of it, and the ends of lists."""
    if isinstance(expected, dict) and isinstance(found, dict):
        parts = [(found.get(key, "(missing)"), part, f"{place}.{key}") for key, part in expected.items()]
    elif isinstance(expected, list) and isinstance(found, list) and len(found) >= len(expected):
        parts = [(*pair, f"{place}[{at}]") for at, pair in enumerate(zip(found, expected, strict=False))]
    else:
        return None if found == expected else f"{place}: {found!r} is not {expected!r}"
    return next((lack for part in parts if (lack := lacks(*part))), None)


def play_request(session: Session, example: str) -> None:
    asked, _, answered = example.partition("\n\n")
    request, _, body = asked.partition("\n")
    method, path = request.split(" ")
    expected, _, content = answered.partition("\n")
    status, _, media = expected.partition(" ")
    answer = session.send(method, path, body)
    assert answer.status_code == int(status), answer.text
    if media:
        assert answer.headers["Content-Type"].startswith(media)
        for line in content.splitlines():
            assert line in answer.text
    else:
        assert (lack := lacks(answer.json(), json.loads(content))) is None, f"{request}{lack}"


def receive(socket: WebSocketTestSession, expected: dict[str, Any]) -> None:
    for _ in range(MOST_NEWS):
        message = socket.receive_json()
        lack = lacks(message, expected)
        if lack is None:
            return
        assert message["type"] == "thinking", f"{expected['type']}{lack}"
    raise AssertionError(f"nothing came like {expected}")


def play_live(session: Session, example: str) -> None:
    asked, _, talk = example.partition("\n\n")
    with session.client.websocket_connect(session.path(asked.removeprefix("WS "))) as socket:
        for line in talk.splitlines():
            if line.startswith("< "):
                receive(socket, json.loads(line[2:]))
            elif line.startswith("> "):
                socket.send_text(line[2:])
            else:
                found = REQUEST.fullmatch(line)
                assert found, line
                assert session.send(found[1], found[2], found[3]).is_success


def test_the_page_is_right(empty_client: TestClient) -> None:
    session = Session(empty_client)
    for example in EXAMPLES:
        (play_live if example.startswith("WS ") else play_request)(session, example)


def test_every_operation_has_an_example() -> None:
    asked = {(method, path.partition("?")[0]) for method, path, _ in REQUEST.findall("\n".join(EXAMPLES))}
    for path, operations in create_app().openapi()["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", r"[^/]+", re.escape(path))
        for method in operations:
            assert any(said == method.upper() and re.fullmatch(pattern, at) for said, at in asked), f"{method} {path}"


@pytest.mark.parametrize("message", get_args(LiveMessage))
def test_every_live_message_has_an_example(message: Any) -> None:
    kind = message.model_fields["type"].default
    assert any(f'< {{"type": "{kind}"' in example for example in EXAMPLES), kind
