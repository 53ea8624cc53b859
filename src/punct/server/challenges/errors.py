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


class NoChallengesError(RequestError, status=409, code="takes_no_challenges"):
    """The player takes no challenges from the requester, or has too many already."""

    def __init__(self) -> None:
        super().__init__("This player takes no challenges from you at present.")


class HasBlockedError(RequestError, status=409, code="you_blocked"):
    """The requester has blocked the other player."""

    def __init__(self) -> None:
        super().__init__("You have blocked this player; unblock them first.")


class TooManyAlertsError(RequestError, status=409, code="too_many_alerts"):
    """The player wants to be told of as many kinds of seats as there is room for."""

    def __init__(self, maximum: int) -> None:
        super().__init__(f"Nobody is told of more than {maximum} kinds of seats; drop one first.")
