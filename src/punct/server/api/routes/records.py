"""Games as records, to take in and give out."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from punct import records
from punct.server.api import present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.asking import Asking
from punct.server.api.belonging import room_for, theirs
from punct.server.api.bodies import BodyRoute
from punct.server.api.guard import COSTLY
from punct.server.api.limited import limited
from punct.server.api.limits import CONVERSIONS, RECORDS
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_record, read_tree
from punct.server.api.routes.games import GameId, may
from punct.server.api.services import services_of
from punct.server.play.beginning import from_record

router = APIRouter(prefix="/api/v1", route_class=BodyRoute)

_RECORD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The record", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.post(
    "/records",
    tags=["records"],
    status_code=201,
    response_model=schemas.RecordsAnswer,
    responses=may(403, 409, 413, 422, 429, 503),
)
@limited(RECORDS)
async def import_records(wanted: schemas.RecordsRequest, request: Request, asked: Asking) -> Response:
    """Store every game of a text or SGF record, all or none. Variations are left behind, comments are kept."""
    services = services_of(request)
    stored = await services.games.taken_in(asked.request)
    if stored is None:
        games = await while_connected(request, read_record(services.reading, wanted.text, wanted.format))
        room = await room_for(request, len(games), len(wanted.text))
        new = (theirs(from_record(game), asked.actor) for game in games)
        stored = await services.games.take_in(new, asked.request, room)
    return await asyncio.to_thread(lambda: json_answer(present.games(stored), 201))


@router.post(
    "/records/convert",
    tags=["records"],
    response_model=schemas.ConvertedRecord,
    responses=may(403, 413, 422, 429, 503),
)
@limited(CONVERSIONS)
async def convert_record(wanted: schemas.RecordToConvert, request: Request) -> Response:
    """Write a record of one game in another format, with its comments and variations. Nothing is stored."""
    reading = services_of(request).reading
    written = await while_connected(request, read_tree(reading, wanted.text, wanted.format))
    return json_answer(present.converted(written))


@router.get(
    "/games/{game_id}/record",
    tags=["records"],
    response_class=Response,
    responses={**_RECORD, **may(403, 404, 422)},
    dependencies=COSTLY,
)
async def get_record(game_id: GameId, request: Request, format: schemas.RecordFormat = "text") -> Response:
    """Return a game as a record to save."""
    game = await services_of(request).games.get(game_id)
    text = await asyncio.to_thread(lambda: records.dumps([game.record()], format=format))
    suffix = "sgf" if format == "sgf" else "punct"
    disposition = {"Content-Disposition": f'attachment; filename="punct-{game_id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=disposition)
