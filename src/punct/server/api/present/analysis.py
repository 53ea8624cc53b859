"""Looking at games: openings, shared analyses, reviews."""

from __future__ import annotations

from datetime import datetime

from punct.analysis.scale import accuracy
from punct.piece import Colour
from punct.server.api.present.words import LETTERS, Json, time
from punct.server.play.analyses import KEPT, Review
from punct.server.play.explorer import Found
from punct.server.play.game import PlayedGame
from punct.server.store import StoredAnalysis


def opening(found: Found) -> Json:
    """Return what was played in a position."""
    return {
        "position": found.position,
        "symmetry": found.symmetry,
        "games": found.white + found.draws + found.black,
        "white": found.white,
        "draws": found.draws,
        "black": found.black,
        "sources": dict(found.sources),
        "moves": [
            {
                "turn": str(move),
                "games": tried.games,
                "white": tried.white,
                "draws": tried.draws,
                "black": tried.black,
                "last": tried.day,
                "rating": tried.mean_rating,
            }
            for move, tried in found.moves
        ],
    }


def review(game: PlayedGame, found: Review, updated: datetime) -> Json:
    """Return the review of a game."""
    first = game.turn_at(0)
    return {
        "game": game.id,
        "engine": found.engine,
        "nodes": found.nodes,
        "start": found.start,
        "turns": [
            {"ply": ply, "colour": LETTERS[game.turn_at(ply)], **turn._asdict()} for ply, turn in enumerate(found.turns)
        ],
        "accuracy": {LETTERS[colour]: accuracy(found.given_away(colour, first)) for colour in Colour},
        "updated": time(updated),
    }


def analysis_made(analysis_id: str) -> Json:
    """Return where an analysis is kept."""
    return {"id": analysis_id}


def analysis(found: StoredAnalysis) -> Json:
    """Return an analysis that somebody shares."""
    return {
        "id": found.id,
        "tree": found.tree,
        "created": time(found.created),
        "kept_until": time(found.seen + KEPT),
    }
