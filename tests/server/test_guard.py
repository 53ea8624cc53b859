"""What no route should see: bodies too large, other sites, wrong names; and the headers of every answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from punct.server.api.app import create_app
from punct.server.api.guard import LARGEST_BODY, LARGEST_RECORDS

from .helpers import API, begin, look, refusal


@pytest.mark.parametrize(("path", "limit"), [("/games", LARGEST_BODY), ("/records", LARGEST_RECORDS)])
def test_bodies_too_large_are_refused(client: TestClient, path: str, limit: int) -> None:
    body = b'{"text": "' + b"x" * limit + b'"}'
    answer = client.post(f"{API}{path}", content=body)
    assert refusal((answer.status_code, answer.json())) == (413, "too_large")

    def pieces() -> Iterator[bytes]:  # sent without saying how long it is
        for start in range(0, len(body), 8192):
            yield body[start : start + 8192]

    answer = client.post(f"{API}{path}", content=pieces())
    assert refusal((answer.status_code, answer.json())) == (413, "too_large")


def test_other_sites_may_look_but_change_nothing(client: TestClient) -> None:
    game = begin(client)
    path = f"{API}/games/{game['id']}"
    for origin in ("https://elsewhere.example", "null", "http://testserver:81"):
        answer = client.post(f"{path}/resign", headers={"origin": origin})
        assert refusal((answer.status_code, answer.json())) == (403, "foreign_origin")
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"{path}/live", headers={"origin": origin}),
        ):
            pass
    assert look(client, game) == game
    assert client.get(path, headers={"origin": "https://elsewhere.example"}).status_code == 200
    assert client.post(f"{path}/resign", headers={"origin": "http://testserver"}).status_code == 200


def test_only_its_own_names_lead_to_a_private_server(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, hosts={"127.0.0.1", "localhost", "::1"})) as client:
        for host in ("localhost:8000", "127.0.0.1", "127.0.0.1:80", "[::1]:8000", "[::1]"):
            assert client.get(f"{API}/health", headers={"host": host}).status_code == 200, host
        for host in (
            "elsewhere.example",
            "elsewhere.example:8000",
            "127.0.0.1.elsewhere.example",
            "",
            "[",
            "\\",
            "]:1",
        ):
            assert client.get(f"{API}/health", headers={"host": host}).status_code == 403, host


def test_every_answer_has_safe_headers(client: TestClient) -> None:
    for path in ("/", f"{API}/health", f"{API}/nothing", "/assets/nothing.js"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get(f"{API}/health").headers["cache-control"] == "no-store"


def test_unknown_places_and_methods(client: TestClient) -> None:
    answer = client.get(f"{API}/nothing")
    assert refusal((answer.status_code, answer.json())) == (404, "not_found")
    answer = client.put(f"{API}/games", json={})
    assert refusal((answer.status_code, answer.json())) == (405, "method_not_allowed")
