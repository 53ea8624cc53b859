"""Games: begin, look, play, take back, end."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response

from punct.piece import Colour
from punct.server.api import schemas
from punct.server.api.errors import ANSWERS, GameOverError, NotPossibleError
from punct.server.api.patience import while_connected
from punct.server.api.reading import read_record
from punct.server.api.services import Served

router = APIRouter(prefix="/api/v1", tags=["games"])

GameId = Annotated[str, Path(pattern="^[A-Za-z0-9_-]{1,32}$", examples=["c0ffee-Punct"])]
GamePly = Annotated[int, Path(ge=0, le=100_000)]
MOST_PER_PAGE: Final = 100


def may(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route may answer besides success."""
    return {status: ANSWERS[status] for status in statuses}


CHANGES: Final = may(403, 404, 409, 413, 422)


@router.post("/games", status_code=201, responses=may(403, 413, 422, 429, 503))
async def create_game(new: schemas.NewGame, request: Request, services: Served, response: Response) -> schemas.Game:
    """Begin a game. If an engine is to move, it starts thinking at once."""
    record = None
    if new.record is not None:
        record = (await while_connected(request, read_record(services.reading, new.record, most_games=1)))[0]
    answer = await services.games.create(new, record)
    response.headers["Location"] = f"/api/v1/games/{answer.id}"
    return services.opponents.told(answer)


@router.get("/games", responses=may(422))
async def list_games(
    services: Served,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_PER_PAGE)] = 20,
) -> schemas.GameList:
    """List games, the last changed first."""
    return await services.games.page(offset, limit)


@router.get("/games/{game_id}", responses=may(404, 422))
async def get_game(game_id: GameId, services: Served) -> schemas.Game:
    """Return a game with its turns and its current position."""
    return services.opponents.told(await services.games.get(game_id))


@router.delete("/games/{game_id}", status_code=204, responses=may(403, 404, 422))
async def delete_game(game_id: GameId, services: Served) -> None:
    """Forget a game for good."""
    await services.games.delete(game_id)


@router.get("/games/{game_id}/positions/{ply}", responses=may(404, 422))
async def get_position(game_id: GameId, ply: GamePly, services: Served) -> schemas.PositionView:
    """Return the position after some turns, with the turn that led there."""
    return await services.games.view(game_id, ply)


@router.post("/games/{game_id}/turns", responses=CHANGES)
async def play_turn(game_id: GameId, turn: schemas.TurnRequest, services: Served) -> schemas.Game:
    """Play a turn. It is stored before this answers; sent again for the same ply, it is not played twice."""
    return services.opponents.told(await services.games.play(game_id, turn.text, turn.ply))


@router.post("/games/{game_id}/undo", responses=CHANGES)
async def undo(game_id: GameId, services: Served, wanted: schemas.UndoRequest | None = None) -> schemas.Game:
    """Take back: one turn at one screen; against the computer, back to the person's turn; or a resignation."""
    return services.opponents.told(await services.games.undo(game_id, wanted.ply if wanted else None))


@router.post("/games/{game_id}/resign", responses=CHANGES)
async def resign(game_id: GameId, services: Served, wanted: schemas.ResignRequest | None = None) -> schemas.Game:
    """Give up: the person whose turn it is, or the only person."""
    colour = {"w": Colour.WHITE, "b": Colour.BLACK}[wanted.colour] if wanted and wanted.colour else None
    return services.opponents.told(await services.games.resign(game_id, colour))


@router.post("/games/{game_id}/draw", responses=may(403, 404, 409, 422))
async def agree_draw(game_id: GameId, services: Served) -> schemas.Game:
    """Agree on a draw: two persons at one screen."""
    return services.opponents.told(await services.games.agree_draw(game_id))


@router.post("/games/{game_id}/explain", responses=may(403, 404, 413, 422))
async def explain(game_id: GameId, wanted: schemas.ExplainRequest, services: Served) -> schemas.Explanation:
    """Say whether a turn is legal, and if not, which rule it breaks."""
    return await services.games.explain(game_id, wanted.text, wanted.ply)


@router.post("/games/{game_id}/hint", responses=may(403, 404, 409, 422, 429, 503))
async def hint(game_id: GameId, request: Request, services: Served) -> schemas.Hint:
    """Return a turn the strongest level would play, for a person whose turn it is. Hang up, and it stops thinking."""
    game = await services.games.get(game_id)
    if game.outcome is not None:
        raise GameOverError("The game is over; there is nothing to play.")
    if (game.seats.w if game.turn == "w" else game.seats.b).type == "engine":
        raise NotPossibleError("The computer is to move; it needs no hint.")
    return await while_connected(request, services.opponents.hint(game))
