"""JSON of webhooks."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.http.encoding import Json, format_time
from punct.server.webhooks.model import MAX_HOOKS, CallResult, StoredHook


def hook(stored: StoredHook) -> Json:
    """Return a webhook."""
    return {
        "id": stored.id,
        "form": stored.form,
        "label": stored.label,
        "created": format_time(stored.created),
        "failed": None if stored.failed is None else format_time(stored.failed),
        "error": stored.error,
        "off": stored.is_off,
    }


def created_hook(stored: StoredHook) -> Json:
    """Return a new webhook with its secret."""
    return {**hook(stored), "secret": stored.secret or None}


def hooks(stored: Iterable[StoredHook]) -> Json:
    """Return a player's webhooks."""
    return {"hooks": [hook(each) for each in stored], "max": MAX_HOOKS}


def hook_test(result: CallResult) -> Json:
    """Return what a call came to."""
    return {"status": result.status, "error": result.error}
