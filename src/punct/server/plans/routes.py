"""Routes of conditional moves: of one's own alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from punct.server.auth.identity import own_actor
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.games.parameters import GameId
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import PLANS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.plans import presenter, schemas
from punct.server.plans.service import Plans

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=ApiRoute)

QueriedVersion = Annotated[
    int | None, Query(ge=0, le=2**53, description="Of the plan to withdraw; whatever is stored if left out")
]


@router.get(
    "/games/{game_id}/plan", response_model=schemas.PlanView, responses=error_responses(401, 403, 404, 409, 422)
)
@token_scope("play")
async def get_plan(game_id: GameId, request: Request) -> Response:
    """Return your conditional moves in a game. Nobody else can see them."""
    plan = await services_of(request).get(Plans).get(game_id, own_actor(request))
    return json_response(presenter.plan(game_id, plan))


@router.put(
    "/games/{game_id}/plan",
    response_model=schemas.PlanView,
    responses=error_responses(401, 403, 404, 409, 413, 422, 429),
)
@limited(PLANS)
@token_scope("play")
async def put_plan(game_id: GameId, body: schemas.PlanRequest, request: Request) -> Response:
    """Store your conditional moves: the server plays your reply together with the opponent's move."""
    replies = presenter.requested_replies(body.replies)
    plan = (
        await services_of(request)
        .get(Plans)
        .put(game_id, body.ply, body.version, body.first, replies, own_actor(request))
    )
    return json_response(presenter.plan(game_id, plan))


@router.delete(
    "/games/{game_id}/plan", response_model=schemas.PlanView, responses=error_responses(401, 403, 404, 409, 422, 429)
)
@limited(PLANS)
@token_scope("play")
async def withdraw_plan(game_id: GameId, request: Request, version: QueriedVersion = None) -> Response:
    """Withdraw your conditional moves. The empty plan has a version of its own: what was sent before is refused."""
    plan = await services_of(request).get(Plans).withdraw(game_id, version, own_actor(request))
    return json_response(presenter.plan(game_id, plan))
