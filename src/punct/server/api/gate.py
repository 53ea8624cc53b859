"""The gate of a server that is online: who comes, and whether they come of their own will."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from punct.server.api.errors import ForeignOriginError, NotJsonError
from punct.server.api.guard import is_encrypted
from punct.server.api.limits import SOCKETS, TOKENS
from punct.server.api.proxies import source_in
from punct.server.api.services import People, Services
from punct.server.api.whoami import SAFE_METHODS, Visit, begin_visit
from punct.server.opponents.refusals import BusyError
from punct.server.people.players import SessionEndedError
from punct.server.people.refusals import BadTokenError, BlockedError, NotInScopeError

_API: Final = "/api/"
_FOR_THE_BLOCKED: Final = frozenset(
    {
        "DELETE /api/v1/session",
        "DELETE /api/v1/sessions",
        "DELETE /api/v1/me",
        "POST /api/v1/passkeys/proof/options",
    }
)
"""What somebody may change who was shut out: they may go, and take what is theirs."""

MOST_LIVE: Final = 100
"""Live connections at once from one address, whichever proxy brings them; in each process."""
_GAME: Final = r"/api/v1/games/[^/]+"
_FOR_TOKENS: Final = tuple(
    (re.compile(f"(?:{methods}) {path}"), scope)
    for methods, path, scope in (
        ("POST", rf"{_GAME}/(?:turns|resign|undo|redo|draw|abort|offers(?:/accept)?|greetings|hint)", "play"),
        ("DELETE", rf"{_GAME}/offers", "play"),
        ("POST", r"/api/v1/games", "challenge"),
        ("POST", r"/api/v1/challenges(?:/[^/]+/accept)?", "challenge"),
        ("DELETE", r"/api/v1/challenges/[^/]+", "challenge"),
        ("GET|HEAD", r"/api/v1/games", "read"),
        ("GET|HEAD", r"/api/v1/puzzles/standing", "read"),
        ("POST", rf"(?:{_GAME}/explain|/api/v1/positions/.*)", None),
        ("GET|HEAD|OPTIONS|WEBSOCKET", r".*", None),
    )
)
"""What a token may ask for, and the scope that takes; the first that fits holds. Nothing else: what is about an account
itself is for its owner, at a browser. Where a player sees more than strangers do, the route asks ``Visit.reads``."""


class Gate:
    """Finds out who makes a request, before a route sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._live: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its visitor, or refuse it."""
        if scope["type"] not in ("http", "websocket") or not scope["path"].startswith(_API):
            await self._app(scope, receive, send)
            return
        services = scope["app"].state.services
        assert isinstance(services, Services) and services.people is not None
        headers = Headers(scope=scope)
        writes = scope["type"] == "http" and scope["method"] not in SAFE_METHODS
        visit = await _visit(services.people, scope, headers, writes)
        asked = f"{scope.get('method', 'WEBSOCKET')} {scope['path']}"
        if visit.token is not None:
            _check_scope(asked, visit.token.scopes)
        if writes:
            _check(visit, asked, headers)
        if scope["type"] == "websocket":  # any other request is counted by its route
            await visit.count(SOCKETS)
        begin_visit(scope, visit)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and visit.set_cookies:
                headers = MutableHeaders(scope=message)
                for cookie in visit.set_cookies:
                    headers.append("Set-Cookie", cookie)
            await send(message)

        with self._counted(visit.address) if scope["type"] == "websocket" else contextlib.nullcontext():
            await self._app(scope, receive, send_with_cookie)

    @contextlib.contextmanager
    def _counted(self, address: str | None) -> Iterator[None]:
        """Count a live connection as long as it lasts; raises BusyError if its address has too many."""
        if address is None:
            yield
            return
        if self._live[address] >= MOST_LIVE:
            raise BusyError("Too many are connected from your address at the moment; try again in a while.")
        self._live[address] += 1
        try:
            yield
        finally:
            self._live[address] -= 1
            if not self._live[address]:
                del self._live[address]


async def _visit(people: People, scope: Scope, headers: Headers, writes: bool) -> Visit:
    """Find out who makes a request."""
    address = source_in(scope).address
    visit = Visit(people, address, secure=is_encrypted(scope))
    token = _token(headers)
    if token is not None:  # no browser sends one unasked: it needs no Origin
        try:
            visit.by_token, visit.token = await people.players.by_token(token)
        except BadTokenError:
            await people.limits.take(TOKENS, address)
            raise
        return visit
    secret = people.cookies.read(headers, secure=visit.secure)
    if secret is None:
        return visit
    if (writes or scope["type"] == "websocket") and not _comes_from_our_page(headers):
        # A browser sends the cookie whoever made it ask. Where it does not say who, that may be anybody.
        raise ForeignOriginError("Whoever comes with a cookie must come from this server's own page.")
    visit.session = await people.players.known(secret)
    # An answer that others may keep, as a picture's, never has a cookie in it.
    if visit.session is not None and (writes or scope["path"] == "/api/v1/me"):
        try:
            renewed = await people.players.renewed(visit.session)
        except SessionEndedError:  # logged out in this very moment
            visit.session = None
            return visit
        if renewed is not None:
            visit.session = renewed
            visit.give(secret)
    return visit


def _token(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _check_scope(asked: str, scopes: Collection[str]) -> None:
    """Refuse what a token was not made for."""
    for pattern, needed in _FOR_TOKENS:
        if pattern.fullmatch(asked):
            if needed is not None and needed not in scopes:
                raise NotInScopeError(f"This token was not made for that: it would need the scope {needed!r}.")
            return
    raise NotInScopeError("No token can ask for this; log in with a browser.")


def _comes_from_our_page(headers: Headers) -> bool:
    """Tell whether a browser says that a page of ours asks. What another Origin says, the guard has refused."""
    return "origin" in headers or headers.get("sec-fetch-site") == "same-origin"


def _check(visit: Visit, asked: str, headers: Headers) -> None:
    """Refuse what must not change anything."""
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if has_body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise NotJsonError  # a form on another site's page can send anything but this
    if visit.player is not None and visit.player.blocked is not None and asked not in _FOR_THE_BLOCKED:
        raise BlockedError
