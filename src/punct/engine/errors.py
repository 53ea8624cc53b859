"""The engine's errors."""

from __future__ import annotations

from punct.errors import PunctError


class EngineError(PunctError):
    """An invalid request: a level, limit or option out of range, or a damaged file of weights."""


class OutOfMemoryError(EngineError, MemoryError):
    """There is not enough memory for a search, however small."""


class GameOverError(EngineError):
    """The game is over in this position."""
