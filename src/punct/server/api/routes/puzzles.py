"""Puzzles on the account: what was tried, and what that says of who tried it and of the puzzles."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.api import present, schemas
from punct.server.api.answers import JSON, json_answer, unchanged
from punct.server.api.asking import IdempotencyKey, request_key
from punct.server.api.bodies import BodyRoute
from punct.server.api.limited import limited
from punct.server.api.limits import TRIES
from punct.server.api.routes.games import may
from punct.server.api.whoami import visit_of
from punct.server.people.puzzles import Try

router = APIRouter(prefix="/api/v1/puzzles", tags=["puzzles"], route_class=BodyRoute)
_CHANGES: Final = may(401, 403, 409, 413, 415, 422, 429)


@router.get("/standing", response_model=schemas.PuzzleStanding, responses=may(401, 403, 409))
async def get_puzzle_standing(request: Request) -> Response:
    """Tell an account holder how they stand at puzzles. With a token, if it has the scope `read`."""
    visit = visit_of(request)
    return json_answer(present.puzzle_standing(await visit.people.puzzles.standing(visit.somebody())))


@router.post("/tries", response_model=schemas.PuzzlesTried, responses=_CHANGES)
@limited(TRIES)
async def hand_in_tries(wanted: schemas.PuzzleTriesRequest, request: Request, key: IdempotencyKey = None) -> Response:
    """Keep what an account holder has tried. The first try of a puzzle counts, for their rating and for its own."""
    visit = visit_of(request)
    player, puzzles = visit.somebody(), visit.people.puzzles
    tries = [Try(told.puzzle, told.solved, told.at, told.mode, told.day) for told in wanted.tries]
    ratings = await puzzles.hand_in(player, tries, await request_key(request, player.id, key))
    return json_answer(present.puzzles_tried(await puzzles.standing(player), ratings))


@router.put("/bests", response_model=schemas.PuzzleStanding, responses=_CHANGES)
async def raise_puzzle_bests(wanted: schemas.PuzzleBestsRequest, request: Request) -> Response:
    """Keep the most that an account holder has solved in a row, and against the clock. It only ever grows."""
    visit = visit_of(request)
    player, puzzles = visit.somebody(), visit.people.puzzles
    await puzzles.raise_bests(player, wanted.best_streak, wanted.best_rush)
    return json_answer(present.puzzle_standing(await puzzles.standing(player)))


@router.get("/ratings", response_model=schemas.PuzzleRatingList, responses=may(409))
async def get_puzzle_ratings(request: Request) -> Response:
    """Return the ratings of the puzzles that somebody has tried: all others have those they come with."""
    content = present.encode(present.puzzle_ratings(await visit_of(request).people.puzzles.ratings()))
    tag = blake2b(content, digest_size=12).hexdigest()
    headers = {"Cache-Control": "public, max-age=60", "ETag": f'"{tag}"'}
    return unchanged(request, headers) or Response(content, 200, headers, JSON)
