"""Errors of vacations."""

from __future__ import annotations

from punct.server.errors import RequestError


class VacationRefusedError(RequestError, status=409, code="vacation_refused"):
    """The player has too few days left, or is on vacation already at that time."""


class UnknownVacationError(RequestError, status=404, code="unknown_vacation"):
    """The player has no such vacation."""

    def __init__(self) -> None:
        super().__init__("There is no such vacation, or it is over.")
