"""Sends requests until they are answered, as a page does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from secrets import token_urlsafe
from types import MappingProxyType
from typing import Any, Final

from bench.chaos.report import Report
from bench.http import Client, Response

MAX_WAIT_SECONDS: Final = 180.0
"""Until a player who is never answered gives up: that is a failure."""
RESPONSE_TIMEOUT: Final = 60.0
"""Seconds until a player sends a request again: longer than the server takes, with everything it needs there, on
however slow a machine."""
RETRY_SECONDS: Final = 0.1


class InvalidError(AssertionError):
    """A request was answered with 422, and some players know why."""


class RefusedError(Exception):
    """A request was answered with 409 Conflict. ``is_first`` says that it was not sent before."""

    def __init__(self, path: str, is_first: bool) -> None:
        super().__init__(path)
        self.is_first = is_first


class Caller:
    """Sends requests of players."""

    def __init__(self, client: Client, report: Report) -> None:
        """Send by a client, and count in a report."""
        self._client, self._report = client, report

    async def create_guest(self) -> str:
        """Create a guest; return the session."""
        response = await self.request("POST", "/me", {})
        cookie = response.session_cookie()
        assert cookie is not None, response
        return cookie

    async def request_json(self, method: str, path: str, body: object, cookie: str) -> Any:
        """Send a request until it is answered; return the response's JSON."""
        return (await self.request(method, path, body, {"Cookie": cookie})).json()

    async def request(
        self, method: str, path: str, body: object, headers: Mapping[str, str] = MappingProxyType({})
    ) -> Response:
        """Send a request until it is answered, with one idempotency key. RefusedError: somebody else was first."""
        end, pause, is_first = time.monotonic() + MAX_WAIT_SECONDS, RETRY_SECONDS, True
        if method != "GET":
            headers = {**headers, "Idempotency-Key": token_urlsafe(12)}
        while time.monotonic() < end:
            try:
                response = await self._client.request(method, f"/api/v1{path}", body, headers, RESPONSE_TIMEOUT)
            except (OSError, ValueError) as error:  # nobody there, too late, or cut off in the middle of a response
                self._report.last_failures.append(f"{method} {path}: {error!r}")
            else:
                if response.status < 300:
                    return response
                if response.status == 409:
                    raise RefusedError(path, is_first)
                if response.status == 422:
                    raise InvalidError(response)
                if response.status < 500 and response.status != 429:
                    raise AssertionError(response)
                self._report.last_failures.append(f"{method} {path}: {response.status} {response.content[:200]!r}")
            self._report.retries += 1
            is_first = False
            await asyncio.sleep(pause)
            pause = min(1.0, pause * 1.5)
        raise TimeoutError
