"""Errors of calendar feeds."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownCalendarError(RequestError, status=404, code="unknown_calendar"):
    """No feed has this secret: one answer for all, whatever is wrong with it."""

    def __init__(self) -> None:
        super().__init__("There is no such calendar; perhaps its address was renewed.")
