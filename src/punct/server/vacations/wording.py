"""Puts notices about vacations into words."""

from __future__ import annotations

from datetime import datetime

from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.notifications.texts import text
from punct.server.notifications.wording import zone_or_utc


async def vacation_message(notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
    """Return the message that an opponent begins or ends a vacation; None if that is over before anybody was told."""
    language, game_id, until = settings.language, notice.data["game"], notice.data["until"]
    opponent = notice.data["name"] or text(language, "nobody")
    key = "ended"
    values = {"opponent": opponent}
    if until is not None:
        end = datetime.fromisoformat(until)
        if end <= now:
            return None
        key, values["until"] = "begun", f"{end.astimezone(zone_or_utc(settings.zone)):%Y-%m-%d}"
    title, body = (text(language, f"vacation.{key}_{part}", **values) for part in ("title", "body"))
    return Message("vacation", notice.subject, title, body, f"/game/{game_id}", now, game_id)
