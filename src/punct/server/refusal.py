"""What every room of the server may answer: no."""

from __future__ import annotations


class RefusalError(Exception):
    """A wish that cannot be granted; nothing has changed. The message is for people.

    How a refusal travels is for the wire to say.
    """

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or None


class KeyReusedError(RefusalError):
    """A key that stood for another request."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for something else; a new request needs a new one.")
