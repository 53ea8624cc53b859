"""The interface to engines for routes of games; the engines themselves are a feature above games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from punct.piece import Colour
from punct.server.games.game import PlayedGame

Fault = Literal["engine_failed", "store_failed"]
"""Why the engine plays no move: it failed, or its move could not be stored."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the engine in a game is doing."""

    state: Literal["idle", "queued", "thinking", "failed"] = "idle"
    colour: Colour | None = None
    level: int | None = None
    since: datetime | None = None
    message: str | None = None
    """The error message, if it failed."""
    code: Fault | None = None
    """The error code, for programs."""


IDLE: Final = Thinking()


class EngineStatus(ABC):
    """Reports what engines are doing, and schedules their work."""

    @abstractmethod
    def thinking(self, game: PlayedGame) -> Thinking:
        """Return what the engine does for this revision of a game; idle for any other revision."""

    @abstractmethod
    async def refresh(self, game: PlayedGame) -> None:
        """If an engine is to move and this process does not think, find out whether another process does."""

    @abstractmethod
    def schedule(self, game_id: str, game: PlayedGame | None) -> None:
        """Start thinking if an engine is to move in a game; stop if none is, or if the game is removed (None)."""
