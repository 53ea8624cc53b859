"""Metrics, readiness, and request ids in the log."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, play_moves
from tests.server.online_client import Browser
from tests.server.two_player_games import json_of, start_game

from punct.server import log
from punct.server.app import create_app
from punct.server.db.errors import StoreBusyError
from punct.server.games.service import Games
from punct.server.log import REQUEST_ID
from punct.server.operations.routes import TOKEN_VARIABLE

HERE = ("127.0.0.1", 1234)
LOCALLY = {"Host": "127.0.0.1:8000"}


@pytest.fixture
def near(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path, workers=1), client=HERE)


def figure(text: str, name: str) -> float:
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


def test_metrics_need_this_machine_or_a_token(near: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with near as client:
        before = client.get("/metrics").text
        play_moves(client, create_game(client), "Ed5ne", "Tl5s")
        with client.websocket_connect(f"{API}/games/{create_game(client)['id']}/live"):
            after = client.get("/metrics").text
        assert figure(after, "punct_turns_total") - figure(before, "punct_turns_total") == 2
        assert figure(after, "punct_games_begun_total") - figure(before, "punct_games_begun_total") == 2
        assert figure(after, "punct_sockets ") == 1 and figure(after, "punct_games_watched ") == 1
        route = 'punct_request_seconds_count{method="POST",route="/api/v1/games/{game_id}/turns",status="200"}'
        assert figure(after, route) - figure(before, route) == 2
        assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 403
        monkeypatch.setenv(TOKEN_VARIABLE, "let-me")
        for given, status in (("Bearer let-me", 200), ("Bearer let-you", 403), ("", 403)):
            headers = {"X-Forwarded-For": "203.0.113.9", "Authorization": given}
            assert client.get("/metrics", headers=headers).status_code == status


def test_an_ended_game_is_counted_once(tmp_path: Path) -> None:
    """However much is offered and declined afterwards; but one that was taken back may come again."""
    resigned = 'punct_games_ended_total{ending="resignation"}'
    with TestClient(create_app(tmp_path, workers=1, online=True), client=HERE) as client:
        anna, ben = Browser(client), Browser(client)
        before = figure(client.get("/metrics", headers=LOCALLY).text, resigned)
        game = f"/games/{start_game(anna, ben)['id']}"
        json_of(ben.post(f"{game}/resign"))
        for _ in range(2):
            json_of(anna.post(f"{game}/offers", {"kind": "rematch"}))
            json_of(ben.delete(f"{game}/offers"))
        json_of(anna.post(f"{game}/offers", {"kind": "rematch"}))
        json_of(ben.post(f"{game}/offers/accept", {"kind": "rematch"}))
        assert figure(client.get("/metrics", headers=LOCALLY).text, resigned) == before + 1
        own = f"/games/{json_of(anna.post('/games', {}), 201)['id']}"
        json_of(anna.post(f"{own}/resign"))
        json_of(anna.post(f"{own}/undo"))
        json_of(anna.post(f"{own}/resign"))
        assert figure(client.get("/metrics", headers=LOCALLY).text, resigned) == before + 3


def test_health_and_readiness(near: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with near as client:
        assert client.get("/healthz").text == "ok\n"
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()) == (200, {"store": True, "broker": True, "proxy": True})

        def away() -> bool:
            raise StoreBusyError("away")

        store = client.app.state.services.get(Games)._store  # type: ignore[attr-defined]
        monkeypatch.setattr(store, "is_reachable", away)
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()) == (503, {"store": False, "broker": True, "proxy": True})
        assert client.get("/healthz").status_code == 200


def test_every_response_has_its_request_id(near: TestClient) -> None:
    with near as client:
        own = [client.get(f"{API}/health").headers["X-Request-Id"] for _ in range(2)]
        assert own[0] != own[1]
        assert (
            client.get(f"{API}/health", headers={"X-Request-Id": "from-proxy.7"}).headers["X-Request-Id"]
            == "from-proxy.7"
        )
        for senseless in ("two words", "x" * 65, 'a"b'):
            answer = client.get(f"{API}/health", headers={"X-Request-Id": senseless})
            assert answer.headers["X-Request-Id"] != senseless
        assert client.get("/no-such-page-at-all", headers={"X-Request-Id": "r"}).headers["X-Request-Id"] == "r"


def test_log_lines_of_live_connections_have_its_id(near: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[str | None] = []

    class Noting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            named.append(REQUEST_ID.get())

    with near as client:
        game = client.post(f"{API}/games", json={}).json()["id"]

        async def broken(game_id: str) -> None:
            raise ValueError("broken")

        monkeypatch.setattr(client.app.state.services.get(Games), "get", broken)  # type: ignore[attr-defined]
        noting = Noting(logging.ERROR)
        logging.getLogger().addHandler(noting)
        try:
            with client.websocket_connect(f"{API}/games/{game}/live", headers={"X-Request-Id": "live.1"}) as socket:
                assert (b"x-request-id", b"live.1") in (socket.extra_headers or [])
                assert socket.receive_json()["error"]["code"] == "internal"
        finally:
            logging.getLogger().removeHandler(noting)
    assert named == ["live.1"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_log_lines_have_the_request_id(form: log.LogFormat, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    monkeypatch.setattr("sys.stderr", stream)
    try:
        log.configure(form)
        token = REQUEST_ID.set("abc")
        logging.getLogger("punct.somewhere").warning("it is %s", "late")
        REQUEST_ID.reset(token)
        try:
            raise ValueError("broken")
        except ValueError:
            logging.getLogger("punct.somewhere").exception("elsewhere")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    written = stream.getvalue()
    if form == "text":
        assert "WARNING it is late [request abc]" in written and "ValueError: broken" in written
        return
    first, second = map(json.loads, written.splitlines())
    assert (first["level"], first["message"], first["request"]) == ("warning", "it is late", "abc")
    assert "request" not in second and "ValueError: broken" in second["error"]
