"""Appointments as events of calendar files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from punct.server.appointments.model import REMINDER_LEADS, StoredAppointment
from punct.server.appointments.store import AppointmentStore
from punct.server.clock import Now, utc_now
from punct.server.games.time_control import TimeControl
from punct.server.http.ics import CalendarEvent
from punct.server.notifications.texts import text

MAX_EVENTS: Final = 100
"""Of one player, in one feed."""
MOVES_OF_SIDE: Final = 30
"""How many moves a side is reckoned to make, for how long a game keeps both busy."""
MAX_DURATION: Final = timedelta(hours=4)


def appointment_event(appointment: StoredAppointment, player_id: str, language: str, site: str) -> CalendarEvent:
    """Return the event of a date that was agreed on, for one of the two players. Its times are in UTC."""
    assert appointment.date is not None
    url = f"{site}/date/{appointment.id}"
    return CalendarEvent(
        uid=f"date-{appointment.id}@{urlsplit(site).hostname}",
        start=appointment.date,
        summary=text(language, "date.event", opponent=_opponent(appointment, player_id, language)),
        modified=appointment.updated,
        duration=_duration(appointment.time),
        description=url,
        url=url,
        sequence=0 if appointment.ended is None else 1,
        alarm=REMINDER_LEADS[-1] if appointment.ended is None else None,
        is_cancelled=appointment.ended is not None,
    )


class AppointmentCalendar:
    """What calendar feeds show of appointments."""

    def __init__(self, store: AppointmentStore, now: Now = utc_now) -> None:
        """Read appointments from a store."""
        self._store, self._now = store, now

    def events(self, player_id: str, language: str, site: str) -> Iterator[CalendarEvent]:
        """Return the events of a player, from yesterday on. It blocks."""
        for appointment in self._store.for_calendar(player_id, self._now(), MAX_EVENTS):
            yield appointment_event(appointment, player_id, language, site)


def _opponent(appointment: StoredAppointment, player_id: str, language: str) -> str:
    player = appointment.other(player_id)
    return player.name or (f"@{player.handle}" if player.handle else text(language, "nobody"))


def _duration(time: str) -> timedelta:
    control = TimeControl.parse(time)
    return min(2 * (control.initial + MOVES_OF_SIDE * control.increment), MAX_DURATION)
