"""Relations, as the store returns them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from punct.server.auth.model import PlayerKind

RelationKind = Literal["follow", "block"]


@dataclass(frozen=True, slots=True)
class RelatedPlayer:
    """A player whom somebody follows or has blocked."""

    id: str
    name: str | None
    handle: str | None
    kind: PlayerKind
    created: datetime
    relation: RelationKind
    playing: str | None
    """The public game that they have played in last, if it is not over."""
