"""What cannot be granted, and why: in the game's own terms."""

from __future__ import annotations

from punct.server.refusal import RefusalError


class UnknownGameError(RefusalError):
    """No game has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such game; perhaps it was deleted.")


class UnknownPlyError(RefusalError):
    """The game has not come so far."""


class NotNowError(RefusalError):
    """Something that the game does not allow as it stands: whoever asked may know an older state of it."""


class WrongPlyError(NotNowError):
    """Somebody speaks of another position than the one on the board."""


class NotYourTurnError(NotNowError):
    """Somebody else is to move."""


class NotYourSeatError(RefusalError):
    """Whoever asks does not play here."""

    def __init__(self) -> None:
        super().__init__("This is not your game; you may watch it.")


class GameOverError(NotNowError):
    """The game has ended."""


class NotPossibleError(NotNowError):
    """Something this game does not offer now."""


class NoMoreGamesError(RefusalError):
    """Somebody keeps as many games of their own as they may."""

    def __init__(self) -> None:
        super().__init__("You have as many games here as there is room for; delete some, or make an account.")


class ForgottenError(RefusalError):
    """Whoever asks is no player any more: meanwhile they were forgotten, or are another one by logging in."""

    def __init__(self) -> None:
        super().__init__("Meanwhile you have logged in, or are forgotten here: nothing was stored. Ask once more.")


class UnknownChallengeError(RefusalError):
    """No challenge has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such challenge; it was withdrawn, or nobody accepted it in time.")


class TakenChallengeError(RefusalError):
    """Somebody else was quicker."""

    def __init__(self, **detail: object) -> None:
        super().__init__("Somebody has accepted this challenge already.", **detail)


class UnknownAnalysisError(RefusalError):
    """No analysis has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such analysis; perhaps nobody has asked for it for half a year.")


class UnknownReviewError(RefusalError):
    """Nobody has reviewed this game, or it has changed since."""

    def __init__(self) -> None:
        super().__init__("There is no review of this game.")


class InvalidReviewError(RefusalError):
    """A review that is not of the game it is said to be of."""


class StoppingError(RefusalError):
    """The server is about to end."""

    def __init__(self) -> None:
        super().__init__("The server is shutting down.")


class BrokenGameError(Exception):
    """What is stored is no game: a fault of the server's, not of whoever asked for it."""
