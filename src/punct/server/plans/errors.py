"""Errors of conditional moves."""

from __future__ import annotations

from punct.server.errors import RequestError


class InvalidPlanError(RequestError, status=422, code="invalid_plan"):
    """A line of conditional moves cannot be played, or there are too many."""


class PlanChangedError(RequestError, status=409, code="plan_changed"):
    """The plan is another one than the client knows."""

    def __init__(self) -> None:
        super().__init__("Your conditional moves were changed elsewhere in the meantime; look at them again.")
