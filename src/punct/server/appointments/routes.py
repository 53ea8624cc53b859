"""Routes of appointments."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from punct.piece import Colour
from punct.server.appointments import presenter, schemas
from punct.server.appointments.calendar import appointment_event
from punct.server.appointments.errors import AppointmentChangedError
from punct.server.appointments.model import StoredAppointment
from punct.server.appointments.service import Appointments, AppointmentTerms
from punct.server.auth.errors import NoAccountError, NotInScopeError
from punct.server.auth.identity import Context, find_challenge_reader, identity_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.auth.sessions import Sessions
from punct.server.games.time_control import TimeControl
from punct.server.http.errors import error_responses
from punct.server.http.ics import CALENDAR, calendar
from punct.server.http.rate_limits import APPOINTMENTS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.notifications.service import Notifications

router = APIRouter(prefix="/api/v1", tags=["appointments"], route_class=ApiRoute)

AppointmentId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{16,32}$", examples=["c0ffee-Punct-c0ffee-42"])]
_CHANGE_ERRORS: Final = error_responses(401, 403, 404, 409, 413, 422, 429)


@router.post(
    "/appointments",
    status_code=201,
    response_model=schemas.Appointment,
    responses=_CHANGE_ERRORS,
)
@limited(APPOINTMENTS)
@token_scope("challenge")
async def propose_appointment(new: schemas.NewAppointment, request: Request, context: Context) -> Response:
    """Propose a live game to a player, for one of up to three dates. Needs an account."""
    if not identity_of(request).require_player().has_account:
        raise NoAccountError("Only account holders propose dates; make an account, or log in.")
    terms = AppointmentTerms(
        (await services_of(request).get(Sessions).resolve_player(new.to)).id,
        tuple(new.dates),
        TimeControl.parse(new.time),
        new.rules,
        None if new.colour is None else {"w": Colour.WHITE, "b": Colour.BLACK}[new.colour],
        new.rated,
        new.words,
        new.zone,
        new.replaces,
    )
    return _response(request, await _appointments(request).propose(terms, context.actor, context.idempotency_key), 201)


@router.get("/me/appointments", response_model=schemas.OwnAppointments, responses=error_responses(401, 403, 409, 429))
async def list_appointments(request: Request) -> Response:
    """Return what is proposed to you and by you, and the dates on which you have agreed, the next first."""
    appointments = await _appointments(request).of_player(_reader_id(request))
    return json_response(presenter.own_appointments(appointments, services_of(request).now()))


@router.get(
    "/appointments/{appointment_id}",
    response_model=schemas.Appointment,
    responses=error_responses(401, 403, 404, 409, 422, 429),
)
async def get_appointment(appointment_id: AppointmentId, request: Request) -> Response:
    """Return an appointment of yours, as it is now."""
    return _response(request, await _appointments(request).get(appointment_id, _reader_id(request)))


@router.get(
    "/appointments/{appointment_id}/calendar.ics",
    response_class=Response,
    responses={
        200: {"description": "The calendar file", "content": {"text/calendar": {"schema": {"type": "string"}}}},
        **error_responses(401, 403, 404, 409, 422, 429),
    },
)
async def get_appointment_calendar(appointment_id: AppointmentId, request: Request) -> Response:
    """Return a date that is agreed on as a calendar file, with an alarm. Its times are in UTC."""
    player_id, services = _reader_id(request), services_of(request)
    appointment = await _appointments(request).get(appointment_id, player_id)
    if appointment.date is None:
        raise AppointmentChangedError(appointment.state(services.now()))
    language = (await services.get(Notifications).settings(player_id)).language
    event = appointment_event(appointment, player_id, language, str(request.base_url).rstrip("/"))
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="punct-{appointment_id}.ics"',
    }
    return Response(calendar([event]), 200, headers, CALENDAR)


@router.post("/appointments/{appointment_id}/accept", response_model=schemas.Appointment, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def accept_appointment(
    appointment_id: AppointmentId, body: schemas.Acceptance, request: Request, context: Context
) -> Response:
    """Agree on one of the dates that were proposed to you. Both players are told, and reminded before it."""
    accepted = await _appointments(request).accept(
        appointment_id, body.date, body.zone, context.actor, context.idempotency_key
    )
    return _response(request, accepted)


@router.post("/appointments/{appointment_id}/decline", response_model=schemas.Appointment, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def decline_appointment(
    appointment_id: AppointmentId, request: Request, context: Context, body: schemas.Reply | None = None
) -> Response:
    """Decline what was proposed to you, perhaps with a few words. For other dates, propose some that `replaces` it."""
    words = None if body is None else body.words
    declined = await _appointments(request).decline(appointment_id, words, context.actor, context.idempotency_key)
    return _response(request, declined)


@router.post("/appointments/{appointment_id}/cancel", response_model=schemas.Appointment, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def cancel_appointment(
    appointment_id: AppointmentId, request: Request, context: Context, body: schemas.Reply | None = None
) -> Response:
    """Cancel a date that was agreed on, before the game has begun. The other player is told."""
    words = None if body is None else body.words
    cancelled = await _appointments(request).cancel(appointment_id, words, context.actor, context.idempotency_key)
    return _response(request, cancelled)


@router.delete("/appointments/{appointment_id}", status_code=204, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def delete_appointment(appointment_id: AppointmentId, request: Request, context: Context) -> None:
    """Withdraw a proposal of yours, or remove one that the other player has declined or cancelled."""
    await _appointments(request).delete(appointment_id, context.actor, context.idempotency_key)


@router.put("/appointments/{appointment_id}/here", response_model=schemas.Appointment, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def arrive_at_appointment(appointment_id: AppointmentId, request: Request, context: Context) -> Response:
    """Say that you are there. It holds for two minutes; the game begins as soon as both are, once.

    From ten minutes before the date until fifteen after it. Until the game has begun, say it again every minute.
    """
    return _response(request, await _appointments(request).arrive(appointment_id, context.actor))


@router.delete("/appointments/{appointment_id}/here", response_model=schemas.Appointment, responses=_CHANGE_ERRORS)
@token_scope("challenge")
async def leave_appointment(appointment_id: AppointmentId, request: Request, context: Context) -> Response:
    """Say that you are not there any more, before the game has begun."""
    return _response(request, await _appointments(request).leave(appointment_id, context.actor))


def _reader_id(request: Request) -> str:
    """Return the id of the player who reads their own appointments."""
    identity_of(request).require_player()
    player_id = find_challenge_reader(request)
    if player_id is None:
        raise NotInScopeError("This token was not made for that: it would need the scope 'read' or 'challenge'.")
    return player_id


def _response(request: Request, appointment: StoredAppointment, status: int = 200) -> Response:
    return json_response(presenter.appointment(appointment, services_of(request).now()), status)


def _appointments(request: Request) -> Appointments:
    return services_of(request).get(Appointments)
