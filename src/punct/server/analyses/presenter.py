"""JSON of shared analyses and reviews."""

from __future__ import annotations

from datetime import datetime

from punct.analysis.scale import accuracy
from punct.piece import Colour
from punct.server.analyses.service import ANALYSIS_RETENTION, Review
from punct.server.analyses.store import StoredAnalysis
from punct.server.games.game import PlayedGame
from punct.server.http.encoding import COLOUR_LETTERS, Json, format_time


def review(game: PlayedGame, stored: Review, updated: datetime) -> Json:
    """Return the review of a game."""
    first = game.turn_at(0)
    return {
        "game": game.id,
        "engine": stored.engine,
        "nodes": stored.nodes,
        "start": stored.start,
        "turns": [
            {"ply": ply, "colour": COLOUR_LETTERS[game.turn_at(ply)], **move._asdict()}
            for ply, move in enumerate(stored.moves)
        ],
        "accuracy": {COLOUR_LETTERS[colour]: accuracy(stored.given_away(colour, first)) for colour in Colour},
        "updated": format_time(updated),
    }


def new_analysis(analysis_id: str) -> Json:
    """Return the id of a new analysis."""
    return {"id": analysis_id}


def analysis(stored: StoredAnalysis) -> Json:
    """Return a shared analysis."""
    return {
        "id": stored.id,
        "tree": stored.tree,
        "created": format_time(stored.created),
        "kept_until": format_time(stored.seen + ANALYSIS_RETENTION),
    }
