"""The actor: on whose behalf a game is read or changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Actor:
    """An online player, by id; a stranger, without one; or anybody at home."""

    player_id: str | None = None
    is_unrestricted: bool = False
    """Whether every seat and every game is theirs: at home."""
    is_admin: bool = False
    """Whether they may delete any game. They play in no seat but their own: a game belongs to its players."""


HOME_ACTOR: Final = Actor(is_unrestricted=True)
"""Everybody who uses a server at home."""
