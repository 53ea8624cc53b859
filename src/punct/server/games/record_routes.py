"""Routes for records: importing, converting and exporting games."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from punct import records
from punct.server.auth.identity import Context
from punct.server.auth.routing import ApiRoute, limited
from punct.server.games import presenter, schemas
from punct.server.games.ownership import assign_owner, charge_storage
from punct.server.games.parameters import GameId
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.games.setup import game_from_record
from punct.server.http import schemas as http_schemas
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import CONVERSIONS, RECORDS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.http.security import SAME_SITE_ONLY

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)

_RECORD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The record", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.post(
    "/records",
    tags=["records"],
    status_code=201,
    response_model=schemas.RecordsAnswer,
    responses=error_responses(403, 409, 413, 422, 429, 503),
)
@limited(RECORDS)
async def import_records(body: schemas.RecordsRequest, request: Request, context: Context) -> Response:
    """Store every game of a text or SGF record, all or none. Comments are kept, variations are not."""
    services = services_of(request)
    stored = await services.get(Games).find_imported(context.idempotency_key)
    if stored is None:
        games = await cancel_on_disconnect(request, services.get(RecordReader).read_games(body.text, body.format))
        quota = await charge_storage(request, len(games), len(body.text))
        new = (assign_owner(game_from_record(game), context.actor) for game in games)
        stored = await services.get(Games).import_games(new, context.idempotency_key, quota)
    return await asyncio.to_thread(lambda: json_response(presenter.imported_games(stored), 201))


@router.post(
    "/records/convert",
    tags=["records"],
    response_model=schemas.ConvertedRecord,
    responses=error_responses(403, 413, 422, 429, 503),
)
@limited(CONVERSIONS)
async def convert_record(body: schemas.RecordToConvert, request: Request) -> Response:
    """Convert a record of one game to another format, with its comments and variations. Nothing is stored."""
    reader = services_of(request).get(RecordReader)
    text = await cancel_on_disconnect(request, reader.read_tree(body.text, body.format))
    return json_response(presenter.converted_record(text))


@router.get(
    "/games/{game_id}/record",
    tags=["records"],
    response_class=Response,
    responses={**_RECORD, **error_responses(403, 404, 422)},
    dependencies=SAME_SITE_ONLY,
)
async def get_record(game_id: GameId, request: Request, format: http_schemas.RecordFormat = "text") -> Response:
    """Return a game as a record to download."""
    game = await services_of(request).get(Games).get(game_id)
    text = await asyncio.to_thread(lambda: records.dumps([game.to_record()], format=format))
    suffix = "sgf" if format == "sgf" else "punct"
    disposition = {"Content-Disposition": f'attachment; filename="punct-{game_id}.{suffix}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=disposition)
