"""Errors of matches."""

from __future__ import annotations

from punct.errors import PunctError


class MatchError(PunctError):
    """A match that cannot be set up or continued: players that do not start, a match file of another match."""
