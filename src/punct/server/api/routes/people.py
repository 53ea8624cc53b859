"""Who is who: the one who asks, and others."""

from __future__ import annotations

from fastapi import APIRouter, Request

from punct.server.api import schemas
from punct.server.api.routes.games import may
from punct.server.api.services import services_of
from punct.server.api.whoami import player_of, visit_of
from punct.server.people.players import Player

router = APIRouter(prefix="/api/v1", tags=["people"])


@router.get("/me")
async def get_me(request: Request) -> schemas.Me:
    """Tell who asks, and whether this server is online at all."""
    return await about_me(request)


@router.post("/me", responses=may(403, 409, 413, 422, 429))
async def enter(request: Request, wanted: schemas.NameRequest | None = None) -> schemas.Me:
    """Become known here, as a guest if need be, by a name if one is given. The cookie is all that proves it."""
    visit = visit_of(request)
    player = await visit.enter()
    if wanted is not None and wanted.name is not None:
        visit.see(await visit.people.players.rename(player, wanted.name))
    return await about_me(request)


@router.patch("/me", responses=may(401, 403, 409, 413, 422, 429))
async def change_me(request: Request, wanted: schemas.MeRequest) -> schemas.Me:
    """Take another name, or none; keep settings."""
    visit = visit_of(request)
    player = visit.somebody()
    if "name" in wanted.model_fields_set:
        visit.see(player := await visit.people.players.rename(player, wanted.name))
    if "settings" in wanted.model_fields_set:
        visit.see(await visit.people.players.settle(player, wanted.settings))
    return await about_me(request)


async def about_me(request: Request) -> schemas.Me:
    """Return what whoever asks is told about themselves."""
    player = await player_of(request)
    return schemas.Me(
        mode="online" if services_of(request).online else "home",
        player=None if player is None else _own(player),
        ratings=[],
        settings=None if player is None or player.settings is None else dict(player.settings),
    )


def _own(player: Player) -> schemas.OwnPlayer:
    return schemas.OwnPlayer(
        id=player.id, name=player.name, kind=player.kind, created=player.created, login=player.has_account
    )
