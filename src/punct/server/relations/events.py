"""Events of relations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelationChanged:
    """A player follows or blocks another now, or does so no more. The other must not learn of it by this."""

    player_id: str
    other_id: str
    has_ended: bool = False
    """Whether something that the two had arranged has ended by it, which the other may see."""
