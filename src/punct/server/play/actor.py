"""Who wishes something of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Actor:
    """A player online, by their id, or somebody unknown (None); at home, everybody at once."""

    player: str | None = None
    everything: bool = False
    """Whether every seat and every game is theirs: at home."""
    admin: bool = False
    """Whether they may delete any game. They play in no seat but their own: a game is its players'."""


HOME: Final = Actor(everything=True)
"""Whoever sits at this machine."""
