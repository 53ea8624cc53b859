"""Requests that the OpenAPI document allows, and many it does not: never a crash, always a documented response."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.polling import TIMEOUT_SECONDS
from tests.server.server_process import request_json

from punct.server.app import create_app
from punct.server.run import browser_url, listen

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = 15
"""For each route and mode."""
UNTOUCHED = {"DELETE /api/v1/games/{game_id}", "POST /api/v1/games/{game_id}/hint"}
"""Asked for made-up games only: the others shall live, and a hint takes a second each."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a server in a thread, and yield its address."""
    with listen("127.0.0.1", 0) as listener:
        app = create_app(tmp_path_factory.mktemp("data"), workers=1)
        running = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield browser_url(listener).rstrip("/")
        finally:
            running.should_exit = True
            thread.join()


@pytest.fixture(scope="module")
def games(server: str) -> list[str]:
    """Return the ids of a game that has just begun, one with turns, one that is over, and one against the computer."""
    started = request_json(f"{server}/api/v1/games", {})
    played = request_json(f"{server}/api/v1/games", {})
    for ply, text in enumerate(["Ed5ne", "Tl5s", "d5-d6ne"]):
        request_json(f"{server}/api/v1/games/{played['id']}/turns", {"text": text, "ply": ply})
    over = request_json(f"{server}/api/v1/games", {})
    request_json(f"{server}/api/v1/games/{over['id']}/resign", {})
    computer = request_json(f"{server}/api/v1/games", {"seats": {"b": {"type": "engine", "level": 1}}})
    return [started["id"], played["id"], over["id"], computer["id"]]


SCHEMA = schemathesis.openapi.from_dict(create_app().openapi())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)]
SENT = [
    pytest.param(operation, mode, id=f"{operation.label} {mode.value}")
    for operation in OPERATIONS
    for mode in GenerationMode
    # What takes nothing cannot be asked wrongly.
    if mode is GenerationMode.POSITIVE or operation.body or operation.query or operation.path_parameters
]


def test_the_whole_openapi_document_is_parsed() -> None:
    assert len(OPERATIONS) == sum(len(methods) for methods in create_app().openapi()["paths"].values()) >= 19


@pytest.mark.parametrize(("operation", "mode"), SENT)
def test_no_request_breaks_the_server(operation: Any, mode: GenerationMode, server: str, games: list[str]) -> None:
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(operation.as_strategy(generation_mode=mode), st.sampled_from([None, *games]))
    def send(case: Any, game: str | None) -> None:
        if game is not None and "game_id" in case.path_parameters and operation.label not in UNTOUCHED:
            case.path_parameters["game_id"] = game  # made-up games are unknown: most requests are about a real one
        case.call_and_validate(base_url=server, checks=CHECKS, timeout=TIMEOUT_SECONDS)

    send()


def test_the_server_still_works_afterwards(server: str, games: list[str]) -> None:
    assert request_json(f"{server}/api/v1/health")["status"] == "ok"
    for game in games:
        assert request_json(f"{server}/api/v1/games/{game}")["id"] == game
