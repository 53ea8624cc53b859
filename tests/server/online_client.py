"""Several people on one server that is online, each with a browser of their own."""

from __future__ import annotations

import functools
import re
from http.cookies import SimpleCookie
from typing import Any

import httpx2 as httpx
from fastapi.routing import APIWebSocketRoute, iter_route_contexts
from pydantic import TypeAdapter
from starlette.testclient import TestClient

from punct.server.app import create_app
from punct.server.auth.routing import ApiRoute

API = "/api/v1"
ORIGIN = "http://testserver"
COOKIE = "punct_session"
PASSWORD = "three blue bridges"
"""Of every account."""
PROOF = {"password": PASSWORD}
"""What an account holder proves with it."""


class Browser:
    """Keeps its own cookie, and says whose page asks, as browsers do."""

    def __init__(self, client: TestClient, cookie: str | None = None) -> None:
        self.client, self.cookie = client, cookie

    @property
    def headers(self) -> dict[str, str]:
        """What every request of it says."""
        kept = {} if self.cookie is None else {"cookie": f"{COOKIE}={self.cookie}"}
        return {"origin": ORIGIN, **kept}

    def send(self, method: str, path: str, json: object = None, **headers: str) -> httpx.Response:
        """Ask for something under the API."""
        said = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        answer = self.client.request(method, f"{API}{path}", json=json, headers=said)
        self.client.cookies.clear()  # the client is everybody's
        check_described(method, path, answer)
        for written in answer.headers.get_list("set-cookie"):
            found = SimpleCookie(written)
            if COOKIE in found:
                self.cookie = found[COOKIE].value or None
        return answer

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.send("GET", path, **headers)

    def post(self, path: str, json: object = None, **headers: str) -> httpx.Response:
        return self.send("POST", path, json, **headers)

    def delete(self, path: str, json: object = None, **headers: str) -> httpx.Response:
        return self.send("DELETE", path, json, **headers)

    def token(self, *scopes: str, **wanted: object) -> Any:
        """Return a new token of an account holder's."""
        return self.post("/tokens", {"name": "program", "scopes": scopes, **PROOF, **wanted}).json()

    def me(self) -> Any:
        """Return who the server says it is; None if it knows nobody."""
        return self.get("/me").json()["player"]


@functools.cache
def api_routes() -> list[tuple[str, str, ApiRoute]]:
    """Return every route of the API for each of its methods: the method, a path that leads there, and the route."""
    routes = []
    for context in iter_route_contexts(create_app(online=True).routes):
        path, route = context.path or "", context.route
        if isinstance(route, APIWebSocketRoute) or not path.startswith("/api/"):
            continue
        assert isinstance(route, ApiRoute), path
        filled = path.replace("{form}", "svg").replace("{ply}", "1")
        routes += [(method, re.sub(r"\{\w+\}", "x" * 16, filled), route) for method in sorted(route.methods or ())]
    return routes


def check_described(method: str, path: str, answer: httpx.Response) -> None:
    """Hold what was granted to the model that the API's description promises."""
    if not answer.is_success or not answer.content or answer.headers["content-type"] != "application/json":
        return
    place = f"{API}{path.partition('?')[0]}"
    (route,) = (route for way, _, route in api_routes() if way == method and route.path_regex.match(place))
    model: TypeAdapter[Any] = TypeAdapter(route.response_model)
    assert answer.status_code == (route.status_code or 200)
    assert model.dump_python(model.validate_json(answer.content, strict=True), mode="json") == answer.json()


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code, after checking the one shape of errors."""
    body = answer.json()
    assert set(body) == {"error"} and set(body["error"]) == {"code", "message", "detail"}, body
    return answer.status_code, body["error"]["code"]
