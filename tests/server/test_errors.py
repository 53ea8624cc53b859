"""Faults of the server's own: answered in the one shape, without a word about its insides."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from punct.server.api import errors
from punct.server.api.app import create_app
from punct.server.opponents import refusals as opponents
from punct.server.play import refusals as play

from .helpers import API, begin, refusal


def test_what_nobody_expected_is_answered_in_the_one_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(tmp_path, workers=1), raise_server_exceptions=False) as client:
        game = begin(client)

        async def broken(*_: object) -> None:
            raise RuntimeError("SELECT secret FROM insides")

        with monkeypatch.context() as fault:
            fault.setattr(client.app.state.services.games, "get", broken)  # type: ignore[attr-defined]
            answer = client.get(f"{API}/games/{game['id']}")
        assert refusal((answer.status_code, answer.json())) == (500, "internal")
        assert "secret" not in answer.text and "RuntimeError" not in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert client.get(f"{API}/games/{game['id']}").status_code == 200


@pytest.mark.parametrize("module", [play, opponents, errors])
def test_every_refusal_has_its_status_and_code(module: object) -> None:
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, play.RefusalError) and kind is not play.RefusalError:
            error = kind.__new__(kind)
            error.message, error.detail = "No.", None
            assert 400 <= errors.refused(error).status_code < 600 and errors.code_of(error)
