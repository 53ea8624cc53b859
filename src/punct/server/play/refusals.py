"""What cannot be granted, and why: in the game's own terms."""

from __future__ import annotations

from punct.server.refusal import RefusalError


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
