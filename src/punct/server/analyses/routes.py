"""Routes of shared analyses and reviews."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.server.analyses import presenter, service
from punct.server.analyses.schemas import Analysis, AnalysisMade, AnalysisRequest, Review, ReviewRequest
from punct.server.analyses.service import Analyses
from punct.server.auth.identity import Context, actor_of
from punct.server.auth.routing import ApiRoute, limited
from punct.server.games.parameters import GameId
from punct.server.games.records import RecordReader
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import ANALYSES, REVIEWS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", tags=["analysis"], route_class=ApiRoute)
AnalysisId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$", examples=["c0ffee-Punct-tree"])]


@router.post(
    "/analyses", status_code=201, response_model=AnalysisMade, responses=error_responses(403, 413, 422, 429, 503)
)
@limited(ANALYSES)
async def share_analysis(body: AnalysisRequest, request: Request, context: Context) -> Response:
    """Store an analysis under an id that cannot be guessed, until half a year after it was last requested."""
    services = services_of(request)
    tree = await cancel_on_disconnect(request, services.get(RecordReader).read_tree(body.tree))
    analysis_id = await services.get(Analyses).share(tree, context.idempotency_key)
    return json_response(presenter.new_analysis(analysis_id), 201, {"Location": f"/api/v1/analyses/{analysis_id}"})


@router.get("/analyses/{analysis_id}", response_model=Analysis, responses=error_responses(404, 422))
async def get_analysis(analysis_id: AnalysisId, request: Request) -> Response:
    """Return a shared analysis."""
    return json_response(presenter.analysis(await services_of(request).get(Analyses).get(analysis_id)))


@router.put("/games/{game_id}/review", response_model=Review, responses=error_responses(403, 404, 409, 413, 422, 429))
@limited(REVIEWS)
async def keep_review(game_id: GameId, body: ReviewRequest, request: Request) -> Response:
    """Store the review of a finished game with it. Only its players may."""
    review = await asyncio.to_thread(_review, body)
    analyses = services_of(request).get(Analyses)
    game, updated = await analyses.store_review(game_id, review, await actor_of(request))
    return await asyncio.to_thread(lambda: json_response(presenter.review(game, review, updated)))


@router.get("/games/{game_id}/review", response_model=Review, responses=error_responses(404, 422))
async def get_review(game_id: GameId, request: Request) -> Response:
    """Return the review of a finished game."""
    game, review, updated = await services_of(request).get(Analyses).review(game_id)
    return await asyncio.to_thread(lambda: json_response(presenter.review(game, review, updated)))


def _review(body: ReviewRequest) -> service.Review:
    """Return the review in a request. It may have two thousand moves: not for the event loop."""
    moves = tuple(
        service.ReviewedMove(move.turn, move.chance, move.given_away, move.proven, move.judgement, tuple(move.best))
        for move in body.turns
    )
    return service.Review(body.engine, body.nodes, body.start, moves)
