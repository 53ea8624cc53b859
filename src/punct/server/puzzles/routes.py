"""Routes of puzzles: tries, the progress of account holders, and the ratings of puzzles."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from fastapi import APIRouter, Request, Response

from punct.server.auth.identity import IdempotencyHeader, idempotency_key_of, identity_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.http import encoding
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import PUZZLE_ATTEMPTS
from punct.server.http.registry import services_of
from punct.server.http.responses import JSON, json_response, not_modified
from punct.server.puzzles import presenter, schemas
from punct.server.puzzles.service import Puzzles, Try

router = APIRouter(prefix="/api/v1/puzzles", tags=["puzzles"], route_class=ApiRoute)
_CHANGE_ERRORS: Final = error_responses(401, 403, 409, 413, 415, 422, 429)


@router.get("/standing", response_model=schemas.PuzzleStanding, responses=error_responses(401, 403, 409))
@token_scope("read")
async def get_puzzle_standing(request: Request) -> Response:
    """Return an account holder's progress at puzzles. A token needs the scope `read`."""
    identity = identity_of(request)
    return json_response(
        presenter.puzzle_standing(await services_of(request).get(Puzzles).progress(identity.require_player()))
    )


@router.post("/tries", response_model=schemas.PuzzlesTried, responses=_CHANGE_ERRORS)
@limited(PUZZLE_ATTEMPTS)
async def hand_in_tries(body: schemas.PuzzleTriesRequest, request: Request, key: IdempotencyHeader = None) -> Response:
    """Store tries of an account holder. The first try of a puzzle counts, for the player's rating and the puzzle's."""
    identity = identity_of(request)
    player, puzzles = identity.require_player(), services_of(request).get(Puzzles)
    tries = [Try(item.puzzle, item.solved, item.at, item.mode, item.day) for item in body.tries]
    ratings = await puzzles.record_tries(player, tries, await idempotency_key_of(request, player.id, key))
    return json_response(presenter.puzzles_tried(await puzzles.progress(player), ratings))


@router.put("/bests", response_model=schemas.PuzzleStanding, responses=_CHANGE_ERRORS)
async def raise_puzzle_bests(body: schemas.PuzzleBestsRequest, request: Request) -> Response:
    """Store an account holder's best streak and best rush. They only ever grow."""
    identity = identity_of(request)
    player, puzzles = identity.require_player(), services_of(request).get(Puzzles)
    await puzzles.update_bests(player, body.best_streak, body.best_rush)
    return json_response(presenter.puzzle_standing(await puzzles.progress(player)))


@router.get("/ratings", response_model=schemas.PuzzleRatingList, responses=error_responses(409))
async def get_puzzle_ratings(request: Request) -> Response:
    """Return the ratings of all puzzles that were tried; all others have the ratings they come with."""
    content = encoding.encode(presenter.puzzle_ratings(await services_of(request).get(Puzzles).ratings()))
    tag = blake2b(content, digest_size=12).hexdigest()
    headers = {"Cache-Control": "public, max-age=60", "ETag": f'"{tag}"'}
    return not_modified(request, headers) or Response(content, 200, headers, JSON)
