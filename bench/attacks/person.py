"""Somebody with a browser at an address of their own, brought by a proxy that says so."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any, Final

from bench.attacks.harness import API, Server

NAME: Final = "punct.example"
"""By which the server is reached."""
PASSWORD: Final = "three blue bridges"
"""Of every account."""
_NUMBERS: Final = itertools.count(1)


@dataclass
class Person:
    """Keeps cookies, and sends the page's origin, as browsers do."""

    server: Server
    address: str
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
        """Send a request to the API; headers take the place of those a browser and its proxy would send."""
        sent = {"Host": NAME, "Origin": f"https://{NAME}", "X-Forwarded-Proto": "https"}
        sent |= {"X-Forwarded-For": self.address}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        status, head, content = self.server.exchange(method, API + path, body, sent)
        for header in head.get_all("Set-Cookie", []):
            for name, morsel in SimpleCookie(header).items():
                self.cookies[name] = morsel.value
        return status, content

    def sign_up(self) -> str:
        """Create an account; return its login."""
        login = f"anna-{next(_NUMBERS)}"
        status, body = self.send("POST", "/account", {"login": login, "password": PASSWORD})
        assert status == 201, body
        return login

    def log_in(self, login: str, password: str = PASSWORD) -> tuple[int, bytes]:
        """Try to log in."""
        return self.send("POST", "/session", {"login": login, "password": password})

    def me(self) -> Any:
        """Return the player of this session; None without one."""
        return json.loads(self.send("GET", "/me")[1])["player"]


def new_person(server: Server) -> Person:
    """Return somebody at an address from which nobody has come yet."""
    number = next(_NUMBERS)
    return Person(server, f"198.18.{number // 250}.{number % 250 + 1}")
