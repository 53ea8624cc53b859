"""Puts notices about appointments into words, by what the appointment is now: nobody is told what is no longer so."""

from __future__ import annotations

from datetime import datetime

from punct.server.appointments.errors import UnknownAppointmentError
from punct.server.appointments.model import REMINDER_LEADS, StoredAppointment
from punct.server.appointments.service import Appointments
from punct.server.appointments.store import LAPSE, WAITING
from punct.server.games.model import SeatedPlayer
from punct.server.notifications.model import Message, NoticeSettings, StoredNotice
from punct.server.notifications.service import Notifications
from punct.server.notifications.texts import text
from punct.server.notifications.wording import NotYetError, local_time
from punct.server.relations.service import Relations


class AppointmentMessages:
    """The words of notices about appointments."""

    def __init__(self, appointments: Appointments, relations: Relations) -> None:
        """Read appointments. Nobody hears of whom they have blocked."""
        self._appointments, self._relations = appointments, relations

    def register(self, notifications: Notifications) -> None:
        """Write the notices of these kinds from now on."""
        notifications.add_writer("appointment", self._write)
        notifications.add_writer("reminder", self._write_reminder)

    async def _write(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Write what has become of an appointment."""
        appointment_id, _, about = notice.subject.partition("/")
        appointment = await self._find(appointment_id, notice.player_id)
        if appointment is None:
            return _deleted_player_message(notice, settings, now)
        if about == LAPSE and appointment.state(now) == "agreed":
            raise NotYetError(appointment.expires)  # the clock of this process is behind
        key = _key(appointment, notice.player_id, now)
        if key is None or (about == LAPSE) != (key == "lapsed"):
            return None
        if await self._relations.has_blocked(notice.player_id, appointment.other(notice.player_id).id):
            return None
        words = appointment.reply if key in ("declined", "cancelled") else None
        return _message(notice, appointment, settings, f"date.{key}", now, words)

    async def _write_reminder(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Write that a date is near, or that the other player is there and waits."""
        appointment_id, _, about = notice.subject.partition("/")
        appointment = await self._find(appointment_id, notice.player_id)
        if appointment is None or appointment.date is None or appointment.state(now) != "agreed":
            return None
        other = appointment.other(notice.player_id)
        is_awaited = appointment.is_here(other.id, now) and not appointment.is_here(notice.player_id, now)
        if about == WAITING:
            return _message(notice, appointment, settings, "date.waiting", now) if is_awaited else None
        if not about:  # whether either, which could not be delivered before, may be sent again
            is_of_use = is_awaited or appointment.date > now
            return _message(notice, appointment, settings, "date.soon", now) if is_of_use else None
        last = REMINDER_LEADS[-1]
        is_last = int(about) <= last.total_seconds() // 60
        if appointment.date <= now or (not is_last and appointment.date - last <= now):
            return None  # too late: the other reminder says it, or the game should have begun
        return _message(notice, appointment, settings, "date.soon" if is_last else "date.reminder", now)

    async def _find(self, appointment_id: str, player_id: str) -> StoredAppointment | None:
        try:
            return await self._appointments.get(appointment_id, player_id)
        except UnknownAppointmentError:
            return None


def _key(appointment: StoredAppointment, player_id: str, now: datetime) -> str | None:
    """Return which message tells a player of the state of an appointment; None if they know it or need not."""
    is_proposer = player_id == appointment.proposer.id
    match appointment.state(now):
        case "proposed" if not is_proposer:
            return "proposed" if appointment.replaces is None else "changed"
        case "declined" if is_proposer and appointment.replaced_by is None:
            return "declined"
        case "agreed":
            return "accepted" if is_proposer else "agreed"
        case "cancelled" if appointment.ended_by != player_id:
            return "cancelled"
        case "lapsed":
            return "lapsed"
        case _:
            return None


def _message(
    notice: StoredNotice,
    appointment: StoredAppointment,
    settings: NoticeSettings,
    key: str,
    now: datetime,
    words: str | None = None,
) -> Message:
    """Return a message with the date in the player's time zone; ``words`` are the other player's own."""
    language = settings.language
    own_zone = appointment.zone if notice.player_id == appointment.proposer.id else appointment.to_zone
    zone = settings.zone if settings.zone != "UTC" or own_zone is None else own_zone
    values = {"opponent": _name(appointment.other(notice.player_id), language)}
    dates = appointment.dates if appointment.date is None else (appointment.date,)
    values["date"] = " · ".join(local_time(date, zone, language) for date in dates)
    return Message(
        notice.kind,
        appointment.id,
        text(language, f"{key}.title", **values),
        words or text(language, f"{key}.body", **values),
        f"/date/{appointment.id}",
        now,
    )


def _deleted_player_message(notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
    """Return the message that a date is cancelled because the other player was deleted; None if there was no date."""
    if "date" not in notice.data:
        return None
    language, date = settings.language, datetime.fromisoformat(notice.data["date"])
    if date <= now:
        return None
    values = {
        "opponent": notice.data["name"] or text(language, "nobody"),
        "date": local_time(date, settings.zone, language),
    }
    title, body = (text(language, f"date.cancelled.{part}", **values) for part in ("title", "body"))
    return Message(notice.kind, notice.subject, title, body, "/", now)


def _name(player: SeatedPlayer, language: str) -> str:
    handle = None if player.handle is None else f"@{player.handle}"
    return player.name or handle or text(language, "nobody")
