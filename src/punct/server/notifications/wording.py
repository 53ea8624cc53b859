"""Puts notices about games into words, by what the game is now: nobody is told what is no longer so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from punct.piece import Colour
from punct.server.db.outbox import NoticeKind
from punct.server.games.model import COLOURS, StoredGame
from punct.server.games.notices import player_of, reminder_lead
from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.notifications.texts import text

GAME_KINDS: Final[tuple[NoticeKind, ...]] = ("turn", "time", "seat", "offer", "over", "aborted")
"""The kinds of notices that are put into words here; other packages add writers of theirs."""


class NotYetError(Exception):
    """A notice is early; ``due`` is when to look again."""

    def __init__(self, due: datetime) -> None:
        super().__init__(due)
        self.due = due


def game_message(
    notice: StoredNotice, game: StoredGame | None, settings: NoticeSettings, now: datetime
) -> Message | None:
    """Return the message of a notice about a game; None if it is out of date. Raises NotYetError."""
    language = settings.language
    if game is None:
        if notice.kind != "aborted":
            return None
        opponent = _opponent_name(notice.data, language)
        return Message("aborted", notice.subject, text(language, "aborted.title"),
                       text(language, "aborted.body", opponent=opponent), "/", now)  # fmt: skip
    colour = next((colour for colour in Colour if player_of(game, colour) == notice.player_id), None)
    if colour is None:
        return None
    opponent = game.seats[colour.other].display_name or text(language, "nobody")
    body = _body(notice, game, colour, opponent, language, now)
    if body is None:
        return None
    title = text(language, f"{notice.kind}.title", opponent=opponent)
    return Message(notice.kind, game.id, title, body, f"/game/{game.id}", now, game.id)


def _body(
    notice: StoredNotice, game: StoredGame, colour: Colour, opponent: str, language: str, now: datetime
) -> str | None:
    """Return the second line of a message; None if it is out of date."""
    is_to_move = game.outcome is None and game.turn is colour
    match notice.kind:
        case "turn":
            if not is_to_move:
                return None
            if notice.data.get("resumed"):
                return text(language, "turn.body_resumed", opponent=opponent)
            return text(language, "turn.body" if game.ply else "turn.body_first", opponent=opponent)
        case "time":
            if not is_to_move or game.clock is None or game.clock.deadline is None:
                return None
            left = game.clock.deadline - now
            if left > reminder_lead(game) + timedelta(seconds=1):  # the deadline has moved
                raise NotYetError(game.clock.deadline - reminder_lead(game))
            return text(language, "time.body", opponent=opponent, time=duration(left, language))
        case "seat":
            return None if game.outcome is not None else text(language, "seat.body", opponent=opponent)
        case "offer":
            if game.offer is None or game.offer.by is colour:
                return None
            return text(language, f"offer.{game.offer.kind}")
        case "over":
            if game.outcome is None:
                return None
            winner = game.outcome.winner
            result = "draw" if winner is None else "won" if winner is colour else "lost"
            return text(language, f"over.{result}", opponent=opponent)
        case _:
            return None


def duration(time: timedelta, language: str) -> str:
    """Return a time in the largest unit of which there are two, rounded down: nobody is promised more than there is."""
    minutes = max(0, time // timedelta(minutes=1))
    if minutes >= 2 * 24 * 60:
        return text(language, "time.days", n=minutes // (24 * 60))
    return (
        text(language, "time.hours", n=minutes // 60) if minutes >= 120 else text(language, "time.minutes", n=minutes)
    )


def local_time(time: datetime, zone: str, language: str) -> str:
    """Return a time in a time zone, with its day of the week and the zone's name.

    >>> from datetime import UTC
    >>> local_time(datetime(2026, 12, 5, 19, tzinfo=UTC), "Europe/Warsaw", "en")
    'Sat 2026-12-05, 20:00 (Europe/Warsaw)'
    """
    known = zone_or_utc(zone)
    local = time.astimezone(known)
    day = text(language, "weekdays").split()[local.weekday()]
    return f"{day} {local:%Y-%m-%d, %H:%M} ({str(known).replace('_', ' ')})"


def zone_or_utc(name: str) -> tzinfo:
    """Return a time zone; UTC if this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        return ZoneInfo("UTC")


def _opponent_name(data: Mapping[str, Any], language: str) -> str:
    other = COLOURS[data["colour"]].other
    return data.get("names", {}).get(other.letter) or text(language, "nobody")
