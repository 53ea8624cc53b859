"""Errors of webhooks."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownHookError(RequestError, status=404, code="unknown_hook"):
    """The player has no such webhook."""

    def __init__(self) -> None:
        super().__init__("You have no such webhook.")


class RefusedAddressError(RequestError, status=422, code="refused_address"):
    """The server does not call this address."""


class HookExistsError(RequestError, status=409, code="hook_exists"):
    """The player has this webhook already."""

    def __init__(self) -> None:
        super().__init__("You have a webhook with this address already; remove it first.")


class TooManyHooksError(RequestError, status=409, code="too_many_hooks"):
    """The player has as many webhooks as one may have."""
