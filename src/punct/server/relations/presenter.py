"""JSON of relations."""

from __future__ import annotations

from collections.abc import Sequence

from punct.server.auth.presenter import public_player
from punct.server.http.encoding import Json
from punct.server.relations.model import RelatedPlayer, RelationKind


def relation(kind: RelationKind | None) -> Json:
    """Return the relation to one player."""
    return {"kind": kind}


def relation_list(related: Sequence[RelatedPlayer]) -> Json:
    """Return whom a player follows, and whom they have blocked."""
    return {
        "following": [
            {"player": _player(other), "playing": other.playing} for other in related if other.relation == "follow"
        ],
        "blocked": [_player(other) for other in related if other.relation == "block"],
    }


def _player(related: RelatedPlayer) -> Json:
    return public_player(related.id, related.name, related.handle, related.kind, related.created)
