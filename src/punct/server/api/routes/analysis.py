"""Looking at games: what was played in a position, analyses to share, reviews that are kept."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from punct.server.api import present
from punct.server.api.answers import json_answer
from punct.server.api.asking import Asking
from punct.server.api.bodies import BodyRoute
from punct.server.api.guard import COSTLY
from punct.server.api.limited import limited
from punct.server.api.limits import ANALYSES, EXPLORER, REVIEWS
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_tree
from punct.server.api.routes.games import GameId, may
from punct.server.api.routes.pictures import PositionQuery
from punct.server.api.schemas.analysis import (
    Analysis,
    AnalysisMade,
    AnalysisRequest,
    Opening,
    Review,
    ReviewRequest,
    SourceWord,
)
from punct.server.api.services import services_of
from punct.server.api.whoami import actor_of
from punct.server.play import analyses
from punct.server.play.explorer import SOURCES

router = APIRouter(prefix="/api/v1", tags=["analysis"], route_class=BodyRoute)
AnalysisId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$", examples=["c0ffee-Punct-tree"])]


@router.get("/explorer", response_model=Opening, responses=may(403, 422, 429), dependencies=COSTLY)
@limited(EXPLORER)
async def explore_openings(
    request: Request,
    position: PositionQuery = "standard w",
    source: Annotated[
        list[SourceWord] | None, Query(max_length=3, description="Where games come from; all of these if left out")
    ] = None,
) -> Response:
    """Tell what was played in a position, how often, and how those games ended."""
    explorer = services_of(request).explorer
    wanted = [name for name in SOURCES if source is None or name in source]
    answer = await asyncio.to_thread(lambda: json_answer(present.opening(explorer.look(position, wanted))))
    answer.headers["Cache-Control"] = "public, max-age=10"
    return answer


@router.post("/analyses", status_code=201, response_model=AnalysisMade, responses=may(403, 413, 422, 429, 503))
@limited(ANALYSES)
async def share_analysis(wanted: AnalysisRequest, request: Request, asked: Asking) -> Response:
    """Keep an analysis under an address that nobody can guess, for half a year after somebody last asks for it."""
    services = services_of(request)
    tree = await while_connected(request, read_tree(services.reading, wanted.tree))
    made = await services.analyses.share(tree, asked.request)
    return json_answer(present.analysis_made(made), 201, {"Location": f"/api/v1/analyses/{made}"})


@router.get("/analyses/{analysis_id}", response_model=Analysis, responses=may(404, 422))
async def get_analysis(analysis_id: AnalysisId, request: Request) -> Response:
    """Return an analysis that somebody shares."""
    return json_answer(present.analysis(await services_of(request).analyses.shared(analysis_id)))


@router.put("/games/{game_id}/review", response_model=Review, responses=may(403, 404, 409, 413, 422, 429))
@limited(REVIEWS)
async def keep_review(game_id: GameId, wanted: ReviewRequest, request: Request) -> Response:
    """Keep the review of a finished game with it: for who played it."""
    review = await asyncio.to_thread(_reviewed, wanted)
    kept = services_of(request).analyses
    game, updated = await kept.keep_review(game_id, review, await actor_of(request))
    return await asyncio.to_thread(lambda: json_answer(present.review(game, review, updated)))


@router.get("/games/{game_id}/review", response_model=Review, responses=may(404, 422))
async def get_review(game_id: GameId, request: Request) -> Response:
    """Return the review of a finished game."""
    found = await services_of(request).analyses.review(game_id)
    return await asyncio.to_thread(lambda: json_answer(present.review(*found)))


def _reviewed(wanted: ReviewRequest) -> analyses.Review:
    """Return a review as it is kept. It may have two thousand turns."""
    turns = tuple(
        analyses.ReviewedTurn(told.turn, told.chance, told.given_away, told.proven, told.judgement, tuple(told.best))
        for told in wanted.turns
    )
    return analyses.Review(wanted.engine, wanted.nodes, wanted.start, turns)
