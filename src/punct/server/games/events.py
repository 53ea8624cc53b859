"""Events of games. Each is published after the change is stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from punct.server.games.engine_status import Thinking
from punct.server.games.game import PlayedGame
from punct.server.workers.think import ThinkProgress


class RemovalReason(StrEnum):
    """Why a game was removed."""

    DELETED = "deleted"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class GameChanged:
    """A game has a new revision, or its players have new names or ratings."""

    game: PlayedGame
    is_local: bool = True
    """Whether this process made the change; else it only read it."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A change in this process has ended a game."""

    game: PlayedGame


@dataclass(frozen=True, slots=True)
class GameRemoved:
    """A game was deleted, or aborted before both players had moved."""

    game_id: str
    reason: RemovalReason


@dataclass(frozen=True, slots=True)
class EngineProgress:
    """An engine has started thinking, has made progress, or has failed."""

    game: PlayedGame
    thinking: Thinking
    progress: ThinkProgress | None


@dataclass(frozen=True, slots=True)
class ClocksAdjusted:
    """The store has given the time of an outage back to the clocks of games."""

    game_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RatingSkipped:
    """A rated game was stored as not counting for ratings."""

    game_id: str


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The number of connections to games in this process has changed."""
