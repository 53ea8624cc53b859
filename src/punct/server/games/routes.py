"""Routes for games: create, list, read, play, undo, end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from punct.errors import InvalidRecordError
from punct.kernel.view import view_json
from punct.piece import Colour
from punct.server.auth.identity import Context, RequestContext, actor_of
from punct.server.auth.routing import ApiRoute, limited, token_scope
from punct.server.games import presenter, schemas
from punct.server.games.engine_status import EngineStatus
from punct.server.games.game import PlayedGame
from punct.server.games.ownership import assign_owner, charge_storage, check_account
from punct.server.games.parameters import CHANGE_ERRORS, MAX_PAGE_SIZE, GameId, GamePly
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.games.setup import game_continuing_record, game_from_position, new_seat
from punct.server.games.snapshots import game_response
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import error_responses
from punct.server.http.rate_limits import GAMES, MOVES, POSITIONS, RESULTS
from punct.server.http.registry import services_of
from punct.server.http.responses import JSON, json_response
from punct.server.http.security import SAME_SITE_ONLY
from punct.server.positions import presenter as position_presenter
from punct.server.positions import schemas as position_schemas

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=ApiRoute)

MAX_RESULTS_AGE: Final = timedelta(minutes=1)
"""How long results are cached online, where there are many games and many requests."""


@router.post(
    "/games", status_code=201, response_model=schemas.Game, responses=error_responses(403, 409, 413, 422, 429, 503)
)
@limited(GAMES)
@token_scope("challenge")
async def create_game(new: schemas.NewGame, request: Request, context: Context) -> Response:
    """Create a game. If an engine is to move, it starts thinking at once."""
    services = services_of(request)
    if new.position is not None and new.record is not None:
        raise InvalidRecordError("begin from a position or from a record, not from both")
    seats = {
        colour: new_seat(seat.type, seat.name, seat.level)
        for colour, seat in ((Colour.WHITE, new.seats.w), (Colour.BLACK, new.seats.b))
    }
    if new.record is not None:
        (record,) = await cancel_on_disconnect(request, services.get(RecordReader).read_games(new.record, max_games=1))
        game = game_continuing_record(record, seats)
    else:
        game = game_from_position(new.position if new.position is not None else f"{new.rules} w", seats)
    if new.rated and services.online:
        check_account(request)
    game = assign_owner(game, context.actor, rated=new.rated)
    quota = await charge_storage(request, 1, game.characters)
    return await game_response(request, await services.get(Games).create(game, context.idempotency_key, quota), 201)


@router.get("/games", response_model=schemas.GameList, responses=error_responses(422))
@token_scope("read")
async def list_games(
    request: Request,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE_SIZE)] = 20,
    running: Annotated[bool, Query(description="Only games that are not over")] = False,
) -> Response:
    """List games, the last changed first. Online these are your own, and those that wait for your move come first."""
    actor = await actor_of(request)
    games, total = await services_of(request).get(Games).list_for(offset, limit, actor, running=running)
    return json_response(
        presenter.game_list((presenter.list_entry(game, actor) for game in games), total, offset, limit)
    )


@router.get("/results", response_model=schemas.Results, responses=error_responses(403), dependencies=SAME_SITE_ONLY)
@limited(RESULTS)
async def get_results(request: Request) -> Response:
    """Return how persons scored against each level, by rules, in all finished games from the empty board.

    Online only games played here count. At home, imported games whose record names the level as a player count too.
    """
    services = services_of(request)
    age = MAX_RESULTS_AGE if services.online else timedelta()
    tallies = await services.get(Games).tallies(age, include_imported=not services.online)
    return json_response(presenter.results(tallies))


@router.get("/games/{game_id}", response_model=schemas.Game, responses=error_responses(404, 422))
async def get_game(game_id: GameId, request: Request) -> Response:
    """Return a game with its moves and its current position."""
    services = services_of(request)
    game = await services.get(Games).get(game_id)
    await services.get(EngineStatus).refresh(game)
    return await game_response(request, game)


@router.delete("/games/{game_id}", status_code=204, responses=error_responses(403, 404, 409, 422))
async def delete_game(game_id: GameId, request: Request, context: Context) -> None:
    """Delete a game."""
    await services_of(request).get(Games).delete(game_id, context.actor, context.idempotency_key)


@router.get(
    "/games/{game_id}/positions/{ply}",
    response_model=position_schemas.PositionView,
    responses=error_responses(404, 422),
)
async def get_position(game_id: GameId, ply: GamePly, request: Request) -> Response:
    """Return the position after some moves, with the last of them."""
    game = await services_of(request).get(Games).get(game_id)
    return Response(view_json(*game.state(ply)), media_type=JSON)


@router.post("/games/{game_id}/turns", response_model=schemas.Game, responses=CHANGE_ERRORS)
@limited(MOVES)
@token_scope("play")
async def play_turn(game_id: GameId, turn: schemas.TurnRequest, request: Request, context: Context) -> Response:
    """Play a move. It is stored before the response; if it is sent again for the same ply, it is not played twice."""
    services = services_of(request)
    game = await services.get(Games).play(game_id, turn.text, turn.ply, context.actor, key=context.idempotency_key)
    return await game_response(request, game)


@router.post("/games/{game_id}/undo", response_model=schemas.Game, responses=CHANGE_ERRORS)
@token_scope("play")
async def undo(
    game_id: GameId, request: Request, context: Context, body: schemas.UndoRequest | None = None
) -> Response:
    """Take back one move at one screen; against the computer, back to the person's turn; or a resignation."""
    return await _step(services_of(request).get(Games).undo, game_id, request, context, body)


