"""Errors of accounts: logins, passwords, passkeys and tokens."""

from __future__ import annotations

from punct.server.errors import RETRY_SECONDS, RequestError


class WeakPasswordError(RequestError, status=422, code="weak_password"):
    """The password is easy to guess, or no valid text."""


class LoginTakenError(RequestError, status=409, code="login_taken"):
    """Another player has this login."""

    def __init__(self) -> None:
        super().__init__("Somebody else has this login; choose another.")


class HandleTakenError(RequestError, status=409, code="handle_taken"):
    """Another player has this handle, or one that looks like it."""

    def __init__(self) -> None:
        super().__init__("Somebody else has this handle, or one that looks like it; choose another.")


class HandleTooSoonError(RequestError, status=409, code="handle_too_soon"):
    """The handle was changed not long ago; ``until`` says when it may be changed again."""

    def __init__(self, until: str) -> None:
        super().__init__("A handle is changed once in 30 days.", until=until)


class PasswordsBusyError(RequestError, status=503, code="busy"):
    """Too many passwords wait to be verified."""

    retry_after = RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__("Too many log in at this moment; try again in a few seconds.")


class HasAccountError(RequestError, status=409, code="has_account"):
    """The player has an account already."""

    def __init__(self) -> None:
        super().__init__("You have an account already; log out first.")


class PasskeyNeededError(RequestError, status=401, code="passkey_needed"):
    """An account without a password needs reauthentication, which a passkey gives."""

    def __init__(self) -> None:
        super().__init__("This account has no password: prove with a passkey that it is yours.")


class LastWayInError(RequestError, status=409, code="last_way_in"):
    """The request would delete the last credential of an account."""

    def __init__(self) -> None:
        super().__init__("Nothing else opens this account: set a password first, or add another passkey.")


class UnknownTokenError(RequestError, status=404, code="unknown_token"):
    """No token of this player has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such token.")
