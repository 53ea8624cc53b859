"""Puzzles on the account: how somebody stands, how hard puzzles are."""

from __future__ import annotations

from collections.abc import Mapping

from punct.server.api.present.words import Json
from punct.server.people.glicko import Rating
from punct.server.people.puzzles import Skill, Standing


def puzzle_skill(found: Skill | None) -> Json | None:
    """Return how strong a player is at puzzles; None for whoever has tried none."""
    return None if found is None else _skill(found.rating, *found.tally)


def puzzle_standing(found: Standing) -> Json:
    """Return how an account holder stands."""
    return {
        **_skill(found.rating, len(found.tried), sum(found.tried.values())),
        "best_streak": found.best_streak,
        "best_rush": found.best_rush,
        "days": [day.isoformat() for day in found.days],
        "tried": dict(found.tried),
    }


def puzzles_tried(found: Standing, ratings: Mapping[str, float]) -> Json:
    """Return what has come of tries."""
    return {"standing": puzzle_standing(found), "puzzles": _rounded(ratings)}


def puzzle_ratings(ratings: Mapping[str, float]) -> Json:
    """Return how hard puzzles have turned out to be."""
    return {"ratings": _rounded(ratings)}


def _skill(rating: Rating, tries: int, solved: int) -> Json:
    return {
        "rating": round(rating.rating),
        "deviation": round(rating.deviation),
        "provisional": rating.provisional,
        "tries": tries,
        "solved": solved,
    }


def _rounded(ratings: Mapping[str, float]) -> dict[str, int]:
    return {puzzle: round(rating) for puzzle, rating in ratings.items()}
