"""Routes of challenges."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.piece import Colour
from punct.server.auth.errors import NoAccountError, NotInScopeError
from punct.server.auth.identity import Context, find_challenge_reader, identity_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.auth.sessions import Sessions
from punct.server.challenges import presenter, schemas
from punct.server.challenges.service import Challenges, ChallengeTerms
from punct.server.games import schemas as game_schemas
from punct.server.games.ownership import check_account
from punct.server.games.snapshots import game_response
from punct.server.games.time_control import TimeControl
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import CHALLENGES, CODES
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response

router = APIRouter(prefix="/api/v1", tags=["challenges"], route_class=ApiRoute)

ChallengeId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{16,32}$", examples=["c0ffee-Punct-c0ffee-42"])]


@router.post(
    "/challenges",
    status_code=201,
    response_model=schemas.Challenge,
    responses=error_responses(401, 403, 409, 413, 422, 429),
)
@limited(CHALLENGES)
@token_scope("challenge")
async def create_challenge(new: schemas.NewChallenge, request: Request, context: Context) -> Response:
    """Create a challenge. Anybody with its link can accept it; if it is listed, everybody in the lobby can."""
    challenges = services_of(request).get(Challenges)
    if new.rated:
        check_account(request)
    to = None
    if new.to is not None:
        if not identity_of(request).require_player().has_account:
            raise NoAccountError("Only account holders challenge a player by name; make an account, or log in.")
        to = (await services_of(request).get(Sessions).resolve_player(new.to)).id
    terms = ChallengeTerms(
        new.rules,
        new.position,
        None if new.colour is None else {"w": Colour.WHITE, "b": Colour.BLACK}[new.colour],
        None if new.time == "none" else TimeControl.parse(new.time),
        new.rated,
        new.listed,
        to,
        new.replaces,
        new.places,
    )
    challenge = await challenges.create(terms, context.actor, context.idempotency_key)
    return json_response(presenter.challenge(challenge), 201)


@router.get("/challenges/{challenge_id}", response_model=schemas.Challenge, responses=error_responses(404, 409, 422))
async def get_challenge(challenge_id: ChallengeId, request: Request) -> Response:
    """Return a challenge; once it was accepted, with its game. One to a player is for the two of them alone."""
    challenge = await services_of(request).get(Challenges).get(challenge_id, find_challenge_reader(request))
    return json_response(presenter.challenge(challenge))


@router.get("/me/challenges", response_model=schemas.OwnChallenges, responses=error_responses(401, 403, 409))
async def list_own_challenges(request: Request) -> Response:
    """Return the open challenges to you, and those of yours that are open or were declined."""
    identity_of(request).require_player()
    reader_id = find_challenge_reader(request)
    if reader_id is None:
        raise NotInScopeError("This token was not made for that: it would need the scope 'read' or 'challenge'.")
    received, sent = await services_of(request).get(Challenges).of_player(reader_id)
    return json_response(presenter.own_challenges(received, sent))


@router.delete("/challenges/{challenge_id}", status_code=204, responses=error_responses(403, 404, 409, 422))
@token_scope("challenge")
async def withdraw_challenge(challenge_id: ChallengeId, request: Request, context: Context) -> None:
    """Withdraw a challenge of your own that nobody has accepted. A standing one opens no more; its games go on."""
    await services_of(request).get(Challenges).withdraw(challenge_id, context.actor, context.idempotency_key)


@router.post(
    "/challenges/{challenge_id}/accept",
    status_code=201,
    response_model=game_schemas.Game,
    responses=error_responses(401, 403, 404, 409, 413, 422, 429),
)
@token_scope("challenge")
async def accept_challenge(challenge_id: ChallengeId, request: Request, context: Context) -> Response:
    """Accept a challenge, and begin its game. Of several players, the first one succeeds; others get `taken`."""
    challenges = services_of(request).get(Challenges)
    if (await challenges.get(challenge_id, context.actor.player_id)).rated:
        check_account(request)
    return await game_response(
        request, await challenges.accept(challenge_id, context.actor, context.idempotency_key), 201
    )


@router.post(
    "/challenges/{challenge_id}/decline",
    response_model=schemas.Challenge,
    responses=error_responses(401, 403, 404, 409, 413, 422, 429),
)
@token_scope("challenge")
async def decline_challenge(
    challenge_id: ChallengeId, request: Request, context: Context, body: schemas.DeclineRequest | None = None
) -> Response:
    """Decline a challenge to you, perhaps with a few words. To change its terms, create one that `replaces` it."""
    words = None if body is None else body.words
    challenge = (
        await services_of(request).get(Challenges).decline(challenge_id, words, context.actor, context.idempotency_key)
    )
    return json_response(presenter.challenge(challenge))


@router.get(
    "/challenges/{challenge_id}/qr.svg",
    response_class=Response,
    responses={
        200: {"description": "The picture", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        **error_responses(404, 409, 422),
    },
)
@limited(CODES)
async def draw_challenge(challenge_id: ChallengeId, request: Request) -> Response:
    """Draw a challenge's link as a QR code, to be opened with a phone."""
    await services_of(request).get(Challenges).get(challenge_id, find_challenge_reader(request))
    link = str(request.base_url.replace(path=f"/join/{challenge_id}"))
    return Response(await asyncio.to_thread(_qr, link), media_type="image/svg+xml")


def _qr(link: str) -> bytes:
    import segno  # most servers never draw one

    file = io.BytesIO()
    segno.make(link, micro=False).save(file, kind="svg", scale=8, border=4, light="white", omitsize=True)
    return file.getvalue()
