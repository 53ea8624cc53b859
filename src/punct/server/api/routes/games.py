"""Games: begin, look, play, take back, end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response

from punct.errors import InvalidRecordError
from punct.piece import Colour
from punct.server.api import present, schemas
from punct.server.api.answers import game_answer, json_answer
from punct.server.api.asking import Asked, Asking
from punct.server.api.belonging import check_account, room_for, theirs
from punct.server.api.bodies import BodyRoute
from punct.server.api.errors import ANSWERS
from punct.server.api.guard import COSTLY
from punct.server.api.limited import limited
from punct.server.api.limits import GAMES, HINTS, POSITIONS, RESULTS, TURNS
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_record
from punct.server.api.services import services_of
from punct.server.api.whoami import actor_of
from punct.server.play.beginning import begin, begin_from_record, seat_for
from punct.server.play.game import PlayedGame
from punct.server.play.rights import check_alone

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=BodyRoute)

GameId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$", examples=["c0ffee-Punct"])]
GamePly = Annotated[int, Path(ge=0, le=100_000)]
MOST_PER_PAGE: Final = 100
RESULTS_AGE: Final = timedelta(minutes=1)
"""How old results may be where there are many games, and many people who ask."""


def may(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route may answer besides success."""
    return {status: ANSWERS[status] for status in statuses}


CHANGES: Final = may(403, 404, 409, 413, 422)


@router.post("/games", status_code=201, response_model=schemas.Game, responses=may(403, 409, 413, 422, 429, 503))
@limited(GAMES)
async def create_game(new: schemas.NewGame, request: Request, asked: Asking) -> Response:
    """Begin a game. If an engine is to move, it starts thinking at once."""
    services = services_of(request)
    if new.position is not None and new.record is not None:
        raise InvalidRecordError("begin from a position or from a record, not from both")
    wanted = {Colour.WHITE: new.seats.w, Colour.BLACK: new.seats.b}
    seats = {colour: seat_for(seat.type, seat.name, seat.level) for colour, seat in wanted.items()}
    if new.record is not None:
        (game,) = await while_connected(request, read_record(services.reading, new.record, most_games=1))
        beginning = begin_from_record(game, seats)
    else:
        beginning = begin(new.position if new.position is not None else f"{new.rules} w", seats)
    if new.rated and services.online:
        await check_account(request)
    beginning = theirs(beginning, asked.actor, rated=new.rated)
    room = await room_for(request, 1, beginning.letters)
    return await game_answer(request, await services.games.create(beginning, asked.request, room), 201)


@router.get("/games", response_model=schemas.GameList, responses=may(422))
async def list_games(
    request: Request,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_PER_PAGE)] = 20,
    running: Annotated[bool, Query(description="Only games that are not over")] = False,
) -> Response:
    """List games, the last changed first. Online these are one's own, and those that wait for one's turn come first."""
    actor = await actor_of(request)
    games, total = await services_of(request).games.page(offset, limit, actor, running=running)
    return json_answer(present.game_list((present.listed(game, actor) for game in games), total, offset, limit))


@router.get("/results", response_model=schemas.Results, responses=may(403), dependencies=COSTLY)
@limited(RESULTS)
async def get_results(request: Request) -> Response:
    """Return how persons fared against each level, by rules: in every finished game from the empty board.

    Online only games count that were played here. At home so do records that say they were played against the level.
    """
    services = services_of(request)
    age = RESULTS_AGE if services.online else timedelta()
    tallies = await services.games.tallies(age, told=not services.online)
    return json_answer(present.results(tallies))


@router.get("/games/{game_id}", response_model=schemas.Game, responses=may(404, 422))
async def get_game(game_id: GameId, request: Request) -> Response:
    """Return a game with its turns and its current position."""
    services = services_of(request)
    game = await services.games.get(game_id)
    await services.opponents.look(game)
    return await game_answer(request, game)


@router.delete("/games/{game_id}", status_code=204, responses=may(403, 404, 409, 422))
async def delete_game(game_id: GameId, request: Request, asked: Asking) -> None:
    """Forget a game for good."""
    await services_of(request).games.delete(game_id, asked.actor, asked.request)


