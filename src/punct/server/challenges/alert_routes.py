"""Routes of seat alerts: for their owner, in a browser."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, token_scope
from punct.server.challenges import presenter, schemas
from punct.server.challenges.alerts import SeatAlerts
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", tags=["challenges"], route_class=ApiRoute)


@router.get("/me/seat-alerts", response_model=schemas.SeatAlerts, responses=error_responses(401, 403, 409))
@token_scope("read")
async def list_alerts(request: Request) -> Response:
    """Return the seats that you want to be told of."""
    player = identity_of(request).require_player()
    return json_response(presenter.seat_alerts(await services_of(request).get(SeatAlerts).list_of(player.id)))


@router.post(
    "/me/seat-alerts",
    status_code=201,
    response_model=schemas.SeatAlertView,
    responses=error_responses(401, 403, 409, 413, 422, 429),
)
async def add_alert(body: schemas.SeatAlertRequest, request: Request) -> Response:
    """Be told when somebody offers such a seat in the lobby: for 30 days, and of one seat in four hours."""
    player = identity_of(request).require_player()
    alert = await services_of(request).get(SeatAlerts).add(player.id, body.rules, body.speed, body.rated)
    return json_response(presenter.seat_alert(alert), 201)


@router.delete("/me/seat-alerts/{alert_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429))
async def remove_alert(alert_id: Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$")], request: Request) -> None:
    """Be told of such seats no more."""
    player = identity_of(request).require_player()
    await services_of(request).get(SeatAlerts).remove(player.id, alert_id)
