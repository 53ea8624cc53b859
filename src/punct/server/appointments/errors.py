"""Errors of appointments."""

from __future__ import annotations

from punct.server.errors import RequestError


class UnknownAppointmentError(RequestError, status=404, code="unknown_appointment"):
    """No appointment of the requester has this id."""

    def __init__(self) -> None:
        super().__init__("There is no such date; it was withdrawn, or is long past.")


class AppointmentChangedError(RequestError, status=409, code="appointment_changed"):
    """The appointment is in another state than the request supposes; the detail has it."""

    def __init__(self, state: str, **detail: object) -> None:
        super().__init__("This has changed meanwhile; look at it again.", state=state, **detail)


class UnsuitableDateError(RequestError, status=422, code="unsuitable_date"):
    """A date is in the past, too near, too far away, or not among those that were proposed."""


class DateTakenError(RequestError, status=409, code="date_taken"):
    """One of the players has agreed on another game around that time."""


class NotOpenYetError(RequestError, status=409, code="not_open_yet"):
    """It is too early to say that one is there."""

    def __init__(self, opens: str) -> None:
        super().__init__("Say that you are there when the date is near.", opens=opens)
