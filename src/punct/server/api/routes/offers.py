"""Between two players: what one offers the other, an early end, and a friendly word."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from punct.server.api import present, schemas
from punct.server.api.answers import game_answer, json_answer
from punct.server.api.asking import Asking
from punct.server.api.bodies import BodyRoute
from punct.server.api.limited import limited
from punct.server.api.limits import GREETINGS, OFFERS
from punct.server.api.routes.games import CHANGES, GameId, may
from punct.server.api.services import services_of
from punct.server.api.whoami import actor_of
from punct.server.play.rights import rights_of

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=BodyRoute)


@router.get("/games/{game_id}/you", response_model=schemas.You, responses=may(404, 422))
async def get_you(game_id: GameId, request: Request) -> Response:
    """Tell what the one who asks is in a game. It does not change while the game is played."""
    services = services_of(request)
    game = await services.games.get(game_id)
    return json_answer(present.you(rights_of(game.stored, await actor_of(request)), services.now()))


@router.post("/games/{game_id}/offers", response_model=schemas.Game, responses=CHANGES)
@limited(OFFERS)
async def make_offer(game_id: GameId, wanted: schemas.OfferRequest, request: Request, asked: Asking) -> Response:
    """Offer the other player a draw, to take back one's last turn, or another game. What both offer is agreed on."""
    games = services_of(request).games
    return await game_answer(request, await games.offer(game_id, wanted.kind, asked.actor, asked.request))


@router.post("/games/{game_id}/offers/accept", response_model=schemas.Game, responses=CHANGES)
async def accept_offer(game_id: GameId, wanted: schemas.OfferRequest, request: Request, asked: Asking) -> Response:
    """Accept what the other player has offered. The game after a rematch was accepted names the `next` one."""
    games = services_of(request).games
    return await game_answer(request, await games.accept(game_id, wanted.kind, asked.actor, asked.request))


@router.delete("/games/{game_id}/offers", response_model=schemas.Game, responses=CHANGES)
async def decline_offer(game_id: GameId, request: Request, asked: Asking) -> Response:
    """Decline what the other player has offered, or take one's own offer back."""
    return await game_answer(request, await services_of(request).games.decline(game_id, asked.actor, asked.request))


@router.post("/games/{game_id}/abort", status_code=204, responses=CHANGES)
async def abort_game(game_id: GameId, request: Request, asked: Asking) -> None:
    """Forget a game before both players have played their first turn: either of them may."""
    await services_of(request).games.abort(game_id, asked.actor, asked.request)


@router.post("/games/{game_id}/greetings", status_code=204, responses=may(403, 404, 409, 413, 422, 429))
@limited(GREETINGS)
async def greet(game_id: GameId, wanted: schemas.GreetingRequest, request: Request) -> None:
    """Say something friendly to everybody at the board. It is not kept."""
    services = services_of(request)
    by = await services.games.greet(game_id, await actor_of(request))
    services.hub.publish(game_id, "greeting", present.greeting_message(by, wanted.greeting))
