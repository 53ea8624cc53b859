"""The class of all API routes: each says at its endpoint what tokens may call it, and how often it may be called."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from punct.server.auth.errors import BlockedError, NotInScopeError
from punct.server.auth.identity import RequestIdentity, find_identity
from punct.server.auth.model import TokenScope
from punct.server.http.bodies import parse_large_bodies
from punct.server.http.rate_limits import READS, WRITES, Limit
from punct.server.http.security import SAFE_METHODS

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_LIMIT: Final = "__punct_limit__"
_TOKEN_SCOPE: Final = "__punct_token_scope__"
_OPEN_TO_BLOCKED: Final = "__punct_open_to_blocked__"


def _mark(name: str, value: object) -> Callable[[Endpoint], Endpoint]:
    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, name, value)
        return endpoint

    return mark


def limited(limit: Limit) -> Callable[[Endpoint], Endpoint]:
    """Give a route a rate limit of its own, in place of the one for its method."""
    return _mark(_LIMIT, limit)


def token_scope(scope: TokenScope | None) -> Callable[[Endpoint], Endpoint]:
    """Let tokens of a scope call a route; any token if None.

    Without this, any token may call a route that only reads, and none a route that writes: what concerns an account
    itself is for its owner, in a browser. Where a player sees more than others, the route asks ``can_read``.
    """
    return _mark(_TOKEN_SCOPE, scope)


def open_to_blocked(endpoint: Endpoint) -> Endpoint:
    """Let players call a route whom the administrator has blocked: they may log out, and delete their account."""
    return _mark(_OPEN_TO_BLOCKED, True)(endpoint)


class ApiRoute(APIRoute):
    """A route that checks and counts every request before its endpoint runs, however its path was written.

    In this order: the token's scope and the player's block; the rate limit; the body; the endpoint.
    """

    def limit(self, method: str) -> Limit:
        """Return the rate limit that holds for a method."""
        limit: Limit = getattr(self.endpoint, _LIMIT, READS if method in SAFE_METHODS else WRITES)
        return limit

    def accepts_tokens(self, method: str) -> bool:
        """Tell whether any token may call the route with a method."""
        return method in SAFE_METHODS or hasattr(self.endpoint, _TOKEN_SCOPE)

    @property
    def required_scope(self) -> TokenScope | None:
        """The scope that a token needs; None if any will do that the route accepts."""
        scope: TokenScope | None = getattr(self.endpoint, _TOKEN_SCOPE, None)
        return scope

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check and count a request, then respond to it; raises RequestError. At home everything is allowed."""
        identity = find_identity(scope)
        if identity is not None:
            self._check(identity, scope["method"])
            await identity.count(self.limit(scope["method"]))
        await super().handle(scope, receive, send)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return FastAPI's handler of the route, with large bodies parsed in a thread before it is called."""
        handle = super().get_route_handler()
        return handle if self.body_field is None else parse_large_bodies(handle, self.body_field.field_info.annotation)

    def _check(self, identity: RequestIdentity, method: str) -> None:
        if identity.token is not None:
            if not self.accepts_tokens(method):
                raise NotInScopeError("No token can ask for this; log in with a browser.")
            if self.required_scope is not None and self.required_scope not in identity.token.scopes:
                message = f"This token was not made for that: it would need the scope {self.required_scope!r}."
                raise NotInScopeError(message)
        is_blocked = identity.player is not None and identity.player.blocked is not None
        if is_blocked and method not in SAFE_METHODS and not hasattr(self.endpoint, _OPEN_TO_BLOCKED):
            raise BlockedError
