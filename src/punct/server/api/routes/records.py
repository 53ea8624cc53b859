"""Games in other forms: records to take in and give out, and pictures."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response

from punct import records
from punct.server.api import present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.asking import Asking
from punct.server.api.belonging import theirs
from punct.server.api.guard import refuse_other_sites
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_record, read_tree
from punct.server.api.routes.games import GameId, may
from punct.server.api.services import Services, services_of
from punct.server.pictures import Drawing, Pictures
from punct.server.play.beginning import from_record
from punct.server.play.game import replay
from punct.server.play.refusals import NotPossibleError, UnknownPlyError
from punct.server.store import StoredMove
from punct.server.workers.draw import Animate, Draw, Form

router = APIRouter(prefix="/api/v1")

LARGEST_PICTURE = 2048
Theme = Annotated[Literal["light", "dark"], Query()]
Size = Annotated[int, Query(ge=64, le=LARGEST_PICTURE, description="The longer side in pixels")]
Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; now if left out")]
PositionQuery = Annotated[str, Query(min_length=1, max_length=4000, examples=["standard w wTb9ne"])]
LARGEST_ANIMATION, MOST_FRAMES = 600, 160
Moving = Literal["gif", "webp"]
SmallSize = Annotated[int, Query(ge=64, le=LARGEST_ANIMATION, description="The longer side in pixels")]
Delay = Annotated[float, Query(ge=0.1, le=10.0, description="Seconds that a position is shown")]
FirstPly = Annotated[int, Query(alias="from", ge=0, le=100_000, description="Begin after so many turns")]
LastPly = Annotated[
    int | None, Query(alias="to", ge=0, le=100_000, description="End after so many turns; with the last if left out")
]
_MEDIA_TYPES: dict[Form | Moving, str] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
    "webp": "image/webp",
}

_PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The picture",
        "content": {
            "image/svg+xml": {"schema": {"type": "string"}},
            "image/png": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
_ANIMATION: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The animation",
        "content": {f"image/{form}": {"schema": {"type": "string", "format": "binary"}} for form in ("gif", "webp")},
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
async def import_records(wanted: schemas.RecordsRequest, request: Request, asked: Asking) -> Response:
    """Store every game of a text or SGF record, all or none. Variations are left behind, comments are kept."""
    services = services_of(request)
    stored = await services.games.taken_in(asked.request)
    if stored is None:
        games = await while_connected(request, read_record(services.reading, wanted.text, wanted.format))
        new = (theirs(from_record(game), asked.actor) for game in games)
        stored = await services.games.take_in(new, asked.request)
    return await asyncio.to_thread(lambda: json_answer({"games": [present.summary(game) for game in stored]}, 201))


@router.post("/records/convert", tags=["records"], responses=may(403, 413, 422, 429, 503))
async def convert_record(wanted: schemas.RecordToConvert, request: Request) -> schemas.ConvertedRecord:
    """Write a record of one game in another format, with its comments and variations. Nothing is stored."""
    reading = services_of(request).reading
    return schemas.ConvertedRecord(text=await while_connected(request, read_tree(reading, wanted.text, wanted.format)))


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


@router.get(
    "/games/{game_id}/animation.{form}",
    tags=["pictures"],
    response_class=Response,
    responses={**_ANIMATION, **may(403, 404, 409, 422, 429, 503)},
    dependencies=[Depends(refuse_other_sites)],
)
async def animate_game(
    game_id: GameId,
    form: Moving,
    request: Request,
    first: FirstPly = 0,
    last: LastPly = None,
    delay: Delay = 1.0,
    theme: Theme = "light",
    size: SmallSize = 360,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw a game, or a part of it, as a picture that moves."""
    services = services_of(request)
    game = await services.games.get(game_id)
    turns = tuple(move.text for move in game.moves)
    options = (delay, theme, size, flipped, coordinates, sets)
    wanted = _animation(form, game.stored.start, turns, first, last, *options)
    return await _draw(services, request, wanted, "no-cache")


@router.get(
    "/animation.{form}",
    tags=["pictures"],
    response_class=Response,
    responses={**_ANIMATION, **may(403, 404, 409, 422, 429, 503)},
    dependencies=[Depends(refuse_other_sites)],
)
async def animate_variation(
    form: Moving,
    position: PositionQuery,
    turns: Annotated[str, Query(max_length=4000, description="With blanks between", examples=["Ed5ne Tl10n"])],
    request: Request,
    first: FirstPly = 0,
    last: LastPly = None,
    delay: Delay = 1.0,
    theme: Theme = "light",
    size: SmallSize = 360,
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Response:
    """Draw turns from any position as a picture that moves."""
    services = services_of(request)
    reached, played = await asyncio.to_thread(replay, position, list(map(StoredMove, turns.split())))
    del reached
    options = (delay, theme, size, flipped, coordinates, sets)
    wanted = _animation(form, position, tuple(move.text for move in played), first, last, *options)
    return await _draw(services, request, wanted, "public, max-age=86400")


def _animation(
    form: Moving, start: str, turns: tuple[str, ...], first: int, last: int | None, *options: Any
) -> Animate:
    """Return an animation of some turns, with no more frames than one may have."""
    last = len(turns) if last is None else last
    if not first <= last <= len(turns):
        raise UnknownPlyError(f"There are {len(turns)} turns, not from {first} to {last}.", ply=len(turns))
    if last - first >= MOST_FRAMES:
        raise NotPossibleError(f"At most {MOST_FRAMES} positions are drawn: say from which turn to which.")
    return Animate(form, start, turns[:last], first, *options)


async def _draw(services: Services, request: Request, wanted: Drawing, caching: str) -> Response:
    headers = {"Cache-Control": caching, "ETag": Pictures.tag(wanted)}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    drawing = services.pictures if isinstance(wanted, Draw) else services.animations
    content = await while_connected(request, drawing.draw(wanted))
    return Response(content, media_type=_MEDIA_TYPES[wanted.form], headers=headers)
