"""Errors of engines."""

from __future__ import annotations

from punct.server.errors import RequestError


class EngineFailedError(RequestError, status=503, code="engine_failed"):
    """The engine failed."""
