"""Error responses: all have the same fields, and reveal no internals."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.game_requests import API, create_game, error_of

from punct.server.app import create_app
from punct.server.errors import RequestError
from punct.server.games.service import Games
from punct.server.http import errors as http_errors


def test_unexpected_errors_get_the_usual_error_body(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        game = create_game(client)

        async def broken(*_: object) -> None:
            raise RuntimeError("SELECT secret FROM insides")

        with monkeypatch.context() as fault:
            fault.setattr(client.app.state.services.get(Games), "get", broken)  # type: ignore[attr-defined]
            answer = client.get(f"{API}/games/{game['id']}")
        assert error_of((answer.status_code, answer.json())) == (500, "internal")
        assert "secret" not in answer.text and "RuntimeError" not in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert client.get(f"{API}/games/{game['id']}").status_code == 200


def test_unexpected_errors_of_live_connections_are_sent(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = create_game(client)

    async def broken(*_: object) -> None:
        raise LookupError("SELECT secret FROM insides")

    monkeypatch.setattr(client.app.state.services.get(Games), "get", broken)  # type: ignore[attr-defined]
    with client.websocket_connect(f"{API}/games/{game['id']}/live") as live:
        told = live.receive_json()
        assert told["type"] == "error" and told["error"]["code"] == "internal" and "secret" not in str(told)
        with pytest.raises(WebSocketDisconnect) as closed:
            live.receive_json()
        assert closed.value.code == 1011
    assert "secret" in caplog.text  # the log knows


def test_errors_of_middleware_get_the_usual_error_body(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise LookupError("secret")

    monkeypatch.setattr("punct.server.http.security._read_body", broken)
    with TestClient(create_app(tmp_path)) as client:
        answer = client.get(f"{API}/health")
    assert error_of((answer.status_code, answer.json())) == (500, "internal") and "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff" and answer.headers["cache-control"] == "no-store"


def test_every_error_code_is_documented() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "http-api.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| (\d{3}|any other) \| (`.*) \|$", page, re.MULTILINE))
    for kind in request_errors():
        assert f"`{kind.code}`" in table[str(kind.status)], kind
    named = re.findall(r'code="(\w+)"', inspect.getsource(http_errors))
    others = [
        *http_errors._PUNCT_ERRORS.values(),
        *http_errors._STORE_ERRORS.values(),
        *http_errors._HTTP_ERRORS.values(),
        *named,
    ]
    others += ["invalid", "refused", "store_failed"]
    assert len(others) > 15
    for code in others:
        assert any(f"`{code}`" in codes for codes in table.values()), code


def request_errors(base: type[RequestError] = RequestError) -> Iterator[type[RequestError]]:
    """Go through every kind of request error that can be raised: those without subclasses."""
    for kind in base.__subclasses__():
        if kind.__subclasses__():
            yield from request_errors(kind)
        elif kind.__module__.startswith("punct."):
            yield kind


def test_every_request_error_has_its_status_and_code() -> None:
    kinds = list(request_errors())
    assert len(kinds) > 40
    for kind in kinds:
        assert 400 <= kind.status < 600 and kind.code and kind.code != "internal", kind


@pytest.mark.parametrize(
    ("position", "fault", "token"),
    [
        ("chess w", "beginning", "chess"),
        ("standard x", "beginning", "x"),
        ("standard w wTa9n", "space", "a9"),
        ("standard w wXd5n", "piece", "wXd5n"),
        ("standard w wTd5q", "piece", "wTd5q"),
        ("standard w piece", "piece", "piece"),
        ("standard w wEa2s", "off_board", "wEa2s"),
        ("standard w wTd5n wEd5n", "support", "wEd5n"),
        ("standard w wCd5n wCd9n wCg9n", "too_many", "wCg9n"),
    ],
)
def test_position_errors_carry_what_translations_need(
    client: TestClient, position: str, fault: str, token: str
) -> None:
    answer = client.post(f"{API}/positions/view", json={"position": position, "turns": []})
    assert error_of((answer.status_code, answer.json())) == (422, "invalid_position")
    assert answer.json()["error"]["detail"] == {"fault": fault, "token": token}


@pytest.mark.parametrize(
    ("text", "fault", "token", "line", "game", "reason"),
    [
        ("1. Ed5ne Ed5ne *", "word", "Ed5ne", 1, 1, "SPACE_TAKEN"),
        ("1. Ed5ne\nhello *", "turn", "hello", 2, 1, None),
        ('1. Ed5ne *\n\n[White "Ben"]\n\n1. Ta9n *', "space", "a9", 5, 2, None),
        ("(;GM[1]SZ[9])", "other_game", "GM[1]", 1, 1, None),
        (" ", "empty", "", None, None, None),
    ],
)
def test_record_errors_carry_what_translations_need(
    client: TestClient, text: str, fault: str, token: str, line: int | None, game: int | None, reason: str | None
) -> None:
    answer = client.post(f"{API}/records", json={"text": text})
    assert error_of((answer.status_code, answer.json())) == (422, "invalid_record")
    expected = {"fault": fault, "token": token, "line": line, "game": game, "reason": reason}
    assert answer.json()["error"]["detail"] == expected
