"""Routes of vacations."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import AwareDatetime

from punct.server.auth.identity import Context, identity_of
from punct.server.auth.routing import ApiRoute
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.vacations import presenter, schemas
from punct.server.vacations.service import Vacations

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=ApiRoute)
_CHANGE_ERRORS: Final = error_responses(401, 403, 404, 409, 413, 422, 429)


@router.get("/me/vacations", response_model=schemas.VacationsView, responses=error_responses(401, 403, 409, 429))
async def get_vacations(request: Request) -> Response:
    """Return your vacations that are not over, and how many days are left."""
    return await _response(request)


@router.post("/me/vacations", status_code=201, response_model=schemas.VacationsView, responses=_CHANGE_ERRORS)
async def begin_vacation(body: schemas.NewVacation, request: Request, context: Context) -> Response:
    """Take days of vacation, from now or from a later time on: your days games stand meanwhile. Needs an account."""
    player = identity_of(request).require_player()
    await services_of(request).get(Vacations).begin(player, body.begins, body.days, context.idempotency_key)
    return await _response(request, 201)


@router.delete("/me/vacations", response_model=schemas.VacationsView, responses=_CHANGE_ERRORS)
async def end_vacation(
    request: Request,
    context: Context,
    begins: Annotated[
        AwareDatetime | None, Query(description="Of the vacation to end or to cancel; the current one if left out")
    ] = None,
) -> Response:
    """End your vacation now, or cancel a planned one. Days that have begun stay used."""
    player = identity_of(request).require_player()
    await services_of(request).get(Vacations).end(player, begins, context.idempotency_key)
    return await _response(request)


async def _response(request: Request, status: int = 200) -> Response:
    services, player = services_of(request), identity_of(request).require_player()
    vacations = await services.get(Vacations).of_player(player.id)
    return json_response(presenter.vacations(vacations, services.now()), status)
