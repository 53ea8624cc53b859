"""JSON of a player's settings of notifications."""

from __future__ import annotations

from collections.abc import Iterable

from punct.server.db.outbox import NoticeKind
from punct.server.http.encoding import Json
from punct.server.notifications.model import NoticeSettings
from punct.server.notifications.texts import FALLBACK, LANGUAGES


def notification_settings(settings: NoticeSettings, channels: Iterable[str], kinds: Iterable[NoticeKind]) -> Json:
    """Return how a player is told what happens."""
    return {
        "channels": list(channels),
        "kinds": list(kinds),
        "muted": {channel: sorted(muted) for channel, muted in settings.muted.items() if muted},
        "language": settings.language if settings.language in LANGUAGES else FALLBACK,
        "zone": settings.zone,
    }
