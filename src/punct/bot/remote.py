"""A server somewhere else, spoken to in a player's name.

Requests are repeated until they are answered, and live connections come back by themselves.
"""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import websockets
from websockets.asyncio.client import connect

from punct.errors import PunctError, shorten

Json = dict[str, Any]
_ANSWER_SECONDS: Final = 30.0
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
_TRY_AGAIN: Final = frozenset({429, 502, 503, 504})
"""Refusals that say: not now."""
_MOVED: Final = frozenset({300, 301, 302, 303, 307, 308})
"""Answers that send elsewhere."""
_HEARTBEAT: Final = 20.0


class RemoteError(PunctError):
    """The server refused something, or what answers there is no server of ours. The message is for people."""

    def __init__(self, message: str, status: int = 0, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.refused = code
        """The server's word for it, as ``wrong_ply``."""


class _Connect(connect):
    """Follows nobody to another address: what answers there could be anybody, and would be told the token."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return what is raised instead."""
        return exc


class _Stay(urllib.request.HTTPRedirectHandler):
    """Likewise for requests, whose headers would all go along."""

    def redirect_request(self, *_: object) -> None:
        """Follow none: the answer itself is returned."""


class Remote:
    """A server, and the token with which to speak to it."""

    def __init__(self, address: str, token: str, notice: Callable[[str], object] = lambda text: None) -> None:
        """Take an address such as ``https://punct.example``; ``notice`` is told when the server cannot be reached."""
        parts = urlsplit(address if "://" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise PunctError(f"{shorten(address)} is no server's address: write it as https://punct.example")
        self._http = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v1"
        self._socket = f"ws{self._http.removeprefix('http')}"
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "punct-bot"}
        self._notice = notice

    async def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Ask for something and return the answer; raises RemoteError if it is refused.

        As long as nobody answers it is asked again. It carries a key, so that it is not done twice.
        """
        headers = {**self._headers, "Idempotency-Key": secrets.token_urlsafe(18)}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(f"{self._http}{path}", data, headers, method=method)
        for wait in _waits():
            status, answer, later = await asyncio.to_thread(_ask, request)
            if 200 <= status < 300:
                return answer
            told = answer.get("error")
            error: Json = told if isinstance(told, dict) else {}
            if status in _MOVED:
                raise RemoteError(_moved(answer.get("location")), status)
            if status and status not in _TRY_AGAIN:
                message = error.get("message") or f"the server answered {status}; is it one for PÜNCT?"
                raise RemoteError(str(message), status, str(error.get("code", "")))
            self._notice(error.get("message") or "the server cannot be reached; trying again")
            await asyncio.sleep(max(wait, later))
        raise AssertionError("the waits never end")

    async def listen(self, path: str) -> AsyncGenerator[Json]:
        """Yield every message of a live connection; when it breaks it is opened again, where all begins anew.

        Raises RemoteError when there is nothing to listen to any more.
        """
        waits = _waits()
        while True:
            try:
                async with _Connect(
                    f"{self._socket}{path}",
                    additional_headers=self._headers,
                    max_size=1 << 22,
                    ping_interval=_HEARTBEAT,
                    ping_timeout=_HEARTBEAT,
                ) as socket:
                    async for text in socket:
                        waits = _waits()
                        message = json.loads(text)
                        if message.get("type") == "probe":  # how long the way is: asked, answered
                            await socket.send(json.dumps(message))
                        else:
                            yield message
                if socket.close_code in _FINAL:
                    raise RemoteError(socket.close_reason or "there is no such game", 404, "gone")
            except websockets.InvalidStatus as error:
                status = error.response.status_code
                if status in _MOVED:
                    raise RemoteError(_moved(error.response.headers.get("Location")), status) from None
                if status not in _TRY_AGAIN and status < 500:
                    raise RemoteError("the server does not let this token in here", status) from None
            except (OSError, TimeoutError, websockets.WebSocketException, ValueError):
                pass
            self._notice("the connection broke; trying again")
            await asyncio.sleep(next(waits))


_FINAL: Final = frozenset({4404, 1008})
"""How the server closes a connection that need not be opened again."""


def _waits() -> Iterator[float]:
    """Yield how long to wait before each further try: longer and longer, never in step with others."""
    wait = _FIRST_WAIT
    while True:
        yield wait * random.uniform(0.5, 1.0)
        wait = min(2 * wait, _LONGEST_WAIT)


_OPENER: Final = urllib.request.build_opener(_Stay)


def _moved(location: object) -> str:
    """Return what to tell of a server that sends elsewhere."""
    where = shorten(str(location)) if location else "another address"
    return f"the server sends the bot on to {where}; if that is where it should play, give that address"


def _ask(request: urllib.request.Request) -> tuple[int, Json, float]:
    """Return the status (0 if nobody answers), the answer, and how many seconds to wait before asking again."""
    try:
        with _OPENER.open(request, timeout=_ANSWER_SECONDS) as answer:
            return answer.status, _read(answer.read()), 0.0
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _MOVED:
                return error.code, {"location": error.headers.get("Location")}, 0.0
            later = error.headers.get("Retry-After", "")
            return error.code, _read(error.read()), float(later) if later.isdigit() else 0.0
    except OSError:  # no network, no server, or one that hung up
        return 0, {}, 0.0


def _read(body: bytes) -> Json:
    try:
        found = json.loads(body) if body else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
