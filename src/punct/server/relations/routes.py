"""Routes of relations: for their owner, in a browser."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from punct.server.auth.identity import identity_of
from punct.server.auth.routing import ApiRoute, token_scope
from punct.server.auth.schemas import PlayerReference
from punct.server.auth.sessions import Sessions
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.relations import presenter, schemas
from punct.server.relations.service import Relations

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=ApiRoute)


@router.get("/me/relations", response_model=schemas.RelationList, responses=error_responses(401, 403, 409))
@token_scope("read")
async def list_relations(request: Request) -> Response:
    """Return whom you follow, with the games they are playing, and whom you have blocked."""
    relations = services_of(request).get(Relations)
    return json_response(presenter.relation_list(await relations.list_of(identity_of(request).require_player().id)))


@router.get(
    "/players/{player_id}/relation", response_model=schemas.Relation, responses=error_responses(401, 403, 404, 409, 422)
)
@token_scope("read")
async def get_relation(player_id: PlayerReference, request: Request) -> Response:
    """Return whether you follow a player, or have blocked them. Nobody else can see it."""
    services, own_id = services_of(request), identity_of(request).require_player().id
    other = await services.get(Sessions).resolve_player(player_id)
    return json_response(presenter.relation(await services.get(Relations).between(own_id, other.id)))


@router.put(
    "/players/{player_id}/relation",
    response_model=schemas.Relation,
    responses=error_responses(401, 403, 404, 409, 413, 422, 429),
)
async def relate(player_id: PlayerReference, body: schemas.RelationRequest, request: Request) -> Response:
    """Follow a player, or block them. They are not told.

    Who is blocked can neither challenge you, nor take a seat that you offer, nor offer you a rematch; their greetings
    do not reach you, and a search of theirs does not find you. Games that you play with them go on.
    """
    services, own_id = services_of(request), identity_of(request).require_player().id
    other = await services.get(Sessions).resolve_player(player_id)
    await services.get(Relations).relate(own_id, other.id, body.kind)
    return json_response(presenter.relation(body.kind))


@router.delete(
    "/players/{player_id}/relation", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429)
)
async def end_relation(player_id: PlayerReference, request: Request) -> None:
    """Follow or block a player no more."""
    services, own_id = services_of(request), identity_of(request).require_player().id
    other = await services.get(Sessions).resolve_player(player_id)
    await services.get(Relations).end(own_id, other.id)
