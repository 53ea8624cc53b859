"""What the engine refuses."""

from __future__ import annotations

from punct.errors import PunctError


class EngineError(PunctError):
    """A request the engine cannot serve: a level, limit or option out of range, a file of weights that is broken."""


class OutOfMemoryError(EngineError, MemoryError):
    """There is not enough memory for a search, however small."""


class GameOverError(EngineError):
    """A position in which nobody may play on."""
