"""JSON of puzzles: a player's progress, and the ratings of puzzles."""

from __future__ import annotations

from collections.abc import Mapping

from punct.glicko import Rating
from punct.server.http.encoding import Json
from punct.server.puzzles.service import PuzzleProgress, Skill


def puzzle_skill(skill: Skill | None) -> Json | None:
    """Return a player's puzzle rating; None for a player who has tried none."""
    return None if skill is None else _skill(skill.rating, *skill.counts)


def puzzle_standing(progress: PuzzleProgress) -> Json:
    """Return an account holder's progress."""
    return {
        **_skill(progress.rating, len(progress.tried), sum(progress.tried.values())),
        "best_streak": progress.best_streak,
        "best_rush": progress.best_rush,
        "days": [day.isoformat() for day in progress.days],
        "tried": dict(progress.tried),
    }


def puzzles_tried(progress: PuzzleProgress, ratings: Mapping[str, float]) -> Json:
    """Return a player's progress after tries, and the puzzles' ratings."""
    return {"standing": puzzle_standing(progress), "puzzles": _rounded(ratings)}


def puzzle_ratings(ratings: Mapping[str, float]) -> Json:
    """Return the ratings of puzzles."""
    return {"ratings": _rounded(ratings)}


def _skill(rating: Rating, tries: int, solved: int) -> Json:
    return {
        "rating": round(rating.rating),
        "deviation": round(rating.deviation),
        "provisional": rating.is_provisional,
        "tries": tries,
        "solved": solved,
    }


def _rounded(ratings: Mapping[str, float]) -> dict[str, int]:
    return {puzzle: round(rating) for puzzle, rating in ratings.items()}
