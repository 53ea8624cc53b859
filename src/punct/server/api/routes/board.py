"""What needs no game: the board, any position, the server's health."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.api import openapi, present
from punct.server.api.answers import JSON, json_answer, packed_answer
from punct.server.api.bodies import BodyRoute
from punct.server.api.errors import ANSWERS
from punct.server.api.limited import limited
from punct.server.api.limits import POSITIONS
from punct.server.api.schemas import (
    Board,
    Explanation,
    Health,
    Levels,
    PositionExplainRequest,
    PositionRequest,
    PositionView,
)
from punct.server.play.game import reached
from punct.server.play.moment import explain, look

router = APIRouter(prefix="/api/v1", route_class=BodyRoute)
_VERSION: Final = version("punct")


@router.get("/health", tags=["board"])
async def get_health() -> Health:
    """Tell that the server is up, and which version it is."""
    return Health(version=_VERSION)


@router.get("/openapi.json", include_in_schema=False)
async def get_description(request: Request) -> Response:
    """Return the API's description."""
    return packed_answer(request, *await asyncio.to_thread(openapi.written, request.app), JSON)


@router.get("/board", tags=["board"])
async def get_board(response: Response) -> Board:
    """Return the board's geometry and the pieces' shapes: enough to draw every position."""
    response.headers["Cache-Control"] = "public, max-age=86400"
    return present.board()


@router.post(
    "/positions/view",
    tags=["positions"],
    response_model=PositionView,
    responses={key: ANSWERS[key] for key in (403, 413, 422)},
)
@limited(POSITIONS)
async def view_position(request: PositionRequest) -> Response:
    """Show any position, after playing some turns there: for links, examples and previews."""

    def view() -> Response:
        position = reached(request.position, request.turns)
        return json_answer(present.position(look(position, position.outcome())))

    return await asyncio.to_thread(view)


@router.post(
    "/positions/explain",
    tags=["positions"],
    response_model=Explanation,
    responses={key: ANSWERS[key] for key in (403, 413, 422)},
)
@limited(POSITIONS)
async def explain_in_position(request: PositionExplainRequest) -> Response:
    """Say the same as in a game about any position."""

    def say() -> Response:
        position = reached(request.position, request.turns)
        found = explain(position, position.outcome(), request.text, any_heading=request.any_heading)
        return json_answer(present.explanation(found))

    return await asyncio.to_thread(say)


@router.get("/levels", tags=["board"])
async def get_levels() -> Levels:
    """Return the strengths the opponent can play at, weakest first."""
    return await asyncio.to_thread(present.levels)  # the first time, this loads the engine
