"""Puts notices of plans that were dropped into words."""

from __future__ import annotations

from datetime import datetime

from punct.piece import Colour
from punct.server.games.game import PlayedGame
from punct.server.games.notices import player_of
from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.notifications.texts import text
from punct.server.plans.model import Plan


def dropped_message(
    notice: StoredNotice, game: PlayedGame, plan: Plan | None, settings: NoticeSettings, now: datetime
) -> Message | None:
    """Return the message that a plan was dropped; None if its owner knows: it was replaced, or is gone."""
    colour = next((colour for colour in Colour if player_of(game.stored, colour) == notice.player_id), None)
    if colour is None or game.outcome is not None or plan is None or plan.dropped is None:
        return None
    language = settings.language
    opponent = game.seats[colour.other].display_name or text(language, "nobody")
    key = "plan.body_taken_back" if plan.dropped.reason == "taken_back" else "plan.body"
    body = text(language, key, opponent=opponent)
    title = text(language, "plan.title")
    return Message("plan", game.id, title, body, f"/game/{game.id}", now, game.id)
