"""Games in other forms: records to take in and give out, and pictures."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from punct import records
from punct.server.api import present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.guard import refuse_other_sites
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_record
from punct.server.api.routes.games import GameId, may
from punct.server.api.services import Services, services_of
from punct.server.api.whoami import actor_of
from punct.server.pictures import Pictures
from punct.server.play.beginning import from_record, owned
from punct.server.workers.draw import Draw, Form

router = APIRouter(prefix="/api/v1")

LARGEST_PICTURE = 2048
Theme = Annotated[Literal["light", "dark"], Query()]
Size = Annotated[int, Query(ge=64, le=LARGEST_PICTURE, description="The longer side in pixels")]
Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; now if left out")]
PositionQuery = Annotated[str, Query(min_length=1, max_length=4000, examples=["standard w wTb9ne"])]
_MEDIA_TYPES: dict[Form, str] = {"svg": "image/svg+xml", "png": "image/png"}

_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The picture",
        "content": {
            "image/svg+xml": {"schema": {"type": "string"}},
            "image/png": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The record", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.post(
    "/records",
    tags=["records"],
    status_code=201,
    response_model=schemas.RecordsAnswer,
    responses=may(403, 413, 422, 429, 503),
)
async def import_records(wanted: schemas.RecordsRequest, request: Request) -> Response:
    """Store every game of a text or SGF record, all or none. Variations are left behind, comments are kept."""
    services = services_of(request)
    games = await while_connected(request, read_record(services.reading, wanted.text, wanted.format))
    actor = await actor_of(request)
    stored = await services.games.take_in(owned(from_record(game), actor) for game in games)
    return await asyncio.to_thread(lambda: json_answer({"games": [present.summary(game) for game in stored]}, 201))


@router.get(
    "/games/{game_id}/record", tags=["records"], response_class=Response, responses={**_RECORD, **may(404, 422)}
)
async def get_record(game_id: GameId, request: Request, format: schemas.RecordFormat = "text") -> Response:
    """Return a game as a record to save."""
    game = await services_of(request).games.get(game_id)
    text = await asyncio.to_thread(lambda: records.dumps([game.record()], format=format))
    suffix = "sgf" if format == "sgf" else "punct"
    disposition = {"Content-Disposition": f'attachment; filename="punct-{game_id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=disposition)


@router.get(
    "/games/{game_id}/picture.{form}",
    tags=["pictures"],
    response_class=Response,
    responses={**_PICTURE, **may(403, 404, 422, 429, 503)},
    dependencies=[Depends(refuse_other_sites)],
)
async def draw_game(
    game_id: GameId,
    form: Form,
    request: Request,
    ply: Ply = None,
    theme: Theme = "light",
    size: Size = 720,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw a position of a game, with its last turn."""
    services = services_of(request)
    position = (await services.games.get(game_id)).position(ply)
    last = str(position.pop()) if position.moves else None
    wanted = Draw(form, str(position), last, theme, size, flipped, coordinates, sets)
    return await _draw(services, request, wanted, "no-cache")


@router.get(
    "/picture.{form}",
    tags=["pictures"],
    response_class=Response,
    responses={**_PICTURE, **may(403, 422, 429, 503)},
    dependencies=[Depends(refuse_other_sites)],
)
async def draw_position(
    form: Form,
    position: PositionQuery,
    request: Request,
    theme: Theme = "light",
    size: Size = 720,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw any position."""
    services = services_of(request)
    wanted = Draw(form, position, None, theme, size, flipped, coordinates, sets)
    return await _draw(services, request, wanted, "public, max-age=86400")


async def _draw(services: Services, request: Request, wanted: Draw, caching: str) -> Response:
    headers = {"Cache-Control": caching, "ETag": Pictures.tag(wanted)}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = await while_connected(request, services.pictures.draw(wanted))
    return Response(content, media_type=_MEDIA_TYPES[wanted.form], headers=headers)
