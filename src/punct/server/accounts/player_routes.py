"""Routes of players: the own one, and others as everybody sees them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from punct.server.accounts import presenter, schemas
from punct.server.accounts.handles import Handles
from punct.server.accounts.service import Accounts
from punct.server.auth.identity import actor_of, identity_of, player_of
from punct.server.auth.routing import ApiRoute, limited
from punct.server.auth.schemas import PlayerId, PlayerReference
from punct.server.auth.sessions import Sessions
from punct.server.games import presenter as game_presenter
from punct.server.games import schemas as game_schemas
from punct.server.games.parameters import MAX_PAGE_SIZE
from punct.server.games.service import Games
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import HANDLES, SEARCHES
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.puzzles.service import Puzzles
from punct.server.ratings.service import Ratings

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=ApiRoute)

SearchText = Annotated[
    str, Query(min_length=1, max_length=60, description="How a handle (with or without `@`) or a name begins")
]


@router.get("/me", response_model=schemas.Me)
async def get_me(request: Request) -> Response:
    """Return the player who makes the request, and whether this server is online."""
    return await me_response(request)


@router.post("/me", response_model=schemas.Me, responses=error_responses(403, 409, 413, 422, 429))
async def enter(request: Request, body: schemas.NameRequest | None = None) -> Response:
    """Create a guest if the request has no session, and set the name if one is given. The cookie alone proves it."""
    identity = identity_of(request)
    player = await identity.get_or_create_player()
    if body is not None and body.name is not None:
        identity.update_player(await services_of(request).get(Accounts).rename(player, body.name))
    return await me_response(request)


@router.patch("/me", response_model=schemas.Me, responses=error_responses(401, 403, 409, 413, 422, 429))
async def change_me(request: Request, body: schemas.MeRequest) -> Response:
    """Change or remove the name; store settings."""
    identity = identity_of(request)
    player = identity.require_player()
    if "name" in body.model_fields_set:
        identity.update_player(player := await services_of(request).get(Accounts).rename(player, body.name))
    if "settings" in body.model_fields_set:
        identity.update_player(await services_of(request).get(Accounts).save_settings(player, body.settings))
    return await me_response(request)


@router.put("/me/handle", response_model=schemas.Me, responses=error_responses(401, 403, 409, 413, 422, 429))
@limited(HANDLES)
async def change_handle(request: Request, body: schemas.HandleRequest) -> Response:
    """Choose a handle, or another one: at most once in 30 days. The one before stays yours."""
    identity = identity_of(request)
    player = identity.require_player()
    identity.update_player(await services_of(request).get(Handles).change(player, body.handle))
    return await me_response(request)


@router.get("/players", response_model=schemas.FoundPlayers, responses=error_responses(409, 422, 429))
@limited(SEARCHES)
async def search_players(request: Request, query: SearchText) -> Response:
    """Find account holders whose handle or name begins with a text, whatever its case and accents; 20 at most."""
    searcher = identity_of(request).player
    players = await services_of(request).get(Handles).search(query, None if searcher is None else searcher.id)
    return json_response(presenter.found_players(players))


@router.get("/players/{player_id}", response_model=schemas.PlayerPage, responses=error_responses(404, 409, 422))
async def get_player(player_id: PlayerReference, request: Request) -> Response:
    """Return a player as everybody sees them: name, ratings, results of games, skill at puzzles."""
    services = services_of(request)
    player = await services.get(Sessions).resolve_player(player_id)
    ratings = services.get(Ratings)
    game_counts = await ratings.game_counts(player.id)
    skill = await services.get(Puzzles).skill(player.id)
    return json_response(presenter.player_page(player, await ratings.of_player(player.id), game_counts, skill))


@router.get(
    "/players/{player_id}/games", response_model=game_schemas.GameList, responses=error_responses(404, 409, 422)
)
async def list_games_of_player(
    player_id: PlayerId,
    request: Request,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
) -> Response:
    """List a player's games, the last changed first: the public and the rated ones; one's own, all.

    A token lists all of one's own if it has the scope `read`.
    """
    identity = identity_of(request)
    await identity.sessions.require_player(player_id)
    is_own = identity.can_read and identity.player is not None and identity.player.id == player_id
    games, total = (
        await services_of(request)
        .get(Games)
        .list_by_player(player_id, offset, limit, include_private=is_own or identity.is_admin)
    )
    actor = await actor_of(request)
    return json_response(
        game_presenter.game_list((game_presenter.list_entry(game, actor) for game in games), total, offset, limit)
    )


async def me_response(request: Request, status: int = 200) -> Response:
    """Return the player who makes the request, as they see themselves."""
    services, player = services_of(request), player_of(request)
    ratings = [] if player is None else await services.get(Ratings).of_player(player.id)
    return json_response(presenter.me(player, ratings, online=services.online), status)
