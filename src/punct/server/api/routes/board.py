"""What needs no game: the board, any position, the server's health."""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from fastapi import APIRouter, Response

from punct.server.api.board import board
from punct.server.api.errors import ANSWERS
from punct.server.api.levels import levels
from punct.server.api.schemas import (
    Board,
    Explanation,
    Health,
    Levels,
    PositionExplainRequest,
    PositionRequest,
    PositionView,
)
from punct.server.play.games import explain
from punct.server.play.view import Play

router = APIRouter(prefix="/api/v1", tags=["board"])


@router.get("/health")
async def health() -> Health:
    """Tell that the server is up, and which version it is."""
    return Health(version=version("punct"))


@router.get("/board")
async def get_board(response: Response) -> Board:
    """Return the board's geometry and the pieces' shapes: enough to draw every position."""
    response.headers["Cache-Control"] = "public, max-age=86400"
    return board()


@router.post("/positions/view", responses={key: ANSWERS[key] for key in (403, 413, 422)})
async def view_position(request: PositionRequest) -> PositionView:
    """Show any position, after playing some turns there: for links, examples and previews."""
    return await asyncio.to_thread(lambda: Play(request.position, request.turns).view())


@router.post("/positions/explain", responses={key: ANSWERS[key] for key in (403, 413, 422)})
async def explain_position(request: PositionExplainRequest) -> Explanation:
    """Say whether a turn is legal in any position, and if not, which rule it breaks."""
    return await asyncio.to_thread(lambda: explain(Play(request.position, request.turns).game, request.text))


@router.get("/levels")
async def get_levels() -> Levels:
    """Return the strengths the opponent can play at, weakest first."""
    return levels()
