"""What is refused to people, and why."""

from __future__ import annotations

from collections.abc import Sequence

from punct.server.refusal import RefusalError


class InvalidNameError(RefusalError):
    """A name that cannot be shown safely."""


class InvalidLoginError(RefusalError):
    """A login that cannot be had."""


class WeakPasswordError(RefusalError):
    """A password that would be guessed, or is no text."""


class LoginTakenError(RefusalError):
    """Somebody else has this login."""

    def __init__(self) -> None:
        super().__init__("Somebody else has this login; choose another.")


class WrongPasswordError(RefusalError):
    """Login and password do not belong together. Which of them is wrong is not told."""

    def __init__(self) -> None:
        super().__init__("Login and password do not belong together.")


class PasswordsBusyError(RefusalError):
    """More passwords wait to be checked than can be in good time."""

    def __init__(self) -> None:
        super().__init__("Too many log in at this moment; try again in a few seconds.")


class HasAccountError(RefusalError):
    """Whoever has an account needs no other."""

    def __init__(self) -> None:
        super().__init__("You have an account already; log out first.")


class NoAccountError(RefusalError):
    """Something for account holders."""

    def __init__(self, message: str = "This needs an account; make one, or log in.") -> None:
        super().__init__(message)


class StrangerError(RefusalError):
    """Something only a player can ask, and this is nobody yet."""

    def __init__(self) -> None:
        super().__init__("Nobody is known here yet; choose a name, or log in.")


class BlockedError(RefusalError):
    """The administrator has shut somebody out."""

    def __init__(self) -> None:
        super().__init__("The administrator has blocked this player; you may still watch.")


class BadPasskeyError(RefusalError):
    """A passkey that is nobody's, or does not answer what was asked."""

    def __init__(self) -> None:
        super().__init__("This passkey is not known here, or its answer came too late.")


class PasskeyNeededError(RefusalError):
    """Somebody without a password is asked for proof."""

    def __init__(self) -> None:
        super().__init__("This account has no password: prove with a passkey that it is yours.")


class LastWayInError(RefusalError):
    """The only thing that opens an account is to be removed."""

    def __init__(self) -> None:
        super().__init__("Nothing else opens this account: set a password first, or add another passkey.")


class BadTokenError(RefusalError):
    """A token that is none, or no longer."""

    def __init__(self) -> None:
        super().__init__("This token is not valid: it was made elsewhere, has expired, or was deleted.")


class NotInScopeError(RefusalError):
    """A token was made for other things."""


class UnknownPlayerError(RefusalError):
    """No player has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such player; perhaps the account was deleted.")


class UnknownPuzzleError(RefusalError):
    """Somebody has tried what is none of the puzzles here."""

    def __init__(self, puzzles: Sequence[str]) -> None:
        several = f"and {len(puzzles) - 1} more are not" if len(puzzles) > 1 else "is not"
        super().__init__(f"{puzzles[0]} {several} among the puzzles of this server; nothing was kept.", puzzles=puzzles)


class UnknownTokenError(RefusalError):
    """No token of this player has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such token.")


class TooLateError(RefusalError):
    """Something that had to be said before the first game."""


class BadLinkError(RefusalError):
    """A one-time link that was used, or never was one."""

    def __init__(self) -> None:
        super().__init__("This link was used already, or came too late, or is not the one that was made last.")


class NotOfferedError(RefusalError):
    """Something this server does not have."""