@router.post("/games/{game_id}/redo", response_model=schemas.Game, responses=CHANGE_ERRORS)
@token_scope("play")
async def redo(
    game_id: GameId, request: Request, context: Context, body: schemas.UndoRequest | None = None
) -> Response:
    """Redo what was taken back, as long as nothing else was played: one move, or up to the person's next turn."""
    return await _step(services_of(request).get(Games).redo, game_id, request, context, body)


async def _step(
    step: Callable[..., Awaitable[PlayedGame]],
    game_id: str,
    request: Request,
    context: RequestContext,
    body: schemas.UndoRequest | None,
) -> Response:
    """Undo or redo."""
    return await game_response(request, await step(game_id, body and body.ply, context.actor, context.idempotency_key))


@router.post("/games/{game_id}/resign", response_model=schemas.Game, responses=CHANGE_ERRORS)
@token_scope("play")
async def resign(
    game_id: GameId, request: Request, context: Context, body: schemas.ResignRequest | None = None
) -> Response:
    """Resign: the given colour, else the person whose turn it is, else the only person."""
    colour = {"w": Colour.WHITE, "b": Colour.BLACK}[body.colour] if body and body.colour else None
    game = await services_of(request).get(Games).resign(game_id, colour, context.actor, context.idempotency_key)
    return await game_response(request, game)


@router.post("/games/{game_id}/draw", response_model=schemas.Game, responses=error_responses(403, 404, 409, 422))
@token_scope("play")
async def agree_draw(game_id: GameId, request: Request, context: Context) -> Response:
    """Agree on a draw: two persons at one screen."""
    return await game_response(
        request, await services_of(request).get(Games).agree_draw(game_id, context.actor, context.idempotency_key)
    )


@router.post(
    "/games/{game_id}/explain",
    response_model=position_schemas.Explanation,
    responses=error_responses(403, 404, 413, 422),
)
@limited(POSITIONS)
@token_scope(None)
async def explain_turn(game_id: GameId, body: position_schemas.ExplainRequest, request: Request) -> Response:
    """Explain whether a move, or a piece and a space with any heading, is legal, and if not, which rule forbids it."""
    game = await services_of(request).get(Games).get(game_id)
    answer = position_presenter.explanation(*game.state(body.ply), body.text, any_heading=body.any_heading)
    return Response(answer, media_type=JSON)
