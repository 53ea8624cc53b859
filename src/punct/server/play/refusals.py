"""What cannot be granted, and why: in the game's own terms. How a refusal travels is for the wire to say."""

from __future__ import annotations


class RefusalError(Exception):
    """A wish that cannot be granted; nothing has changed. The message is for people."""

    def __init__(self, message: str, **detail: object) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail or None


class UnknownGameError(RefusalError):
    """No game has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such game; perhaps it was deleted.")


class UnknownPlyError(RefusalError):
    """The game has not come so far."""


class WrongPlyError(RefusalError):
    """Somebody speaks of another position than the one on the board."""


class NotYourTurnError(RefusalError):
    """An engine is to move."""


class GameOverError(RefusalError):
    """The game has ended."""


class NotPossibleError(RefusalError):
    """Something this game does not offer now."""


class StoppingError(RefusalError):
    """The server is about to end."""

    def __init__(self) -> None:
        super().__init__("The server is shutting down.")


class BrokenGameError(Exception):
    """What is stored is no game: a fault of the server's, not of whoever asked for it."""
