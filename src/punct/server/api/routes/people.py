"""Who is who: the one who asks, and others."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from punct.server.api import present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.bodies import BodyRoute
from punct.server.api.routes.games import MOST_PER_PAGE, may
from punct.server.api.services import People, services_of
from punct.server.api.whoami import actor_of, player_of, visit_of
from punct.server.people.players import Player
from punct.server.people.refusals import UnknownPlayerError

router = APIRouter(prefix="/api/v1", tags=["people"], route_class=BodyRoute)

PlayerId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$")]
Pool = Annotated[str, Path(pattern="^(standard|basic)-(live|days|level)$", examples=["standard-live"])]


@router.get("/me", response_model=schemas.Me)
async def get_me(request: Request) -> Response:
    """Tell who asks, and whether this server is online at all."""
    return await about_me(request)


@router.post("/me", response_model=schemas.Me, responses=may(403, 409, 413, 422, 429))
async def enter(request: Request, wanted: schemas.NameRequest | None = None) -> Response:
    """Become known here, as a guest if need be, by a name if one is given. The cookie is all that proves it."""
    visit = visit_of(request)
    player = await visit.enter()
    if wanted is not None and wanted.name is not None:
        visit.see(await visit.people.players.rename(player, wanted.name))
    return await about_me(request)


@router.patch("/me", response_model=schemas.Me, responses=may(401, 403, 409, 413, 422, 429))
async def change_me(request: Request, wanted: schemas.MeRequest) -> Response:
    """Take another name, or none; keep settings."""
    visit = visit_of(request)
    player = visit.somebody()
    if "name" in wanted.model_fields_set:
        visit.see(player := await visit.people.players.rename(player, wanted.name))
    if "settings" in wanted.model_fields_set:
        visit.see(await visit.people.players.settle(player, wanted.settings))
    return await about_me(request)


@router.get("/players/{player_id}", response_model=schemas.PlayerPage, responses=may(404, 409, 422))
async def get_player(player_id: PlayerId, request: Request) -> Response:
    """Return a player as anybody sees them: name, ratings, how their games came out, how strong they are at puzzles."""
    people = visit_of(request).people
    player = await _known(people, player_id)
    fared = await people.ratings.fared(player_id)
    skill = await people.puzzles.skill(player_id)
    return json_answer(present.player_page(player, await people.ratings.of(player_id), fared, skill))


@router.get("/players/{player_id}/games", response_model=schemas.GameList, responses=may(404, 409, 422))
async def list_games_of_player(
    player_id: PlayerId,
    request: Request,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_PER_PAGE)] = 20,
) -> Response:
    """List a player's games, the last changed first: those that were open to everybody, or rated; one's own, all.

    With a token, all of one's own if it has the scope `read`.
    """
    visit = visit_of(request)
    await _known(visit.people, player_id)
    is_own = visit.reads and visit.player is not None and visit.player.id == player_id
    games, total = await services_of(request).games.of_player(
        player_id, offset, limit, all_of_them=is_own or visit.is_admin
    )
    actor = await actor_of(request)
    return json_answer(present.game_list((present.listed(game, actor) for game in games), total, offset, limit))


@router.get("/players/{player_id}/ratings/{pool}", response_model=schemas.RatingCurve, responses=may(404, 409, 422))
async def get_rating_curve(player_id: PlayerId, pool: Pool, request: Request) -> Response:
    """Return what each game did to a player's rating in a pool."""
    people = visit_of(request).people
    await _known(people, player_id)
    return json_answer(present.rating_curve(pool, await people.ratings.history(player_id, pool)))


@router.get("/leaderboard", response_model=schemas.Leaderboard, responses=may(409, 422))
async def get_leaderboard(
    request: Request, rules: schemas.RulesWord = "standard", speed: schemas.Speed = "live"
) -> Response:
    """Return the strongest players, by rules and speed."""
    pool = f"{rules}-{speed}"
    return json_answer(present.leaderboard(pool, await visit_of(request).people.ratings.best(pool)))


async def about_me(request: Request, status: int = 200) -> Response:
    """Return what whoever asks is told about themselves."""
    people, player = services_of(request).people, await player_of(request)
    ratings = [] if people is None or player is None else await people.ratings.of(player.id)
    return json_answer(present.me(player, ratings, online=people is not None), status)


async def _known(people: People, player_id: str) -> Player:
    player = await people.players.get(player_id)
    if player is None:
        raise UnknownPlayerError
    return player
