"""Challenges: games that want a second player."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from punct.piece import Colour
from punct.server.api import present, schemas
from punct.server.api.answers import game_answer, json_answer
from punct.server.api.asking import Asking
from punct.server.api.belonging import check_account
from punct.server.api.bodies import BodyRoute
from punct.server.api.limited import limited
from punct.server.api.limits import CHALLENGES, CODES
from punct.server.api.routes.games import may
from punct.server.api.services import services_of
from punct.server.people.refusals import NotOfferedError
from punct.server.play.challenges import Challenges, Wanted
from punct.server.play.clock import TimeControl

router = APIRouter(prefix="/api/v1", tags=["challenges"], route_class=BodyRoute)

ChallengeId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{16,32}$", examples=["c0ffee-Punct-c0ffee-42"])]


@router.post(
    "/challenges", status_code=201, response_model=schemas.Challenge, responses=may(401, 403, 409, 413, 422, 429)
)
@limited(CHALLENGES)
async def create_challenge(new: schemas.NewChallenge, request: Request, asked: Asking) -> Response:
    """Offer a game: to whoever has its link, and if it is listed to everybody in the lobby."""
    challenges = _challenges(request)
    if new.rated:
        await check_account(request)
    wanted = Wanted(
        new.rules,
        new.position,
        None if new.colour is None else {"w": Colour.WHITE, "b": Colour.BLACK}[new.colour],
        None if new.time == "none" else TimeControl.parse(new.time),
        new.rated,
        new.listed,
    )
    challenge = await challenges.create(wanted, asked.actor, asked.request)
    return json_answer(present.challenge(challenge), 201)


@router.get("/challenges/{challenge_id}", response_model=schemas.Challenge, responses=may(404, 409, 422))
async def get_challenge(challenge_id: ChallengeId, request: Request) -> Response:
    """Return a challenge; once it has been accepted, with its game."""
    return json_answer(present.challenge(await _challenges(request).get(challenge_id)))


@router.delete("/challenges/{challenge_id}", status_code=204, responses=may(403, 404, 409, 422))
async def withdraw_challenge(challenge_id: ChallengeId, request: Request, asked: Asking) -> None:
    """Take a challenge of one's own back, if nobody has accepted it."""
    await _challenges(request).withdraw(challenge_id, asked.actor, asked.request)


@router.post(
    "/challenges/{challenge_id}/accept",
    status_code=201,
    response_model=schemas.Game,
    responses=may(401, 403, 404, 409, 413, 422, 429),
)
async def accept_challenge(challenge_id: ChallengeId, request: Request, asked: Asking) -> Response:
    """Sit down opposite the challenger, and begin. Of several who would, the first one does; others get `taken`."""
    challenges = _challenges(request)
    if (await challenges.get(challenge_id)).rated:
        await check_account(request)
    return await game_answer(request, await challenges.accept(challenge_id, asked.actor, asked.request), 201)


@router.get(
    "/challenges/{challenge_id}/qr.svg",
    response_class=Response,
    responses={
        200: {"description": "The picture", "content": {"image/svg+xml": {"schema": {"type": "string"}}}},
        **may(404, 409, 422),
    },
)
@limited(CODES)
async def draw_challenge(challenge_id: ChallengeId, request: Request) -> Response:
    """Draw a challenge's link as a QR code, for somebody with a telephone."""
    await _challenges(request).get(challenge_id)
    link = str(request.base_url.replace(path=f"/join/{challenge_id}"))
    return Response(await asyncio.to_thread(_qr, link), media_type="image/svg+xml")


def _qr(link: str) -> bytes:
    import segno  # most servers never draw one

    written = io.BytesIO()
    segno.make(link, micro=False).save(written, kind="svg", scale=8, border=4, light="white", omitsize=True)
    return written.getvalue()


def _challenges(request: Request) -> Challenges:
    found = services_of(request).challenges
    if found is None:
        raise NotOfferedError("At home everybody sits at one screen: there is nobody to invite.")
    return found
