"""Routes of pictures and animations of games and positions."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response

from punct.server.auth.routing import ApiRoute, limited
from punct.server.games.errors import NotPossibleError, UnknownPlyError
from punct.server.games.parameters import GameId
from punct.server.games.service import Games
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import ANIMATIONS, PICTURES
from punct.server.http.registry import Services, services_of
from punct.server.http.responses import not_modified
from punct.server.http.security import SAME_SITE_ONLY, STYLE_ONLY_CSP
from punct.server.pictures.service import Animations, PictureJob, Pictures
from punct.server.positions.parameters import PositionQuery
from punct.server.positions.setup import position_after
from punct.server.workers.draw import AnimateJob, DrawJob, Form

router = APIRouter(prefix="/api/v1", tags=["pictures"], route_class=ApiRoute, dependencies=SAME_SITE_ONLY)

MAX_PICTURE_SIZE = 2048
CARD_WIDTH, CARD_HEIGHT = 1200, 630
"""The picture that sites and messengers show with a link."""
MAX_ANIMATION_SIZE, MAX_FRAMES = 600, 160
AnimationForm = Literal["gif", "webp"]
Ply = Annotated[
    int | None, Query(ge=0, le=100_000, description="The position after this many moves; the current one if left out")
]
Size = Annotated[int, Query(ge=64, le=MAX_PICTURE_SIZE, description="The longer side in pixels")]
Card = Annotated[bool, Query(description="1200×630 pixels, whatever the size: the picture that sites show with a link")]
SmallSize = Annotated[int, Query(ge=64, le=MAX_ANIMATION_SIZE, description="The longer side in pixels")]
_MEDIA_TYPES: dict[Form | AnimationForm, str] = {
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


class BoardStyle(NamedTuple):
    """How a board is drawn, independent of the position."""

    theme: Literal["light", "dark"]
    flipped: bool
    coordinates: bool
    sets: bool


def _board_style(
    theme: Annotated[Literal["light", "dark"], Query()] = "light",
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> BoardStyle:
    return BoardStyle(theme, flipped, coordinates, sets)


class FrameRange(NamedTuple):
    """Which positions of a game are shown, and for how many seconds each."""

    first: int
    last: int | None
    delay: float


def _frame_range(
    first: Annotated[int, Query(alias="from", ge=0, le=100_000, description="Begin after this many moves")] = 0,
    last: Annotated[
        int | None,
        Query(alias="to", ge=0, le=100_000, description="End after this many moves; after the last if left out"),
    ] = None,
    delay: Annotated[float, Query(ge=0.1, le=10.0, description="Seconds for which a position is shown")] = 1.0,
) -> FrameRange:
    return FrameRange(first, last, delay)


BoardStyleQuery = Annotated[BoardStyle, Depends(_board_style)]
FrameRangeQuery = Annotated[FrameRange, Depends(_frame_range)]


@router.get(
    "/games/{game_id}/picture.{form}",
    response_class=Response,
    responses={**_PICTURE, **error_responses(403, 404, 422, 429, 503)},
)
@limited(PICTURES)
async def draw_game(
    game_id: GameId,
    form: Form,
    request: Request,
    style: BoardStyleQuery,
    ply: Ply = None,
    size: Size = 720,
    card: Card = False,
) -> Response:
    """Draw a position of a game, with its last move."""
    services = services_of(request)
    position = (await services.get(Games).get(game_id)).position(ply)
    last = str(position.pop()) if position.moves else None
    job = _drawing(form, str(position), last, style, size, card=card)
    return await _draw(services, request, job, "no-cache")


@router.get(
    "/picture.{form}",
    response_class=Response,
    responses={**_PICTURE, **error_responses(403, 404, 422, 429, 503)},
)
@limited(PICTURES)
async def draw_position(
    form: Form,
    position: PositionQuery,
    request: Request,
    style: BoardStyleQuery,
    size: Size = 720,
    card: Card = False,
) -> Response:
    """Draw any position."""
    services = services_of(request)
    job = _drawing(form, position, None, style, size, card=card)
    return await _draw(services, request, job, "public, max-age=86400")


@router.get(
    "/games/{game_id}/animation.{form}",
    response_class=Response,
    responses={**_ANIMATION, **error_responses(403, 404, 409, 422, 429, 503)},
)
@limited(ANIMATIONS)
async def animate_game(
    game_id: GameId,
    form: AnimationForm,
    request: Request,
    frames: FrameRangeQuery,
    style: BoardStyleQuery,
    size: SmallSize = 360,
) -> Response:
    """Draw a game, or a part of it, as an animation."""
    services = services_of(request)
    game = await services.get(Games).get(game_id)
    moves = tuple(move.text for move in game.moves)
    return await _draw(services, request, _animation(form, game.stored.start, moves, frames, style, size), "no-cache")


@router.get(
    "/animation.{form}",
    response_class=Response,
    responses={**_ANIMATION, **error_responses(403, 404, 409, 422, 429, 503)},
)
@limited(ANIMATIONS)
async def animate_variation(
    form: AnimationForm,
    position: PositionQuery,
    turns: Annotated[
        str, Query(max_length=4000, description="The moves, separated by blanks", examples=["Ed5ne Tl10n"])
    ],
    request: Request,
    frames: FrameRangeQuery,
    style: BoardStyleQuery,
    size: SmallSize = 360,
) -> Response:
    """Draw a variation from any position as an animation."""
    services = services_of(request)
    moves = (await asyncio.to_thread(position_after, position, turns.split())).moves
    job = _animation(form, position, tuple(map(str, moves)), frames, style, size)
    return await _draw(services, request, job, "public, max-age=86400")


def _drawing(form: Form, position: str, turn: str | None, style: BoardStyle, size: int, *, card: bool) -> DrawJob:
    """Return the job that draws a position."""
    shape = (CARD_WIDTH, CARD_WIDTH / CARD_HEIGHT) if card else (size, None)
    board = (style.flipped, style.coordinates, style.sets)
    return DrawJob(form, position, turn, style.theme, shape[0], *board, shape[1])


def _animation(
    form: AnimationForm, start: str, moves: tuple[str, ...], frames: FrameRange, style: BoardStyle, size: int
) -> AnimateJob:
    """Return the job that draws an animation; refuse one with too many frames."""
    first, last = frames.first, len(moves) if frames.last is None else frames.last
    if not first <= last <= len(moves):
        raise UnknownPlyError(f"There are {len(moves)} turns, not from {first} to {last}.", ply=len(moves))
    if last - first >= MAX_FRAMES:
        raise NotPossibleError(f"At most {MAX_FRAMES} positions are drawn: say from which turn to which.")
    board = (style.theme, size, style.flipped, style.coordinates, style.sets)
    return AnimateJob(form, start, moves[:last], first, frames.delay, *board)


async def _draw(services: Services, request: Request, job: PictureJob, cache_control: str) -> Response:
    headers = {"Cache-Control": cache_control, "ETag": Pictures.etag(job)}
    if job.form == "svg":
        headers |= STYLE_ONLY_CSP
    if (cached := not_modified(request, headers)) is not None:
        return cached
    pictures = services.get(Pictures) if isinstance(job, DrawJob) else services.get(Animations)
    content = await cancel_on_disconnect(request, pictures.draw(job))
    return Response(content, media_type=_MEDIA_TYPES[job.form], headers=headers)
