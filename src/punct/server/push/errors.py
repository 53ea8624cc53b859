"""Errors of Web Push."""

from __future__ import annotations

from punct.server.errors import RequestError


class BadSubscriptionError(RequestError, status=422, code="bad_subscription"):
    """The address or the keys of a subscription are none that messages could be sent to."""


class SubscriptionConflictError(RequestError, status=409, code="not_your_subscription"):
    """The address belongs to another player, and the keys are not those of that browser."""

    def __init__(self) -> None:
        super().__init__("This browser is known with other keys; switch notifications off and on again in it.")


class UnknownSubscriptionError(RequestError, status=404, code="unknown_subscription"):
    """The player has no such device."""

    def __init__(self) -> None:
        super().__init__("No such device of yours gets notifications; perhaps it was removed.")


class SubscriptionGoneError(RequestError, status=409, code="subscription_gone"):
    """The push service knows the browser no more."""

    def __init__(self) -> None:
        super().__init__("That browser takes no notifications any more, and was removed. Switch them on in it again.")


class NotSentError(RequestError, status=503, code="not_sent"):
    """The push service did not take a message."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The browser's push service did not take the message: {reason}.")
