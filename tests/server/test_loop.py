"""What takes long is not done on the event loop, where everybody's turns wait for it: seen by the thread it runs in."""

from __future__ import annotations

from collections.abc import Callable

from starlette.testclient import TestClient

from punct.server.api import openapi, present
from punct.server.api.routes import records
from punct.server.store import GameStore

from .helpers import API, loop_of

TWO_GAMES = "1. Ed5ne Tl5s *\n\n1. Ed5ne *\n"


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
