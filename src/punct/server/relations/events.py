"""Events of relations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelationChanged:
    """A player follows or blocks another now, or does so no more."""

    player_id: str
    other_id: str
