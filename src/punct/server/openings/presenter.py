"""JSON of the opening explorer."""

from __future__ import annotations

from punct.server.http.encoding import Json
from punct.server.openings.service import OpeningCounts


def opening(counts: OpeningCounts) -> Json:
    """Return the moves that were played in a position."""
    return {
        "position": counts.position,
        "symmetry": counts.symmetry,
        "games": counts.white + counts.draws + counts.black,
        "white": counts.white,
        "draws": counts.draws,
        "black": counts.black,
        "sources": dict(counts.sources),
        "moves": [
            {
                "turn": str(move),
                "games": count.games,
                "white": count.white,
                "draws": count.draws,
                "black": count.black,
                "last": count.day,
                "rating": count.mean_rating,
            }
            for move, count in counts.moves
        ],
    }
