"""Errors of challenges."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownChallengeError(RequestError, status=404, code="unknown_challenge"):
    """No challenge has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such challenge; it was withdrawn, or nobody accepted it in time.")


class TakenChallengeError(RequestError, status=409, code="taken"):
    """Another player has accepted it."""

    def __init__(self, **detail: object) -> None:
        super().__init__("Somebody has accepted this challenge already.", **detail)


class TooManyAlertsError(RequestError, status=409, code="too_many_alerts"):
    """The player wants to be told of as many kinds of seats as there is room for."""

    def __init__(self, maximum: int) -> None:
        super().__init__(f"Nobody is told of more than {maximum} kinds of seats; drop one first.")
