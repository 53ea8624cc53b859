"""Events of live connections."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameUnwatched:
    """The last subscriber to a game in this process has left."""

    game_id: str
