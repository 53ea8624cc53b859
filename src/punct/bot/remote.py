"""A client for a server's API, with a player's token.

Requests are retried until they are answered, and live connections are reopened when they break.
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
_RESPONSE_TIMEOUT_SECONDS: Final = 30.0
_FIRST_BACKOFF_SECONDS, _MAX_BACKOFF_SECONDS = 0.5, 30.0
_RETRY_STATUSES: Final = frozenset({429, 502, 503, 504})
_REDIRECT_STATUSES: Final = frozenset({300, 301, 302, 303, 307, 308})
_PING_SECONDS: Final = 20.0
_MAX_MESSAGE_BYTES: Final = 1 << 22
_FINAL_CLOSE_CODES: Final = frozenset({4404, 1008})
"""How the server closes a connection that must not be reopened."""


class RemoteError(PunctError):
    """The server refused a request, or is not one for PÜNCT. The message is for people."""

    def __init__(self, message: str, status: int = 0, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.error_code = code
        """The server's error code, such as ``wrong_ply``."""


class _ConnectWithoutRedirects(connect):
    """Follows no redirects: an unknown server would get the token."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Return the error that is raised instead."""
        return exc


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The same for requests, whose headers would be sent along."""

    def redirect_request(self, *_: object) -> None:
        """Follow none: the response itself is returned."""


class Remote:
    """A server, and the token for it."""

    def __init__(self, address: str, token: str, notice: Callable[[str], object] = lambda text: None) -> None:
        """Take an address such as ``https://punct.example``; ``notice`` is called when it cannot be reached."""
        parts = urlsplit(address if "://" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise PunctError(f"{shorten(address)} is no server's address: write it as https://punct.example")
        self._http = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api/v1"
        self._socket = f"ws{self._http.removeprefix('http')}"
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "punct-bot"}
        self._notice = notice

    async def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request and return the response; raises RemoteError if it is refused.

        It is retried until it is answered, with an idempotency key, so that it takes effect only once.
        """
        headers = {**self._headers, "Idempotency-Key": secrets.token_urlsafe(18)}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(f"{self._http}{path}", data, headers, method=method)
        for wait in _backoff():
            status, answer, retry_after = await asyncio.to_thread(_send, request)
            if 200 <= status < 300:
                return answer
            details = answer.get("error")
            error: Json = details if isinstance(details, dict) else {}
            if status in _REDIRECT_STATUSES:
                raise RemoteError(_redirect_message(answer.get("location")), status)
            if status and status not in _RETRY_STATUSES:
                message = error.get("message") or f"the server answered {status}; is it one for PÜNCT?"
                raise RemoteError(str(message), status, str(error.get("code", "")))
            self._notice(error.get("message") or "the server cannot be reached; trying again")
            await asyncio.sleep(max(wait, retry_after))
        raise AssertionError("the backoff never ends")

    async def listen(self, path: str) -> AsyncGenerator[Json]:
        """Yield the messages of a live connection; when it breaks it is reopened, and starts from the beginning.

        Raises RemoteError when there is nothing to listen to any more.
        """
        waits = _backoff()
        while True:
            try:
                async with _ConnectWithoutRedirects(
                    f"{self._socket}{path}",
                    additional_headers=self._headers,
                    max_size=_MAX_MESSAGE_BYTES,
                    ping_interval=_PING_SECONDS,
                    ping_timeout=_PING_SECONDS,
                ) as socket:
                    async for text in socket:
                        waits = _backoff()
                        message = json.loads(text)
                        if message.get("type") == "probe":  # measures latency: send it back
                            await socket.send(json.dumps(message))
                        else:
                            yield message
                if socket.close_code in _FINAL_CLOSE_CODES:
                    raise RemoteError(socket.close_reason or "there is no such game", 404, "gone")
            except websockets.InvalidStatus as error:
                status = error.response.status_code
                if status in _REDIRECT_STATUSES:
                    raise RemoteError(_redirect_message(error.response.headers.get("Location")), status) from None
                if status not in _RETRY_STATUSES and status < 500:
                    raise RemoteError("the server does not let this token in here", status) from None
            except (OSError, TimeoutError, websockets.WebSocketException, ValueError):
                pass
            self._notice("the connection broke; trying again")
            await asyncio.sleep(next(waits))


def _backoff() -> Iterator[float]:
    """Yield the seconds to wait before each retry: exponential, with jitter."""
    wait = _FIRST_BACKOFF_SECONDS
    while True:
        yield wait * random.uniform(0.5, 1.0)
        wait = min(2 * wait, _MAX_BACKOFF_SECONDS)


_OPENER: Final = urllib.request.build_opener(_NoRedirects)


def _redirect_message(location: object) -> str:
    """Return the error message for a redirect."""
    where = shorten(str(location)) if location else "another address"
    return f"the server sends the bot on to {where}; if that is where it should play, give that address"


def _send(request: urllib.request.Request) -> tuple[int, Json, float]:
    """Return the status (0 without a response), the body, and the seconds of its Retry-After."""
    try:
        with _OPENER.open(request, timeout=_RESPONSE_TIMEOUT_SECONDS) as answer:
            return answer.status, _read(answer.read()), 0.0
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _REDIRECT_STATUSES:
                return error.code, {"location": error.headers.get("Location")}, 0.0
            retry_after = error.headers.get("Retry-After", "")
            return error.code, _read(error.read()), float(retry_after) if retry_after.isdigit() else 0.0
    except OSError:  # no network, no server, or a broken connection
        return 0, {}, 0.0


def _read(body: bytes) -> Json:
    try:
        data = json.loads(body) if body else {}
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
