"""Events of players and their sessions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlayerChanged:
    """A player has another name, rating or session, or was deleted."""

    player_id: str
    is_local: bool = True
    """Whether this process made the change; else another process has announced it."""


@dataclass(frozen=True, slots=True)
class SessionsInvalidated:
    """Cached sessions and tokens were dropped; the store is read again when they are next used."""

    player_id: str | None
    """The player whose sessions were dropped; None if all were."""


@dataclass(frozen=True, slots=True)
class CachesInvalidated:
    """Something may have changed without an event: by another program, or while the broker was unreachable."""
