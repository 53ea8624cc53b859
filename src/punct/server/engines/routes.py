"""Engine levels and hints."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from punct.server.auth.identity import actor_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.engines import presenter, schemas
from punct.server.engines.schemas import Levels
from punct.server.engines.service import Engines
from punct.server.games.parameters import GameId
from punct.server.games.rights import check_sole_player
from punct.server.games.service import Games
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import HINTS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)


@router.get("/levels", tags=["board"])
async def get_levels() -> Levels:
    """Return the levels the computer can play at, weakest first."""
    return await asyncio.to_thread(presenter.levels)  # the first time, this loads the engine


@router.post(
    "/games/{game_id}/hint",
    tags=["games"],
    response_model=schemas.Hint,
    responses=error_responses(403, 404, 409, 422, 429, 503),
)
@limited(HINTS)
@token_scope("play")
async def get_hint(game_id: GameId, request: Request) -> Response:
    """Return a move the strongest level would play, for a person whose turn it is. Disconnect to stop the search."""
    services = services_of(request)
    game = await services.get(Games).get(game_id)
    check_sole_player(game.stored, await actor_of(request))
    result = await cancel_on_disconnect(request, services.get(Engines).hint(game))
    return json_response(presenter.hint(game, result))
