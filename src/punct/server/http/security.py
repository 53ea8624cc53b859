"""Security checks of every request before its route: path, host, origin, the body's size and how fast it arrives.

Every response gets security headers, and every error the one JSON shape, whatever has failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
from collections.abc import Collection
from typing import Final

from fastapi import Depends
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from punct.server.errors import StoppingError
from punct.server.http import schemas
from punct.server.http.errors import (
    BadPathError,
    ClientGoneError,
    ForeignOriginError,
    NotHttpError,
    TooLargeError,
    TooSlowError,
    describe_error,
    error_response,
)

MAX_BODY_BYTES: Final = 16 * 1024
MAX_RECORDS_BYTES: Final = 1024 * 1024
MAX_ANALYSIS_BYTES: Final = 256 * 1024
BODY_SECONDS: Final = 60.0
"""Within which a request's body must arrive."""
RECORDS_PATH: Final = "/api/v1/records"
_ANALYSIS_PATHS: Final = re.compile(r"/api/v1/(?:analyses|records/convert|games/[^/]+/(?:review|notebook))")
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]+)?")
CLOSE_POLICY_VIOLATION, CLOSE_INTERNAL_ERROR = 1008, 1011
"""Close codes of WebSockets (RFC 6455)."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Of requests that change nothing."""
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",  # for the kernel in the page; allows no eval of JavaScript
            "worker-src 'self'",  # the kernel's, and the service worker
            "manifest-src 'self'",
            "img-src 'self' data: blob:",
            "style-src 'self' 'unsafe-inline'",  # for browsers that do not know the next two
            "style-src-elem 'self'",
            "style-src-attr 'unsafe-inline'",  # which place the pieces
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
}
FRAME_ANYWHERE: Final = "frame-ancestors *"
"""In the policy of a document that may stand in frames of any site: an embedded board, and nothing else."""
STYLE_ONLY_CSP: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
}
"""For documents that need only styles of their own, such as a picture that is opened by itself."""
_HTTPS_HEADERS: Final = {**SECURITY_HEADERS, "Strict-Transport-Security": "max-age=31536000"}
"""A browser that came by HTTPS uses nothing else from then on."""


class SecurityMiddleware:
    """Refuses what no route should get, and completes every response."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        """Wrap an app; ``hosts`` are the host names it serves, besides any IP address; None for any."""
        self._app = app
        self._hosts = None if hosts is None else {_normalise(name) for name in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in (_HTTPS_HEADERS if is_https(scope) else SECURITY_HEADERS).items():
                    headers.setdefault(name, value)
                if FRAME_ANYWHERE in headers["Content-Security-Policy"]:
                    del headers["X-Frame-Options"]  # which cannot allow it
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            _check_path(scope)
            self._check_origin(scope)
            body = await _read_body(scope, receive)
            await self._app(scope, _Replay(body, receive), send_with_headers)
        except asyncio.CancelledError:  # the server stops, and has waited long enough
            if started:
                raise
            await error_response(StoppingError())(scope, receive, send_with_headers)
        except Exception as error:
            if started:
                raise  # too late for another response: the connection is closed
            await error_response(error)(scope, receive, send_with_headers)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = False

        async def send_and_record(message: Message) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            await send(message)

        try:
            _check_path(scope)
            self._check_origin(scope)
            await self._app(scope, receive, send_and_record)
        except (WebSocketDisconnect, OSError):
            pass  # the client has disconnected
        except Exception as error:
            status, body = describe_error(error)
            with contextlib.suppress(Exception):  # it may be closed, or half closed, already
                if accepted:
                    message = schemas.LiveError(error=body).model_dump_json()
                    await send({"type": "websocket.send", "text": message})
                await send(
                    {
                        "type": "websocket.close",
                        "code": CLOSE_POLICY_VIOLATION if status < 500 else CLOSE_INTERNAL_ERROR,
                    }
                )

    def _check_origin(self, scope: Scope) -> None:
        """Refuse requests of other sites' pages in a user's name (CSRF), and host names of others (DNS rebinding)."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) > 1:  # a proxy may have used the other one
            raise NotHttpError("A request has one Host; this one has several.")
        host = headers.get("host", "")
        if self._hosts is not None and not self._serves_host(host):
            raise ForeignOriginError(
                "This server does not answer to that name. Whoever runs it can let it: punct serve --name NAME."
            )
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in SAFE_METHODS):
            return
        scheme, _, name = origin.partition("://")
        # A page that came without encryption may be an attacker's. The other way round, a proxy has not said https.
        if name != host or scheme not in (("https",) if is_https(scope) else ("http", "https")):
            raise ForeignOriginError("A page of another site may not do this.")

    def _serves_host(self, host: str) -> bool:
        """Tell whether a Host is one of the server's names or an IP address.

        An attacker can have a name of their own resolve to this machine: their page then has the same origin as ours
        (DNS rebinding). An IP address resolves to nothing but itself.
        """
        match = _HOST.fullmatch(host)
        if match is None or self._hosts is None:
            return False
        try:
            ipaddress.IPv6Address(match[1]) if match[1] else ipaddress.IPv4Address(match[2])
        except ValueError:
            return _normalise(match[1] or match[2]) in self._hosts
        return True


def _check_path(scope: Scope) -> None:
    """Refuse control characters: some patterns' `$` matches before a final line break, others' only after it."""
    if _CONTROL.search(scope["path"]):
        raise BadPathError


def is_https(scope: Scope) -> bool:
    """Tell whether a request came by HTTPS, to this server or to the proxy that forwards it."""
    return scope.get("scheme") in ("https", "wss")


def _normalise(name: str) -> str:
    return name.lower().removesuffix(".")


async def _refuse_other_sites(request: Request) -> None:
    """Refuse the pages of other sites, which could make costly requests in a visitor's name without end.

    Browsers send where a request comes from; other programs do not, and are served.
    """
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise ForeignOriginError("A page of another site may not ask for this; save a copy and show that.")


SAME_SITE_ONLY: Final = (Depends(_refuse_other_sites),)
"""The dependencies of routes that take much work."""


def _max_body_bytes(path: str) -> int:
    """Return how large the body of a request to a path may be."""
    if path == RECORDS_PATH:
        return MAX_RECORDS_BYTES
    return MAX_ANALYSIS_BYTES if _ANALYSIS_PATHS.fullmatch(path) else MAX_BODY_BYTES


async def _read_body(scope: Scope, receive: Receive) -> bytes:
    """Return the whole body; raises TooLargeError, TooSlowError."""
    limit = _max_body_bytes(scope["path"])
    length = Headers(scope=scope).get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > limit):
        raise _too_large(limit)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise ClientGoneError
                body += message.get("body", b"")
                if len(body) > limit:
                    raise _too_large(limit)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise TooSlowError from None


def _too_large(limit: int) -> TooLargeError:
    return TooLargeError(f"This is too large: at most {limit // 1024} kB are taken in here.", limit=limit)


class _Replay:
    """Sends the app the body that was read already, then the messages that follow."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
