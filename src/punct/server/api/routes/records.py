"""Games in other forms: records to take in and give out, and pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from punct import picture
from punct.position import Position
from punct.server.api import schemas
from punct.server.api.routes.games import GameId, may
from punct.server.api.services import Served, Services

router = APIRouter(prefix="/api/v1", tags=["records and pictures"])

LARGEST_PICTURE = 2048
Theme = Annotated[Literal["light", "dark"], Query()]
Size = Annotated[int, Query(ge=64, le=LARGEST_PICTURE, description="The longer side in pixels")]
Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; now if left out")]
PositionQuery = Annotated[str, Query(min_length=1, max_length=4000, examples=["standard w wTb9ne"])]
PictureForm = Literal["svg", "png"]

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


@router.post("/records", status_code=201, responses=may(403, 413, 422))
async def take_in_records(wanted: schemas.RecordsRequest, services: Served) -> schemas.RecordsAnswer:
    """Store every game of a text or SGF record, all or none. Variations are left behind, comments are kept."""
    return schemas.RecordsAnswer(games=await services.games.take_in(wanted.text, wanted.format))


@router.get("/games/{game_id}/record", response_class=Response, responses={**_RECORD, **may(404, 422)})
async def get_record(game_id: GameId, services: Served, format: schemas.RecordFormat = "text") -> Response:
    """Return a game as a record to save."""
    text = await services.games.record(game_id, format)
    suffix = "sgf" if format == "sgf" else "punct"
    disposition = {"Content-Disposition": f'attachment; filename="punct-{game_id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=disposition)


@router.get("/games/{game_id}/picture.{form}", response_class=Response, responses={**_PICTURE, **may(404, 422)})
async def game_picture(
    game_id: GameId,
    form: PictureForm,
    services: Served,
    ply: Ply = None,
    theme: Theme = "light",
    size: Size = 720,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw a position of a game, with its last turn."""
    position = await services.games.position(game_id, ply)
    last = position.moves[-1] if position.moves else None
    options: picture.Options = {
        "theme": theme,
        "size": size,
        "flipped": flipped,
        "coordinates": coordinates,
        "sets": sets,
        "last_move": last,
    }
    return await _draw(services, lambda: position, form, options, "no-cache")


@router.get("/picture.{form}", response_class=Response, responses={**_PICTURE, **may(422)})
async def position_picture(
    form: PictureForm,
    position: PositionQuery,
    services: Served,
    theme: Theme = "light",
    size: Size = 720,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw any position."""
    options: picture.Options = {
        "theme": theme,
        "size": size,
        "flipped": flipped,
        "coordinates": coordinates,
        "sets": sets,
    }
    return await _draw(services, lambda: Position(position), form, options, "public, max-age=86400")


async def _draw(
    services: Services, position: Callable[[], Position], form: PictureForm, options: picture.Options, caching: str
) -> Response:
    def draw() -> Response:
        if form == "svg":
            return Response(picture.svg(position(), **options), media_type="image/svg+xml")
        return Response(picture.png(position(), **options), media_type="image/png")

    async with services.drawing:
        response = await asyncio.to_thread(draw)
    response.headers["Cache-Control"] = caching
    return response
