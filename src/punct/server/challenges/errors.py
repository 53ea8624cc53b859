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
