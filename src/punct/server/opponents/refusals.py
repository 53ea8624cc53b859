"""What the opponents refuse."""

from __future__ import annotations

from punct.server.refusal import RefusalError


class BusyError(RefusalError):
    """Too many want the same at once."""


class EngineFailedError(RefusalError):
    """The engine broke down."""
