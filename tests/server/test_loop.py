"""What takes long is not done on the event loop, where everybody's turns wait for it: seen by the thread it runs in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from punct.server.api import openapi, present
from punct.server.api.routes import records
from punct.server.store import GameStore

from .helpers import API

TWO_GAMES = "1. Ed5ne Tl5s *\n\n1. Ed5ne *\n"


@pytest.fixture
def ran_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], set[int]]:
    """Have it noted in which threads a function runs."""

    def note(owner: object, name: str) -> set[int]:
        threads: set[int] = set()
        function: Callable[..., Any] = getattr(owner, name)

        def noted(*args: Any, **options: Any) -> Any:
            threads.add(threading.get_ident())
            return function(*args, **options)

        monkeypatch.setattr(owner, name, noted)
        return threads

    return note


def loop_of(client: TestClient) -> int:
    assert client.portal is not None
    return client.portal.call(threading.get_ident)


def test_an_import_is_not_gone_through_on_the_loop(
    empty_client: TestClient, ran_in: Callable[[object, str], set[int]]
) -> None:
    notes = [
        ran_in(records, "from_record"),
        ran_in(GameStore, "create"),
        ran_in(present, "summary"),
        ran_in(records, "json_answer"),
    ]
    assert empty_client.post(f"{API}/records", json={"text": TWO_GAMES}).status_code == 201
    for threads in notes:
        assert threads and loop_of(empty_client) not in threads


def test_the_description_is_not_worked_out_on_the_loop_and_once(
    empty_client: TestClient, ran_in: Callable[[object, str], set[int]]
) -> None:
    threads = ran_in(openapi, "get_openapi")
    asked = ran_in(openapi, "describe")
    first = empty_client.get(f"{API}/openapi.json")
    assert first.status_code == 200 and first.json()["paths"]["/api/v1/games"]
    for noted in (threads, asked):
        assert len(noted) == 1 and loop_of(empty_client) not in noted
        noted.clear()
    assert empty_client.get(f"{API}/openapi.json").content == first.content
    assert not threads and not asked
