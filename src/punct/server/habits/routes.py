"""Routes of habits."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.auth.schemas import PlayerReference
from punct.server.auth.sessions import Sessions
from punct.server.habits import presenter, schemas
from punct.server.habits.service import PlayerHabits
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import HABITS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=ApiRoute)

PlayerIds = Annotated[
    str,
    Query(
        pattern="^[A-Za-z0-9_-]{1,32}(?:,[A-Za-z0-9_-]{1,32}){0,29}$",
        description="Up to 30 ids of players, separated by commas",
    ),
]


@router.get("/players/{player_id}/habits", response_model=schemas.Habits, responses=error_responses(404, 409, 422, 429))
@limited(HABITS)
async def get_habits(player_id: PlayerReference, request: Request) -> Response:
    """Return how soon a player answers, whether they finish their games, and when they usually play."""
    services = services_of(request)
    player = await services.get(Sessions).resolve_player(player_id)
    return json_response(presenter.habits(await services.get(PlayerHabits).of_player(player.id)))


@router.get("/habits", response_model=schemas.HabitsList, responses=error_responses(409, 422, 429))
@limited(HABITS)
async def list_habits(players: PlayerIds, request: Request) -> Response:
    """Return how soon several players answer, and whether they finish their games: of those who have an account."""
    habits = await services_of(request).get(PlayerHabits).of_players(players.split(","))
    return json_response(presenter.habits_list(habits))


@router.get("/me/habits", response_model=schemas.OwnHabitsSettings, responses=error_responses(401, 403, 409))
@token_scope("read")
async def get_habits_settings(request: Request) -> Response:
    """Return what others may see of your habits."""
    player = identity_of(request).require_player()
    return json_response(presenter.settings(await services_of(request).get(PlayerHabits).hides_hours(player.id)))


@router.put(
    "/me/habits", response_model=schemas.OwnHabitsSettings, responses=error_responses(401, 403, 409, 413, 422, 429)
)
async def change_habits_settings(body: schemas.HabitsSettings, request: Request) -> Response:
    """Choose what others may see of your habits."""
    player = identity_of(request).require_player()
    await services_of(request).get(PlayerHabits).set_hides_hours(player.id, not body.hours)
    return json_response(presenter.settings(not body.hours))