@router.get("/games/{game_id}/positions/{ply}", response_model=schemas.PositionView, responses=may(404, 422))
async def get_position(game_id: GameId, ply: GamePly, request: Request) -> Response:
    """Return the position after some turns, with the turn that led there."""
    return json_answer(present.position((await services_of(request).games.get(game_id)).moment(ply)))


@router.post("/games/{game_id}/turns", response_model=schemas.Game, responses=CHANGES)
@limited(TURNS)
async def play_turn(game_id: GameId, turn: schemas.TurnRequest, request: Request, asked: Asking) -> Response:
    """Play a turn. It is stored before this answers; sent again for the same ply, it is not played twice."""
    services = services_of(request)
    game = await services.games.play(game_id, turn.text, turn.ply, asked.actor, request=asked.request)
    return await game_answer(request, game)


@router.post("/games/{game_id}/undo", response_model=schemas.Game, responses=CHANGES)
async def undo(game_id: GameId, request: Request, asked: Asking, wanted: schemas.UndoRequest | None = None) -> Response:
    """Take back: one turn at one screen; against the computer, back to the person's turn; or a resignation."""
    return await _step(services_of(request).games.undo, game_id, request, asked, wanted)


@router.post("/games/{game_id}/redo", response_model=schemas.Game, responses=CHANGES)
async def redo(game_id: GameId, request: Request, asked: Asking, wanted: schemas.UndoRequest | None = None) -> Response:
    """Play again what was taken back, as long as nothing else was played: one turn, or up to the person's next one."""
    return await _step(services_of(request).games.redo, game_id, request, asked, wanted)


async def _step(
    step: Callable[..., Awaitable[PlayedGame]],
    game_id: str,
    request: Request,
    asked: Asked,
    wanted: schemas.UndoRequest | None,
) -> Response:
    """Go back or forth."""
    return await game_answer(request, await step(game_id, wanted and wanted.ply, asked.actor, asked.request))


@router.post("/games/{game_id}/resign", response_model=schemas.Game, responses=CHANGES)
async def resign(
    game_id: GameId, request: Request, asked: Asking, wanted: schemas.ResignRequest | None = None
) -> Response:
    """Give up: the person whose turn it is, or the only person."""
    colour = {"w": Colour.WHITE, "b": Colour.BLACK}[wanted.colour] if wanted and wanted.colour else None
    game = await services_of(request).games.resign(game_id, colour, asked.actor, asked.request)
    return await game_answer(request, game)


@router.post("/games/{game_id}/draw", response_model=schemas.Game, responses=may(403, 404, 409, 422))
async def agree_draw(game_id: GameId, request: Request, asked: Asking) -> Response:
    """Agree on a draw: two persons at one screen."""
    return await game_answer(request, await services_of(request).games.agree_draw(game_id, asked.actor, asked.request))


@router.post("/games/{game_id}/explain", response_model=schemas.Explanation, responses=may(403, 404, 413, 422))
@limited(POSITIONS)
async def explain_turn(game_id: GameId, wanted: schemas.ExplainRequest, request: Request) -> Response:
    """Say whether a turn, or a piece and a space with any heading, is legal, and if not, why and what is in the way."""
    game = await services_of(request).games.get(game_id)
    return json_answer(present.explanation(game.explain(wanted.text, wanted.ply, any_heading=wanted.any_heading)))


@router.post("/games/{game_id}/hint", response_model=schemas.Hint, responses=may(403, 404, 409, 422, 429, 503))
@limited(HINTS)
async def get_hint(game_id: GameId, request: Request) -> Response:
    """Return a turn the strongest level would play, for a person whose turn it is. Hang up, and it stops thinking."""
    services = services_of(request)
    game = await services.games.get(game_id)
    check_alone(game.stored, await actor_of(request))
    thought = await while_connected(request, services.opponents.hint(game))
    return json_answer(present.hint(game, thought))
