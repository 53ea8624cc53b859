"""Errors of mail."""

from __future__ import annotations

from punct.server.errors import NotOfferedError, RequestError


class NoMailError(NotOfferedError, status=409, code="not_offered"):
    """The operator has named no mail server."""

    def __init__(self) -> None:
        super().__init__("This server sends no mail.")


class InvalidAddressError(RequestError, status=422, code="invalid_address"):
    """The text is no mail address, or one with letters that mail servers may not know."""


class NoAddressError(RequestError, status=409, code="no_address"):
    """The account has no address that waits to be verified."""

    def __init__(self) -> None:
        super().__init__("There is no address here that waits for its link.")
