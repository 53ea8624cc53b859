"""Errors that end a request: each class names its HTTP status and its code, so that no table has to."""

from __future__ import annotations

from typing import ClassVar, Final

RETRY_SECONDS: Final = 5
"""After which a client may try again, if nothing better is known."""


class RequestError(Exception):
    """A request that cannot be fulfilled; nothing has changed. The message is for people."""

    status: ClassVar[int]
    code: ClassVar[str]
    """For programs, and for pages that have their own words for it."""
    retry_after: int | None = None
    """Seconds after which the client may try again; None if that is no use."""

    def __init_subclass__(cls, *, status: int | None = None, code: str | None = None, **rest: object) -> None:
        """Take the status and the code from the class statement; what is not given there is inherited."""
        super().__init_subclass__(**rest)
        if status is not None:
            cls.status = status
        if code is not None:
            cls.code = code

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or None


class BusyError(RequestError, status=429, code="busy"):
    """Too many requests for the same scarce thing at once."""

    retry_after = RETRY_SECONDS


class KeyReusedError(RequestError, status=422, code="key_reused"):
    """An idempotency key that belongs to a different request."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for something else; a new request needs a new one.")


class NotOfferedError(RequestError, status=409, code="not_offered"):
    """A feature that this server does not have."""


class StoppingError(RequestError, status=503, code="stopping"):
    """The server is shutting down."""

    def __init__(self) -> None:
        super().__init__("The server is shutting down.")


class BrokenGameError(Exception):
    """A stored game cannot be replayed: the server's fault, not the client's."""
