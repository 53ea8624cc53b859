"""Routes of rating curves and leaderboards."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.auth.routing import ApiRoute
from punct.server.auth.schemas import PlayerId
from punct.server.auth.sessions import Sessions
from punct.server.http import schemas as http_schemas
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.ratings import presenter, schemas
from punct.server.ratings.service import Ratings

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=ApiRoute)

Pool = Annotated[str, Path(pattern="^(standard|basic)-(live|days|level)$", examples=["standard-live"])]


@router.get(
    "/players/{player_id}/ratings/{pool}", response_model=schemas.RatingCurve, responses=error_responses(404, 409, 422)
)
async def get_rating_curve(player_id: PlayerId, pool: Pool, request: Request) -> Response:
    """Return how each game changed a player's rating in a pool."""
    services = services_of(request)
    await services.get(Sessions).require_player(player_id)
    return json_response(presenter.rating_curve(pool, await services.get(Ratings).history(player_id, pool)))


@router.get("/leaderboard", response_model=schemas.Leaderboard, responses=error_responses(409, 422))
async def get_leaderboard(
    request: Request, rules: http_schemas.RulesWord = "standard", speed: schemas.Speed = "live"
) -> Response:
    """Return the strongest players, by rules and speed."""
    pool = f"{rules}-{speed}"
    return json_response(presenter.leaderboard(pool, await services_of(request).get(Ratings).leaderboard(pool)))
