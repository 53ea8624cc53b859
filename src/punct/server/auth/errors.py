"""Errors of authentication and of players."""

from __future__ import annotations

from punct.server.errors import RequestError


class InvalidNameError(RequestError, status=422, code="invalid_name"):
    """A name has invisible or misleading characters, or is too long."""


class InvalidLoginError(RequestError, status=422, code="invalid_login"):
    """A login has characters that are not allowed, or a wrong length."""


class InvalidHandleError(RequestError, status=422, code="invalid_handle"):
    """A handle has characters that are not allowed, a wrong length, or is reserved."""


class WrongPasswordError(RequestError, status=401, code="wrong_password"):
    """Login and password do not match. Which of them is wrong is not disclosed."""

    def __init__(self) -> None:
        super().__init__("Login and password do not belong together.")


class NoAccountError(RequestError, status=403, code="no_account"):
    """The request needs an account."""

    def __init__(self, message: str = "This needs an account; make one, or log in.") -> None:
        super().__init__(message)


class UnauthenticatedError(RequestError, status=401, code="stranger"):
    """The request needs a player, and comes without a session."""

    def __init__(self) -> None:
        super().__init__("Nobody is known here yet; choose a name, or log in.")


class BlockedError(RequestError, status=403, code="blocked"):
    """The administrator has blocked the player."""

    def __init__(self) -> None:
        super().__init__("The administrator has blocked this player; you may still watch.")


class BadPasskeyError(RequestError, status=401, code="bad_passkey"):
    """An unknown passkey, or one whose response does not match the challenge."""

    def __init__(self) -> None:
        super().__init__("This passkey is not known here, or its answer came too late.")


class BadTokenError(RequestError, status=401, code="bad_token"):
    """An unknown, expired or deleted token."""

    def __init__(self) -> None:
        super().__init__("This token is not valid: it was made elsewhere, has expired, or was deleted.")


class NotInScopeError(RequestError, status=403, code="not_in_scope"):
    """The token's scopes do not include the request."""


class UnknownPlayerError(RequestError, status=404, code="unknown_player"):
    """No player has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such player; perhaps the account was deleted.")


class TooLateError(RequestError, status=409, code="too_late"):
    """The account's state no longer allows the request."""


class BadLinkError(RequestError, status=403, code="bad_link"):
    """An unknown, used or expired one-time link."""

    def __init__(self) -> None:
        super().__init__("This link was used already, or came too late, or is not the one that was made last.")
