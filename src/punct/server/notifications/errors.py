"""Errors of notifications."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownZoneError(RequestError, status=422, code="unknown_zone"):
    """No time zone has this name."""

    def __init__(self, zone: str) -> None:
        super().__init__(f"There is no time zone {zone!r}; they have names as Europe/Warsaw.")
