"""Routes for two players: rights, offers, pauses, aborting a game, greetings."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from punct.server.auth.identity import Context, actor_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.games import messages, presenter, schemas
from punct.server.games.parameters import CHANGE_ERRORS, GameId
from punct.server.games.rights import require_two_player_seat, rights_of
from punct.server.games.service import Games
from punct.server.games.snapshots import game_response
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import GREETINGS, OFFERS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.live.hub import Hub
from punct.server.relations.service import Relations

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=ApiRoute)


@router.get("/games/{game_id}/you", response_model=schemas.You, responses=error_responses(404, 422))
async def get_you(game_id: GameId, request: Request) -> Response:
    """Return the requester's rights in a game. They do not change while it is played."""
    services = services_of(request)
    game = await services.get(Games).get(game_id)
    return json_response(presenter.you(rights_of(game.stored, await actor_of(request)), services.now()))


@router.post("/games/{game_id}/offers", response_model=schemas.Game, responses=CHANGE_ERRORS)
@limited(OFFERS)
@token_scope("play")
async def make_offer(game_id: GameId, body: schemas.OfferRequest, request: Request, context: Context) -> Response:
    """Offer a draw, a rematch, a pause, or to take back your last move. If both offer the same, it is agreed."""
    games = services_of(request).get(Games)
    return await game_response(request, await games.offer(game_id, body.kind, context.actor, context.idempotency_key))


@router.post("/games/{game_id}/offers/accept", response_model=schemas.Game, responses=CHANGE_ERRORS)
@token_scope("play")
async def accept_offer(game_id: GameId, body: schemas.OfferRequest, request: Request, context: Context) -> Response:
    """Accept the other player's offer. After an accepted rematch, the game names it as `next`."""
    games = services_of(request).get(Games)
    return await game_response(request, await games.accept(game_id, body.kind, context.actor, context.idempotency_key))


@router.delete("/games/{game_id}/offers", response_model=schemas.Game, responses=CHANGE_ERRORS)
@token_scope("play")
async def decline_offer(game_id: GameId, request: Request, context: Context) -> Response:
    """Decline the other player's offer, or withdraw your own."""
    return await game_response(
        request, await services_of(request).get(Games).decline(game_id, context.actor, context.idempotency_key)
    )


@router.post("/games/{game_id}/resume", response_model=schemas.Game, responses=CHANGE_ERRORS)
@limited(OFFERS)
@token_scope("play")
async def resume_game(game_id: GameId, request: Request, context: Context) -> Response:
    """End a pause that both players agreed to: the clock runs again. Either of them may."""
    games = services_of(request).get(Games)
    return await game_response(request, await games.resume(game_id, context.actor, context.idempotency_key))


@router.post("/games/{game_id}/abort", status_code=204, responses=CHANGE_ERRORS)
@token_scope("play")
async def abort_game(game_id: GameId, request: Request, context: Context) -> None:
    """Delete a game before both players have made their first move. Either of them may."""
    await services_of(request).get(Games).abort(game_id, context.actor, context.idempotency_key)


@router.post("/games/{game_id}/greetings", status_code=204, responses=error_responses(403, 404, 409, 413, 422, 429))
@limited(GREETINGS)
@token_scope("play")
async def greet(game_id: GameId, body: schemas.GreetingRequest, request: Request) -> None:
    """Send a greeting to everybody who is connected to the game. It is not stored.

    If the opponent has blocked you, it reaches nobody.
    """
    services = services_of(request)
    game = await services.get(Games).get(game_id)
    by = require_two_player_seat(game.stored, await actor_of(request))
    sender, receiver = (game.seats[colour].player for colour in (by, by.other))
    if (
        sender is not None
        and receiver is not None
        and await services.get(Relations).has_blocked(receiver.id, sender.id)
    ):
        return
    services.get(Hub).publish(game_id, "greeting", messages.greeting_message(by, body.greeting))
