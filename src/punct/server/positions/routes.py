"""Routes that need no game: the board, and any position."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Response

from punct.kernel.view import view_json
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.http.errors import ERROR_RESPONSES
from punct.server.http.rate_limits import POSITIONS
from punct.server.http.responses import JSON
from punct.server.positions import board, presenter
from punct.server.positions.schemas import Board, Explanation, PositionExplainRequest, PositionRequest, PositionView
from punct.server.positions.setup import position_after

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)


@router.get("/board", tags=["board"])
async def get_board(response: Response) -> Board:
    """Return the board's geometry and the pieces' shapes: enough to draw every position."""
    response.headers["Cache-Control"] = "public, max-age=86400"
    return board.board()


@router.post(
    "/positions/view",
    tags=["positions"],
    response_model=PositionView,
    responses={key: ERROR_RESPONSES[key] for key in (403, 413, 422)},
)
@limited(POSITIONS)
@token_scope(None)
async def view_position(request: PositionRequest) -> Response:
    """Return the view of any position, after some moves played there: for links, examples and previews."""

    def view() -> Response:
        position = position_after(request.position, request.turns)
        return Response(view_json(position, position.outcome()), media_type=JSON)

    return await asyncio.to_thread(view)


@router.post(
    "/positions/explain",
    tags=["positions"],
    response_model=Explanation,
    responses={key: ERROR_RESPONSES[key] for key in (403, 413, 422)},
)
@limited(POSITIONS)
@token_scope(None)
async def explain_in_position(request: PositionExplainRequest) -> Response:
    """Explain a move in any position, as in a game."""

    def explain() -> Response:
        position = position_after(request.position, request.turns)
        outcome = position.outcome()
        return Response(
            presenter.explanation(position, outcome, request.text, any_heading=request.any_heading), media_type=JSON
        )

    return await asyncio.to_thread(explain)
