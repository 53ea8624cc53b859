"""What every request passes before it reaches a route: where it comes from, how large it is; and safe headers."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from punct.server.api.errors import ForeignOriginError, TooLargeError, refused
from punct.server.play.refusals import RefusalError

LARGEST_BODY: Final = 16 * 1024
LARGEST_RECORDS: Final = 1024 * 1024
RECORDS_PATH: Final = "/api/v1/records"
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]+)?")
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "img-src 'self' data: blob:",
            "style-src 'self' 'unsafe-inline'",  # pieces are placed by style attributes; pictures carry a style element
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Turns away what no route should see. ``hosts`` are the names the server answers to; None for any."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None = None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "websocket":
            try:
                self._check_origin(scope)
            except RefusalError:
                await send({"type": "websocket.close", "code": 1008})
                return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._check_origin(scope)
            body = await _read_body(scope, receive)
        except RefusalError as error:
            await refused(error)(scope, receive, send_safely)
            return
        await self._app(scope, _Replay(body, receive), send_safely)

    def _check_origin(self, scope: Scope) -> None:
        """Refuse what a page of another site sends in a visitor's name, and names that only point at this server."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        named = _HOST.fullmatch(host)
        if self._hosts is not None and (named is None or (named[1] or named[2]) not in self._hosts):
            raise ForeignOriginError("This server does not answer to that name.")
        origin = headers.get("origin")
        if origin is None or (scope["type"] == "http" and scope["method"] in _SAFE_METHODS):
            return
        if origin.partition("://")[2] != host:
            raise ForeignOriginError("A page of another site may not do this.")


async def refuse_other_sites(request: Request) -> None:
    """Refuse what is costly to another site's page, which could ask for it in a visitor's name without end.

    A route's dependency. Browsers say where a request comes from; other programs say nothing, and may ask.
    """
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise ForeignOriginError("A page of another site may not ask for this; save a copy and show that.")


async def _read_body(scope: Scope, receive: Receive) -> bytes:
    """Read the whole body, unless it is too large."""
    limit = LARGEST_RECORDS if scope["path"] == RECORDS_PATH else LARGEST_BODY
    too_large = TooLargeError(f"This is too large: at most {limit // 1024} kB are taken in here.", limit=limit)
    length = Headers(scope=scope).get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > limit):
        raise too_large
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > limit:
            raise too_large
        if not message.get("more_body", False):
            return bytes(body)


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
