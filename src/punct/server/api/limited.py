"""Routes that count every request before they answer it: the rate limit stands at the route it holds for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from punct.server.api.limits import READS, WRITES, Limit
from punct.server.api.whoami import SAFE_METHODS, visit_in

_LIMIT: Final = "__punct_limit__"
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


def limited(limit: Limit) -> Callable[[Endpoint], Endpoint]:
    """Return a decorator that gives a route a rate limit of its own, in place of the one for its method."""

    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _LIMIT, limit)
        return endpoint

    return mark


class LimitedRoute(APIRoute):
    """A route that cannot be reached without being counted, however its address was written."""

    def limit(self, method: str) -> Limit:
        """Return the rate limit that holds for a method."""
        usual = READS if method in SAFE_METHODS else WRITES
        found: Limit = getattr(self.endpoint, _LIMIT, usual)
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a request, and answer it; raises TooManyError. At home nobody counts."""
        visit = visit_in(scope)
        if visit is not None:
            await visit.count(self.limit(scope["method"]))
        await super().handle(scope, receive, send)
