"""JSON of habits."""

from __future__ import annotations

from collections.abc import Mapping

from punct.server.habits.model import Habits
from punct.server.http.encoding import Json


def habits(stored: Habits | None) -> Json:
    """Return the habits of a player; None for a guest."""
    if stored is None:
        return {"answer": None, "correspondence": None, "hours": None}
    return {**_answers(stored), "hours": None if stored.hours is None else list(stored.hours)}


def habits_list(players: Mapping[str, Habits]) -> Json:
    """Return how soon players answer, by their ids."""
    return {"players": [{"player": player_id, **_answers(stored)} for player_id, stored in players.items()]}


def settings(hides_hours: bool) -> Json:
    """Return what others may see of a player's habits."""
    return {"hours": not hides_hours}


def _answers(stored: Habits) -> Json:
    return {
        "answer": None if stored.answer is None else round(stored.answer.total_seconds()),
        "correspondence": None if stored.correspondence is None else stored.correspondence._asdict(),
    }
