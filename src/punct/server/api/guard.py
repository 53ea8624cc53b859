"""What every request passes before it reaches a route: where it comes from, how large and how slow it is.

And every answer on its way back: with safe headers, and in the one shape of errors whatever broke.
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

from punct.server.api import schemas
from punct.server.api.errors import (
    BadPathError,
    ClientGoneError,
    ForeignOriginError,
    NotHttpError,
    TooLargeError,
    TooSlowError,
    refused,
    told,
)
from punct.server.play.refusals import StoppingError

LARGEST_BODY: Final = 16 * 1024
LARGEST_RECORDS: Final = 1024 * 1024
LARGEST_ANALYSIS: Final = 256 * 1024
BODY_SECONDS: Final = 60.0
"""So long a request may take to arrive."""
RECORDS_PATH: Final = "/api/v1/records"
_ANALYSES: Final = re.compile(r"/api/v1/(?:analyses|records/convert|games/[^/]+/review)")
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]+)?")
REFUSED, BROKEN_DOWN = 1008, 1011
"""How a live connection is closed."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",  # the kernel in the page; it allows no other evaluation
            "worker-src 'self'",  # the kernel's, and the one that keeps the page for when there is no network
            "manifest-src 'self'",
            "img-src 'self' data: blob:",
            "style-src 'self' 'unsafe-inline'",  # for browsers that do not tell the next two apart
            "style-src-elem 'self'",
            "style-src-attr 'unsafe-inline'",  # by which pieces are placed
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
STYLED: Final = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
"""For what needs nothing but styles of its own, as a drawing that is looked at by itself."""
_ENCRYPTED: Final = {**HEADERS, "Strict-Transport-Security": "max-age=31536000"}
"""Whoever came encrypted shall not come otherwise again."""


class Guard:
    """Turns away what no route should see."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        """Guard an app; ``hosts`` are the names it answers to, besides any address in numbers; None for any."""
        self._app = app
        self._hosts = None if hosts is None else {_plain(name) for name in hosts}

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

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in (_ENCRYPTED if is_encrypted(scope) else HEADERS).items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            _check_path(scope)
            self._check_origin(scope)
            body = await _read_body(scope, receive)
            await self._app(scope, _Replay(body, receive), send_safely)
        except asyncio.CancelledError:  # the server ends, and has waited long enough
            if started:
                raise
            await refused(StoppingError())(scope, receive, send_safely)
        except Exception as error:
            if started:
                raise  # too late for another answer: the connection is closed
            await refused(error)(scope, receive, send_safely)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = False

        async def send_noting(message: Message) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            await send(message)

        try:
            _check_path(scope)
            self._check_origin(scope)
            await self._app(scope, receive, send_noting)
        except (WebSocketDisconnect, OSError):
            pass  # hung up in the middle of something
        except Exception as error:
            status, body = told(error)
            with contextlib.suppress(Exception):  # it may be closed, or half closed, already
                if accepted:
                    message = schemas.LiveError(error=body).model_dump_json()
                    await send({"type": "websocket.send", "text": message})
                await send({"type": "websocket.close", "code": REFUSED if status < 500 else BROKEN_DOWN})

    def _check_origin(self, scope: Scope) -> None:
        """Refuse what a page of another site sends in a visitor's name, and names that only point at this server."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) > 1:  # a proxy may have looked at the other one
            raise NotHttpError("A request has one Host; this one has several.")
        host = headers.get("host", "")
        if self._hosts is not None and not self._answers_to(host):
            raise ForeignOriginError(
                "This server does not answer to that name. Whoever runs it can let it: punct serve --name NAME."
            )
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in _SAFE_METHODS):
            return
        scheme, _, name = origin.partition("://")
        # A page that came without encryption may be anybody's. The other way round, a proxy has kept it to itself.
        if name != host or scheme not in (("https",) if is_encrypted(scope) else ("http", "https")):
            raise ForeignOriginError("A page of another site may not do this.")

    def _answers_to(self, host: str) -> bool:
        """Tell whether a Host is a name of ours or an address in numbers.

        Anybody can have a name of their own point at this machine, and their page then counts as ours. An address in
        numbers leads to itself alone.
        """
        named = _HOST.fullmatch(host)
        if named is None or self._hosts is None:
            return False
        try:
            ipaddress.IPv6Address(named[1]) if named[1] else ipaddress.IPv4Address(named[2])
        except ValueError:
            return _plain(named[1] or named[2]) in self._hosts
        return True


def _check_path(scope: Scope) -> None:
    """Refuse control characters: where one pattern's `$` ends before a line break, another's end is after it."""
    if _CONTROL.search(scope["path"]):
        raise BadPathError


def is_encrypted(scope: Scope) -> bool:
    """Tell whether a request came encrypted, to us or to the proxy that brings it."""
    return scope.get("scheme") in ("https", "wss")


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")


async def _refuse_other_sites(request: Request) -> None:
    """Refuse what is costly to another site's page, which could ask for it in a visitor's name without end.

    Browsers say where a request comes from; other programs say nothing, and may ask.
    """
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise ForeignOriginError("A page of another site may not ask for this; save a copy and show that.")


COSTLY: Final = (Depends(_refuse_other_sites),)
"""What routes depend on whose answers take work."""


def _largest(path: str) -> int:
    """Return how large a body may be."""
    if path == RECORDS_PATH:
        return LARGEST_RECORDS
    return LARGEST_ANALYSIS if _ANALYSES.fullmatch(path) else LARGEST_BODY


async def _read_body(scope: Scope, receive: Receive) -> bytes:
    """Read the whole body, unless it is too large or too slow."""
    limit = _largest(scope["path"])
    too_large = TooLargeError(f"This is too large: at most {limit // 1024} kB are taken in here.", limit=limit)
    length = Headers(scope=scope).get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > limit):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise ClientGoneError
                body += message.get("body", b"")
                if len(body) > limit:
                    raise too_large
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise TooSlowError from None


class _Replay:
    """Gives the app the body that was read, then whatever else comes."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}
