"""Long work is not done on the event loop, where every move waits for it: checked by the thread it runs in."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from fastapi.exceptions import RequestValidationError
from starlette.testclient import TestClient
from tests.server.game_requests import API, create_game, error_of, event_loop_thread, play_moves, post_action

from punct.server import openapi
from punct.server.analyses import presenter as analysis_presenter
from punct.server.analyses import routes as analysis_routes
from punct.server.analyses import service as analysis_service
from punct.server.analyses.store import AnalysisStore
from punct.server.games import presenter as game_presenter
from punct.server.games import record_routes
from punct.server.games.store import GameStore
from punct.server.http import bodies
from punct.server.http.bodies import MAX_EVENT_LOOP_BYTES
from punct.server.http.security import MAX_RECORDS_BYTES

TWO_GAMES = "1. Ed5ne Tl5s *\n\n1. Ed5ne *\n"


def test_imports_are_processed_outside_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    notes = [
        record_threads(record_routes, "game_from_record"),
        record_threads(GameStore, "create"),
        record_threads(game_presenter, "imported_games"),
        record_threads(record_routes, "json_response"),
    ]
    assert empty_client.post(f"{API}/records", json={"text": TWO_GAMES}).status_code == 201
    for threads in notes:
        assert threads and event_loop_thread(empty_client) not in threads


def test_the_openapi_document_is_made_once_outside_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    threads = record_threads(openapi, "get_openapi")
    asked = record_threads(openapi, "openapi_document")
    first = empty_client.get(f"{API}/openapi.json")
    assert first.status_code == 200 and first.json()["paths"]["/api/v1/games"]
    for noted in (threads, asked):
        assert len(noted) == 1 and event_loop_thread(empty_client) not in noted
        noted.clear()
    assert empty_client.get(f"{API}/openapi.json").content == first.content
    assert not threads and not asked


def test_the_openapi_document_is_compressed_once(empty_client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []
    compress = gzip.compress

    def noted(content: bytes, *args: Any, **options: Any) -> bytes:
        packed.append(len(content))
        return compress(content, *args, **options)

    monkeypatch.setattr(gzip, "compress", noted)
    for _ in range(3):
        answer = empty_client.get(f"{API}/openapi.json", headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip" and answer.json()["paths"]
    plain = empty_client.get(f"{API}/openapi.json", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.content == answer.content
    assert packed == [len(plain.content)]


def test_only_small_responses_are_compressed_on_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    text = "1. Ed5ne *\n\n" * 100
    assert empty_client.post(f"{API}/records", json={"text": text}).status_code == 201
    threads = record_threads(zlib, "compressobj")
    large = empty_client.get(f"{API}/games?limit=100", headers={"accept-encoding": "gzip"})
    assert large.headers["content-encoding"] == "gzip" and len(large.content) > MAX_EVENT_LOOP_BYTES
    assert threads and event_loop_thread(empty_client) not in threads
    threads.clear()
    small = empty_client.get(f"{API}/games?limit=2", headers={"accept-encoding": "gzip"})
    assert small.headers["content-encoding"] == "gzip" and threads == {event_loop_thread(empty_client)}


def test_reviews_are_processed_outside_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    game = play_moves(empty_client, create_game(empty_client), "Ed5ne", "Tl10n")
    assert post_action(empty_client, game, "resign", {"colour": "w"})[0] == 200
    turns = [{"turn": text, "chance": 0.5, "given_away": 0.0} for text in ("Ed5ne", "Tl10n")]
    made = record_threads(analysis_service, "Review")
    written = [made, record_threads(analysis_service, "check_review"), record_threads(AnalysisStore, "store_review")]
    read = [made, record_threads(AnalysisStore, "review")]
    shown = [record_threads(analysis_presenter, "review"), record_threads(analysis_routes, "json_response")]
    path, review = f"{API}/games/{game['id']}/review", {"engine": "test", "nodes": 1, "start": 0.5, "turns": turns}
    for method, body, notes in (("PUT", review, written + shown), ("GET", None, read + shown)):
        assert empty_client.request(method, path, json=body).status_code == 200
        for threads in notes:
            assert threads and event_loop_thread(empty_client) not in threads
            threads.clear()


# ---------------------------------------------------------------------- what is sent


def test_large_bodies_are_parsed_outside_the_event_loop(
    empty_client: TestClient, record_threads: Callable[[object, str], set[int]]
) -> None:
    threads = record_threads(bodies, "count_values")
    for text, kind, status in (
        ("1. Ed5ne {" + "x" * MAX_EVENT_LOOP_BYTES + "} *", "application/json", 201),
        ("?" * MAX_EVENT_LOOP_BYTES, "Application/JSON; charset=utf-8", 422),
    ):
        sent = json.dumps({"text": text}).encode()
        answer = empty_client.post(f"{API}/records", content=sent, headers={"content-type": kind})
        assert answer.status_code == status and threads and event_loop_thread(empty_client) not in threads
        threads.clear()
    assert empty_client.post(f"{API}/records", json={"text": TWO_GAMES}).status_code == 201 and not threads


def full(*pieces: bytes) -> bytes:
    """Return as much of something between a beginning and an end as a body may hold."""
    first, each, last = pieces
    return first + each * ((MAX_RECORDS_BYTES - len(first) - len(last)) // len(each)) + last


@pytest.mark.parametrize(
    "body",
    [
        full(b'{"text":"*","x":[{}', b",{}", b"]}"),
        full(b'{"text":"*","x":[', b"[[],[]],", b"0]}"),
        full(b'{"text":"*","x":', b"[", b""),
        full(b'{"text":"*"', b',"x":0', b"}"),
        full(b'{"text":["*"', b',"*"', b"]}"),
        full(b'{"text":"', b'","', b'"}'),
        full(b"", b"{", b""),
    ],
    ids=["objects", "lists in lists", "a deep list", "names", "texts", "quotes", "braces"],
)
def test_bodies_with_too_many_parts_are_not_parsed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    """Read, half a million values keep the whole process busy, whichever thread does it."""

    def read(*_: object) -> None:
        raise AssertionError("it is read")

    with monkeypatch.context() as reading:
        reading.setattr(orjson, "loads", read)
        answer = client.post(f"{API}/records", content=body, headers={"content-type": "application/json"})
    assert error_of((answer.status_code, answer.json())) == (422, "malformed")
    assert answer.json()["error"]["detail"]["faults"] == [
        {"where": ["body"], "message": "There is too much in it: at most 50,000 values"}
    ]


def test_of_many_validation_errors_only_the_number_is_sent(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[int] = []

    def noted(faults: list[Any]) -> Exception:
        named.append(len(faults))
        return RequestValidationError(faults)

    monkeypatch.setattr(bodies, "RequestValidationError", noted)
    for count, told in ((bodies.MAX_FAULTS, 20), (bodies.MAX_FAULTS + 1, 1), (2000, 1)):
        body = {"text": "*", **{f"{number} {'x' * 400}": 0 for number in range(count)}}
        answer = client.post(f"{API}/records", json=body)
        assert error_of((answer.status_code, answer.json())) == (422, "malformed")
        assert len(answer.json()["error"]["detail"]["faults"]) == told
    assert named == [bodies.MAX_FAULTS, 1, 1]


def test_parts_of_a_body_are_counted() -> None:
    for told, count in (
        ({}, 1),
        ({"text": 'a "b", [c]: {d} \\'}, 1),
        ({"a": [1, 2, 3], "b": {"c": "\\"}}, 6),
        ([[]] * 9, 18),
    ):
        for indent in (None, 2):
            assert bodies.count_values(json.dumps(told, indent=indent).encode()) == count, told


@pytest.mark.parametrize(
    "body",
    [
        '{"text": 5, "pad": "PAD"}',
        '{"format": "text", "pad": "PAD"}',
        '{"text": "*", "format": "doc", "pad": "PAD"}',
        '["PAD"]',
        '"PAD"',
        '{"text": "PAD',
        '{"text": "PAD" "x"}',
        '{"text": "PAD\\ud800"}',
        "{'PAD'}",
    ],
)
def test_large_and_small_bodies_get_the_same_errors(client: TestClient, body: str) -> None:
    told = []
    for size in (100, 2 * MAX_EVENT_LOOP_BYTES):
        sent = body.replace("PAD", " " * size)
        answer = client.post(f"{API}/records", content=sent, headers={"content-type": "application/json"})
        assert error_of((answer.status_code, answer.json())) == (422, "malformed")
        told.append(re.sub(r"\d+", "", answer.text))  # where it is wrong in the text
    small, large = told
    assert small == large
