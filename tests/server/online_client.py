"""Browsers of several people at one server that is online: each keeps its own cookie."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import httpx2 as httpx
from fastapi.routing import APIWebSocketRoute, iter_route_contexts
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from punct.server.accounts.service import Accounts
from punct.server.app import create_app
from punct.server.auth.routing import ApiRoute
from punct.server.auth.sessions import Sessions

API = "/api/v1"
ORIGIN = "http://testserver"
COOKIE = "punct_session"
PASSWORD = "three blue bridges"
"""The password of every account."""
PROOF = {"password": PASSWORD}
"""The fields by which an account holder confirms it."""


class Browser:
    """Keeps its own cookie, and sends the page's origin, as browsers do."""

    def __init__(self, client: TestClient, cookie: str | None = None) -> None:
        self.client, self.cookie = client, cookie

    @property
    def headers(self) -> dict[str, str]:
        """Headers of every request."""
        cookie = {} if self.cookie is None else {"cookie": f"{COOKIE}={self.cookie}"}
        return {"origin": ORIGIN, **cookie}

    def send(self, method: str, path: str, json: object = None, **headers: str) -> httpx.Response:
        """Send a request to the API, and keep the cookie it sets."""
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        response = self.client.request(method, f"{API}{path}", json=json, headers=sent)
        self.client.cookies.clear()  # the client is everybody's
        check_against_schema(method, path, response)
        for header in response.headers.get_list("set-cookie"):
            cookies = SimpleCookie(header)
            if COOKIE in cookies:
                self.cookie = cookies[COOKIE].value or None
        return response

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.send("GET", path, **headers)

    def post(self, path: str, json: object = None, **headers: str) -> httpx.Response:
        return self.send("POST", path, json, **headers)

    def delete(self, path: str, json: object = None, **headers: str) -> httpx.Response:
        return self.send("DELETE", path, json, **headers)

    def token(self, *scopes: str, **options: object) -> Any:
        """Create an API token of this account."""
        return self.post("/tokens", {"name": "program", "scopes": scopes, **PROOF, **options}).json()

    def me(self) -> Any:
        """Return the player of this session; None without one."""
        return self.get("/me").json()["player"]


@functools.cache
def api_routes() -> list[tuple[str, str, ApiRoute]]:
    """Return every route of the API for each of its methods: the method, a path that matches, and the route."""
    routes = []
    for context in iter_route_contexts(create_app(online=True).routes):
        path, route = context.path or "", context.route
        if isinstance(route, APIWebSocketRoute) or not path.startswith("/api/"):
            continue
        assert isinstance(route, ApiRoute), path
        filled = path.replace("{form}", "svg").replace("{ply}", "1")
        routes += [(method, re.sub(r"\{\w+\}", "x" * 16, filled), route) for method in sorted(route.methods or ())]
    return routes


def check_against_schema(method: str, path: str, response: httpx.Response) -> None:
    """Check a successful response against the schema of its route."""
    if not response.is_success or not response.content or response.headers["content-type"] != "application/json":
        return
    full_path = f"{API}{path.partition('?')[0]}"
    (route,) = (route for listed, _, route in api_routes() if listed == method and route.path_regex.match(full_path))
    model: TypeAdapter[Any] = TypeAdapter(route.response_model)
    assert response.status_code == (route.status_code or 200)
    assert model.dump_python(model.validate_json(response.content, strict=True), mode="json") == response.json()


def error_of(response: httpx.Response) -> tuple[int, str]:
    """Return status and code of an error, after checking its fields."""
    body = response.json()
    assert set(body) == {"error"} and set(body["error"]) == {"code", "message", "detail"}, body
    return response.status_code, body["error"]["code"]


NewBrowser = Callable[[], Browser]

_count = 0


def create_account(new_browser: NewBrowser, **fields: str) -> tuple[Browser, str]:
    """Create an account; return a browser that is logged in to it, and the login."""
    global _count
    _count += 1
    login = f"anna-{_count}"
    anna = new_browser()
    response = anna.post("/account", {"login": login, "password": PASSWORD, **fields})
    assert response.status_code == 201, response.text
    return anna, login


def log_in(browser: Browser, login: str, password: str = PASSWORD) -> tuple[int, str | None]:
    response = browser.post("/session", {"login": login, "password": password})
    return response.status_code, None if response.is_success else response.json()["error"]["code"]


def block_player(browser: Browser) -> None:
    """Block a player, as an administrator does."""
    services = browser.client.app.state.services  # type: ignore[attr-defined]
    services.get(Accounts)._store.set_blocked(browser.me()["id"], services.now()).result()
    services.get(Sessions).invalidate(browser.me()["id"])
