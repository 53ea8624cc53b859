"""JSON of conditional moves, and these from requests."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.http.encoding import Json
from punct.server.plans.model import Plan, PlannedReply
from punct.server.plans.schemas import ReplyRequest


def plan(game_id: str, stored: Plan) -> Json:
    """Return a player's plan in a game."""
    dropped = stored.dropped
    return {
        "game": game_id,
        "ply": stored.ply,
        "version": stored.version,
        "first": stored.first,
        "replies": _replies(stored.replies),
        "dropped": dropped and {"reason": dropped.reason, "ply": dropped.ply, "turn": dropped.move},
    }


def requested_replies(replies: Iterable[ReplyRequest]) -> tuple[PlannedReply, ...]:
    """Return the replies of a request."""
    return tuple(PlannedReply(reply.turn, reply.reply, requested_replies(reply.then)) for reply in replies)


def _replies(replies: Iterable[PlannedReply]) -> list[Json]:
    return [{"turn": reply.move, "reply": reply.reply, "then": _replies(reply.then)} for reply in replies]
