"""What follows from a change of a game, in its transaction: the interface of features that play moves by themselves.

Only in games between two players who need not be at the board together: in a live game nothing is played for anybody.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from punct.piece import Colour
from punct.server.db.database import Connection
from punct.server.games.game import PlayedGame
from punct.server.games.model import StoredGame
from punct.server.games.notices import is_correspondence, player_of


class Follower(Protocol):
    """Follows the changes of games."""

    def follow(self, connection: Connection, before: PlayedGame, after: PlayedGame, now: datetime) -> PlayedGame:
        """Return what becomes of a changed game: itself, or the game after further moves, at any revision.

        It is called in the transaction of the change, with the game's row locked, and again if that is repeated. It
        must not fail: then the change itself would not be stored.
        """


def can_be_followed(game: StoredGame) -> bool:
    """Tell whether anything may be played for the players of a game."""
    return is_correspondence(game) and all(player_of(game, colour) is not None for colour in Colour)


def needs_following(before: PlayedGame, after: PlayedGame) -> bool:
    """Tell whether a change is one of moves, or ends the game."""
    is_changed = after.ply != before.ply or (after.outcome is None) is not (before.outcome is None)
    return is_changed and can_be_followed(before.stored)
