"""What tokens may call, by their scopes, and what a blocked player may call: for every route of the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args
from unittest import mock

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, PROOF, Browser, api_routes, error_of
from tests.server.two_player_games import json_of

from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.auth.model import TokenScope
from punct.server.auth.sessions import Sessions
from punct.server.games.service import Games
from punct.server.http.rate_limits import Limits

SCOPES = {
    "GET /games": "read",
    "GET /me/games": "read",
    "GET /me/games/download": "read",
    "POST /games": "challenge",
    "POST /games/{game_id}/turns": "play",
    "POST /games/{game_id}/undo": "play",
    "POST /games/{game_id}/redo": "play",
    "POST /games/{game_id}/resign": "play",
    "POST /games/{game_id}/draw": "play",
    "POST /games/{game_id}/abort": "play",
    "POST /games/{game_id}/offers": "play",
    "POST /games/{game_id}/offers/accept": "play",
    "DELETE /games/{game_id}/offers": "play",
    "POST /games/{game_id}/resume": "play",
    "POST /games/{game_id}/greetings": "play",
    "POST /games/{game_id}/hint": "play",
    "GET /games/{game_id}/plan": "play",
    "PUT /games/{game_id}/plan": "play",
    "DELETE /games/{game_id}/plan": "play",
    "POST /games/{game_id}/explain": None,
    "POST /positions/view": None,
    "POST /positions/explain": None,
    "POST /challenges": "challenge",
    "POST /challenges/{challenge_id}/accept": "challenge",
    "POST /challenges/{challenge_id}/decline": "challenge",
    "DELETE /challenges/{challenge_id}": "challenge",
    "POST /appointments": "challenge",
    "POST /appointments/{appointment_id}/accept": "challenge",
    "POST /appointments/{appointment_id}/decline": "challenge",
    "POST /appointments/{appointment_id}/cancel": "challenge",
    "DELETE /appointments/{appointment_id}": "challenge",
    "PUT /appointments/{appointment_id}/here": "challenge",
    "DELETE /appointments/{appointment_id}/here": "challenge",
    "GET /puzzles/standing": "read",
    "GET /me/habits": "read",
    "GET /me/relations": "read",
    "GET /players/{player_id}/relation": "read",
    "GET /me/seat-alerts": "read",
}
"""The scope that a route needs; None for any token. All other routes that read take any token, all others that write
take none: what concerns an account itself is for its owner, in a browser."""
EITHER = dict.fromkeys(
    (
        *("GET /me/challenges", "GET /me/appointments", "GET /appointments/{appointment_id}"),
        "GET /appointments/{appointment_id}/calendar.ics",
    ),
    ("read", "challenge"),
)
"""What a token with any of several scopes may read."""
PRIVATE = {"GET /games/{game_id}/notebook"}
"""Reads of what no token may read."""
OPEN_TO_BLOCKED = {
    *("DELETE /session", "DELETE /sessions", "DELETE /me", "POST /passkeys/proof/options", "POST /mail/unsubscribe"),
    "DELETE /push/devices/{device_id}",
}
"""What a blocked player may change: they may log out, delete their account, and stop messages."""


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server without rate limits."""
    monkeypatch.setattr(Limits, "hit", mock.AsyncMock())
    with TestClient(create_app(tmp_path, workers=1, online=True)) as client:
        yield client


def test_every_route_declares_its_scope() -> None:
    found = {
        f"{method} {route.path.removeprefix(API)}": route.required_scope
        for method, _, route in api_routes()
        if route.accepts_tokens(method) and (method != "GET" or route.required_scope is not None)
    }
    assert found == SCOPES


@pytest.mark.parametrize("scope", get_args(TokenScope))
def test_every_route_refuses_tokens_of_other_scopes(client: TestClient, scope: str) -> None:
    anna = Browser(client)
    json_of(anna.post("/account", {"login": "anna", **PROOF}), 201)
    headers = {"authorization": f"Bearer {anna.token(scope)['secret']}"}
    for method, path, route in api_routes():
        name = f"{method} {route.path.removeprefix(API)}"
        answer = client.request(method, path, headers=headers)
        is_refused = answer.status_code == 403 and error_of(answer)[1] == "not_in_scope"
        may = SCOPES[name] in (None, scope) if name in SCOPES else method == "GET" and name not in PRIVATE
        may = scope in EITHER[name] if name in EITHER else may
        assert is_refused != may, (name, answer.text[:200])


def test_a_blocked_player_may_only_read_and_leave(client: TestClient) -> None:
    services = client.app.state.services  # type: ignore[attr-defined]
    for method, path, route in api_routes():
        name = f"{method} {route.path.removeprefix(API)}"
        guest = Browser(client)
        player_id = json_of(guest.post("/me"))["player"]["id"]
        AccountStore(services.get(Games)._store.database).set_blocked(player_id, services.now()).result()
        services.get(Sessions).invalidate(player_id)
        answer = client.request(method, path, headers=guest.headers)
        client.cookies.clear()
        is_refused = answer.status_code == 403 and error_of(answer)[1] == "blocked"
        assert is_refused != (method == "GET" or name in OPEN_TO_BLOCKED), (name, answer.text[:200])
