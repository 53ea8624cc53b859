"""Errors of shared analyses and reviews."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownAnalysisError(RequestError, status=404, code="unknown_analysis"):
    """No analysis has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such analysis; perhaps nobody has asked for it for half a year.")


class UnknownReviewError(RequestError, status=404, code="unknown_review"):
    """The game has no review, or has changed since it was reviewed."""

    def __init__(self) -> None:
        super().__init__("There is no review of this game.")


class InvalidReviewError(RequestError, status=422, code="invalid_review"):
    """A review does not match its game."""
