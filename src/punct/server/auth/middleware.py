"""Authentication of every API request of an online server: session cookie or token, and protection from CSRF."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from punct.server.auth.cookies import Cookies
from punct.server.auth.errors import BadTokenError
from punct.server.auth.identity import RequestIdentity, attach_identity
from punct.server.auth.sessions import SessionEndedError, Sessions
from punct.server.errors import BusyError
from punct.server.http.errors import ForeignOriginError, NotJsonError
from punct.server.http.proxies import source_of
from punct.server.http.rate_limits import BAD_TOKENS, SOCKETS, Limits
from punct.server.http.registry import Services
from punct.server.http.security import SAFE_METHODS, is_https

_API: Final = "/api/"
MAX_LIVE_CONNECTIONS: Final = 100
"""At once from one address, whichever proxy forwards them; in each process."""


class AuthMiddleware:
    """Establishes who makes a request, before its route runs."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._live: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its identity attached, or refuse it."""
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith(_API):
            await self._app(scope, receive, send)
            return
        services = scope["app"].state.services
        assert isinstance(services, Services)
        headers = Headers(scope=scope)
        writes = scope["type"] == "http" and scope["method"] not in SAFE_METHODS
        identity = await _authenticate(services, scope, headers, writes)
        if writes:
            _check_content_type(headers)
        if scope["type"] == "websocket":  # other requests are counted by their routes
            await identity.count(SOCKETS)
        attach_identity(scope, identity)

        async def send_with_cookies(message: Message) -> None:
            if message["type"] == "http.response.start" and identity.cookie_headers:
                headers = MutableHeaders(scope=message)
                for value in identity.cookie_headers:
                    headers.append("Set-Cookie", value)
            await send(message)

        with self._count_live(identity.address) if scope["type"] == "websocket" else contextlib.nullcontext():
            await self._app(scope, receive, send_with_cookies)

    @contextlib.contextmanager
    def _count_live(self, address: str | None) -> Iterator[None]:
        """Count a live connection as long as it lasts; raises BusyError if its address has too many."""
        if address is None:
            yield
            return
        if self._live[address] >= MAX_LIVE_CONNECTIONS:
            raise BusyError("Too many are connected from your address at the moment; try again in a while.")
        self._live[address] += 1
        try:
            yield
        finally:
            self._live[address] -= 1
            if not self._live[address]:
                del self._live[address]


async def _authenticate(services: Services, scope: Scope, headers: Headers, writes: bool) -> RequestIdentity:
    """Return who makes a request, by its token or its session cookie."""
    sessions, cookies, limits = services.get(Sessions), services.get(Cookies), services.get(Limits)
    address = source_of(scope).address
    identity = RequestIdentity(sessions, cookies, limits, sessions.generation, address, is_https(scope))
    token = _bearer_token(headers)
    if token is not None:  # no browser sends one by itself: CSRF is no concern
        try:
            identity.token_player, identity.token = await sessions.find_token(token)
        except BadTokenError:
            await limits.hit(BAD_TOKENS, address)
            raise
        return identity
    secret = cookies.read(headers, secure=identity.secure)
    if secret is None:
        return identity
    if (writes or scope["type"] == "websocket") and not _is_same_origin(headers):
        # A browser sends the cookie whichever page made the request. Where it does not say which, that may be any.
        raise ForeignOriginError("Whoever comes with a cookie must come from this server's own page.")
    identity.session = await sessions.find(secret)
    # A response that others may cache, such as a picture, never carries a cookie.
    if identity.session is not None and (writes or scope["path"] == "/api/v1/me"):
        try:
            renewed = await sessions.renew(identity.session)
        except SessionEndedError:  # logged out just now
            identity.session = None
            return identity
        if renewed is not None:
            identity.session = renewed
            identity.set_session_cookie(secret)
    return identity


def _bearer_token(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _is_same_origin(headers: Headers) -> bool:
    """Tell whether a browser says that our own page makes the request.

    An Origin of another site was refused before, by SecurityMiddleware.
    """
    return "origin" in headers or headers.get("sec-fetch-site") == "same-origin"


def _check_content_type(headers: Headers) -> None:
    """Refuse a body that is not JSON: a form on another site's page can send any other type."""
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise NotJsonError
