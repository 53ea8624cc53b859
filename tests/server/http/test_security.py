"""Requests that no route should get: too large, of other origins, for other hosts; and headers of every response."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from tests.server.game_requests import API, create_game, error_of, get_game

from punct.server.app import create_app
from punct.server.http.security import MAX_BODY_BYTES, MAX_RECORDS_BYTES, SecurityMiddleware


@pytest.mark.parametrize(("path", "limit"), [("/games", MAX_BODY_BYTES), ("/records", MAX_RECORDS_BYTES)])
def test_bodies_too_large_are_refused(client: TestClient, path: str, limit: int) -> None:
    body = b'{"text": "' + b"x" * limit + b'"}'
    answer = client.post(f"{API}{path}", content=body)
    assert error_of((answer.status_code, answer.json())) == (413, "too_large")

    def pieces() -> Iterator[bytes]:  # sent without saying how long it is
        for start in range(0, len(body), 8192):
            yield body[start : start + 8192]

    answer = client.post(f"{API}{path}", content=pieces())
    assert error_of((answer.status_code, answer.json())) == (413, "too_large")


def test_other_origins_may_read_but_not_write(client: TestClient) -> None:
    game = create_game(client)
    path = f"{API}/games/{game['id']}"
    for origin in ("https://elsewhere.example", "null", "http://testserver:81"):
        answer = client.post(f"{path}/resign", headers={"origin": origin})
        assert error_of((answer.status_code, answer.json())) == (403, "foreign_origin")
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"{path}/live", headers={"origin": origin}),
        ):
            pass
    assert get_game(client, game) == game
    assert client.get(path, headers={"origin": "https://elsewhere.example"}).status_code == 200
    assert client.post(f"{path}/resign", headers={"origin": "http://testserver"}).status_code == 200


def test_a_http_origin_cannot_write_over_https(client: TestClient) -> None:
    """Whoever listens may have made it. The other way round it was a proxy that kept the encryption to itself."""
    game = create_game(client)
    path = f"{API}/games/{game['id']}"
    for origin in ("http://testserver", "ws://testserver", "ftp://testserver", "testserver"):
        answer = client.post(f"https://testserver{path}/resign", headers={"origin": origin})
        assert error_of((answer.status_code, answer.json())) == (403, "foreign_origin")
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"wss://testserver{path}/live", headers={"origin": origin}),
        ):
            pass
    with client.websocket_connect(f"wss://testserver{path}/live", headers={"origin": "https://testserver"}):
        pass
    assert client.post(f"{path}/resign", headers={"origin": "https://testserver"}).status_code == 200
    answer = client.post(f"https://testserver{path}/undo", headers={"origin": "https://testserver"})
    assert answer.status_code == 200


@pytest.mark.parametrize("hosts", [{"localhost"}, {"localhost", "0.0.0.0", "Punct.Example"}])
def test_only_known_hosts_are_served(tmp_path: Path, hosts: set[str]) -> None:
    with TestClient(create_app(tmp_path, hosts=hosts)) as client:
        named = ("punct.example", "PUNCT.example.:8000")
        for host in ("localhost:8000", "LOCALHOST", "127.0.0.1", "127.0.0.1:80", "[::1]:8000", "[::1]", "192.0.2.7:9"):
            assert client.get(f"{API}/health", headers={"host": host}).status_code == 200, host
        for host in named:
            assert client.get(f"{API}/health", headers={"host": host}).status_code == (200 if len(hosts) > 1 else 403)
        for host in (
            "elsewhere.example",
            "elsewhere.example:8000",
            "127.0.0.1.elsewhere.example",
            "0x7f.1",
            "127.1",
            "[127.0.0.1]",
            "::1",
            "localhost.elsewhere.example",
            "",
            "[",
            "\\",
            "]:1",
        ):
            answer = client.get(f"{API}/health", headers={"host": host})
            assert error_of((answer.status_code, answer.json())) == (403, "foreign_origin"), host
            with (
                pytest.raises(WebSocketDisconnect),
                client.websocket_connect(f"{API}/games/x/live", headers={"host": host}),
            ):
                pass


def test_costly_requests_of_other_sites_are_refused(client: TestClient) -> None:
    game = create_game(client)
    costly = (
        f"{API}/games/{game['id']}/picture.png",
        f"{API}/picture.svg?position=standard w",
        f"{API}/games/{game['id']}/animation.gif",
        f"{API}/animation.gif?position=standard w&turns=Ed5ne",
        f"{API}/games/{game['id']}/record",
        f"{API}/explorer",
        f"{API}/results",
    )
    for path in costly:
        answer = client.get(path, headers={"sec-fetch-site": "cross-site"})
        assert error_of((answer.status_code, answer.json())) == (403, "foreign_origin")
        for site in ("same-origin", "same-site", "none"):
            assert client.get(f"{path}", headers={"sec-fetch-site": site}).status_code == 200
    assert client.get(f"{API}/health", headers={"sec-fetch-site": "cross-site"}).status_code == 200


def test_a_request_during_shutdown_gets_an_error() -> None:
    """After a while of waiting for it, the server cancels what is still under way."""
    sent: list[Message] = []

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    async def nothing_more() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def note(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        scope = {"type": "http", "method": "GET", "path": "/api/v1/games", "headers": []}
        task = asyncio.create_task(SecurityMiddleware(endless)(scope, nothing_more, note))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await task

    asyncio.run(run())
    assert sent[0]["status"] == 503 and b"stopping" in sent[1]["body"]


def test_every_response_has_security_headers(client: TestClient) -> None:
    for path in ("/", f"{API}/health", f"{API}/nothing", "/assets/nothing.js"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY" and "geolocation=()" in headers["permissions-policy"]
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "strict-transport-security" not in headers
        assert client.get(f"https://testserver{path}").headers["strict-transport-security"].startswith("max-age=")
    assert client.get(f"{API}/health").headers["cache-control"] == "no-store"


def test_content_security_policies_of_pages_and_drawings(client: TestClient) -> None:
    policy = client.get(f"{API}/health").headers["content-security-policy"]
    assert "style-src-elem 'self';" in policy and "style-src-attr 'unsafe-inline';" in policy
    for path in (f"{API}/games/{create_game(client)['id']}/picture.svg", f"{API}/picture.svg?position=standard w"):
        drawn = client.get(path)
        assert drawn.headers["content-security-policy"].startswith("default-src 'none'; style-src 'unsafe-inline'")
        assert drawn.text.startswith("<svg") and "<script" not in drawn.text


def test_unknown_paths_and_methods_are_refused(client: TestClient) -> None:
    answer = client.get(f"{API}/nothing")
    assert error_of((answer.status_code, answer.json())) == (404, "not_found")
    answer = client.put(f"{API}/games", json={})
    assert error_of((answer.status_code, answer.json())) == (405, "method_not_allowed")
