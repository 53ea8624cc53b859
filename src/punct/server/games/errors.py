"""Errors of games."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownGameError(RequestError, status=404, code="unknown_game"):
    """No game has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such game; perhaps it was deleted.")


class UnknownPlyError(RequestError, status=404, code="unknown_ply"):
    """The game has fewer moves."""


class GameConflictError(RequestError):
    """The current state of the game forbids the request; the client may know an older state."""


class WrongPlyError(GameConflictError, status=409, code="wrong_ply"):
    """The request is for another position than the current one."""


class NotYourTurnError(GameConflictError, status=409, code="not_your_turn"):
    """Another player is to move."""


class NotYourSeatError(RequestError, status=403, code="not_your_seat"):
    """The requester has no seat in the game."""

    def __init__(self) -> None:
        super().__init__("This is not your game; you may watch it.")


class GameOverError(GameConflictError, status=409, code="game_over"):
    """The game has ended."""


class NotPossibleError(GameConflictError, status=409, code="not_possible"):
    """The game does not allow this now."""


class GameQuotaError(RequestError, status=409, code="no_room"):
    """The player's quota of stored games is used up."""

    def __init__(self) -> None:
        super().__init__("You have as many games here as there is room for; delete some, or make an account.")


class PlayerRemovedError(RequestError, status=401, code="stranger"):
    """The requester's player was deleted, or merged into another by a login, during the request."""

    def __init__(self) -> None:
        super().__init__("Meanwhile you have logged in, or are forgotten here: nothing was stored. Ask once more.")
