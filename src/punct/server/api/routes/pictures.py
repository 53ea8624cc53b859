"""Games and positions as pictures, still and moving."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response

from punct.server.api.answers import unchanged
from punct.server.api.guard import COSTLY, STYLED
from punct.server.api.limited import LimitedRoute, limited
from punct.server.api.limits import ANIMATIONS, PICTURES
from punct.server.api.patience import while_connected
from punct.server.api.routes.games import GameId, may
from punct.server.api.services import Services, services_of
from punct.server.pictures import Drawing, Pictures
from punct.server.play.game import reached
from punct.server.play.refusals import NotPossibleError, UnknownPlyError
from punct.server.workers.draw import Animate, Draw, Form

router = APIRouter(prefix="/api/v1", tags=["pictures"], route_class=LimitedRoute, dependencies=COSTLY)

LARGEST_PICTURE = 2048
LARGEST_ANIMATION, MOST_FRAMES = 600, 160
Moving = Literal["gif", "webp"]
Ply = Annotated[int | None, Query(ge=0, le=100_000, description="After so many turns; now if left out")]
PositionQuery = Annotated[str, Query(min_length=1, max_length=4000, examples=["standard w wTb9ne"])]
Size = Annotated[int, Query(ge=64, le=LARGEST_PICTURE, description="The longer side in pixels")]
SmallSize = Annotated[int, Query(ge=64, le=LARGEST_ANIMATION, description="The longer side in pixels")]

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


class Look(NamedTuple):
    """How a board is drawn, whatever lies on it."""

    theme: Literal["light", "dark"]
    flipped: bool
    coordinates: bool
    sets: bool


def _look(
    theme: Annotated[Literal["light", "dark"], Query()] = "light",
    flipped: bool = False,
    coordinates: bool = True,
    sets: bool = False,
) -> Look:
    return Look(theme, flipped, coordinates, sets)


class Part(NamedTuple):
    """Which of some turns are shown, and for how long each."""

    first: int
    last: int | None
    delay: float


def _part(
    first: Annotated[int, Query(alias="from", ge=0, le=100_000, description="Begin after so many turns")] = 0,
    last: Annotated[
        int | None,
        Query(alias="to", ge=0, le=100_000, description="End after so many turns; with the last if left out"),
    ] = None,
    delay: Annotated[float, Query(ge=0.1, le=10.0, description="Seconds that a position is shown")] = 1.0,
) -> Part:
    return Part(first, last, delay)


LookOf = Annotated[Look, Depends(_look)]
PartOf = Annotated[Part, Depends(_part)]


@router.get(
    "/games/{game_id}/picture.{form}",
    response_class=Response,
    responses={**_PICTURE, **may(403, 404, 422, 429, 503)},
)
@limited(PICTURES)
async def draw_game(
    game_id: GameId, form: Form, request: Request, look: LookOf, ply: Ply = None, size: Size = 720
) -> Response:
    """Draw a position of a game, with its last turn."""
    services = services_of(request)
    position = (await services.games.get(game_id)).position(ply)
    last = str(position.pop()) if position.moves else None
    wanted = Draw(form, str(position), last, look.theme, size, look.flipped, look.coordinates, look.sets)
    return await _draw(services, request, wanted, "no-cache")


@router.get(
    "/picture.{form}",
    response_class=Response,
    responses={**_PICTURE, **may(403, 404, 422, 429, 503)},
)
@limited(PICTURES)
async def draw_position(
    form: Form, position: PositionQuery, request: Request, look: LookOf, size: Size = 720
) -> Response:
    """Draw any position."""
    services = services_of(request)
    wanted = Draw(form, position, None, look.theme, size, look.flipped, look.coordinates, look.sets)
    return await _draw(services, request, wanted, "public, max-age=86400")


@router.get(
    "/games/{game_id}/animation.{form}",
    response_class=Response,
    responses={**_ANIMATION, **may(403, 404, 409, 422, 429, 503)},
)
@limited(ANIMATIONS)
async def animate_game(
    game_id: GameId, form: Moving, request: Request, part: PartOf, look: LookOf, size: SmallSize = 360
) -> Response:
    """Draw a game, or a part of it, as a picture that moves."""
    services = services_of(request)
    game = await services.games.get(game_id)
    turns = tuple(move.text for move in game.moves)
    return await _draw(services, request, _animation(form, game.stored.start, turns, part, look, size), "no-cache")


@router.get(
    "/animation.{form}",
    response_class=Response,
    responses={**_ANIMATION, **may(403, 404, 409, 422, 429, 503)},
)
@limited(ANIMATIONS)
async def animate_variation(
    form: Moving,
    position: PositionQuery,
    turns: Annotated[str, Query(max_length=4000, description="With blanks between", examples=["Ed5ne Tl10n"])],
    request: Request,
    part: PartOf,
    look: LookOf,
    size: SmallSize = 360,
) -> Response:
    """Draw turns from any position as a picture that moves."""
    services = services_of(request)
    played = (await asyncio.to_thread(reached, position, turns.split())).moves
    wanted = _animation(form, position, tuple(map(str, played)), part, look, size)
    return await _draw(services, request, wanted, "public, max-age=86400")


def _animation(form: Moving, start: str, turns: tuple[str, ...], part: Part, look: Look, size: int) -> Animate:
    """Return an animation of some turns, with no more frames than one may have."""
    first, last = part.first, len(turns) if part.last is None else part.last
    if not first <= last <= len(turns):
        raise UnknownPlyError(f"There are {len(turns)} turns, not from {first} to {last}.", ply=len(turns))
    if last - first >= MOST_FRAMES:
        raise NotPossibleError(f"At most {MOST_FRAMES} positions are drawn: say from which turn to which.")
    board = (look.theme, size, look.flipped, look.coordinates, look.sets)
    return Animate(form, start, turns[:last], first, part.delay, *board)


async def _draw(services: Services, request: Request, wanted: Drawing, caching: str) -> Response:
    headers = {"Cache-Control": caching, "ETag": Pictures.tag(wanted)}
    if wanted.form == "svg":
        headers |= STYLED
    if (known := unchanged(request, headers)) is not None:
        return known
    drawing = services.pictures if isinstance(wanted, Draw) else services.animations
    content = await while_connected(request, drawing.draw(wanted))
    return Response(content, media_type=_MEDIA_TYPES[wanted.form], headers=headers)
