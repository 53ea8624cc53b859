"""Conflict responses carry the game as it now is, so that the client need not fetch it next."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from punct.server.db.errors import StoreError
from punct.server.errors import BrokenGameError
from punct.server.games import snapshots
from punct.server.games.errors import GameConflictError, UnknownGameError
from punct.server.games.service import Games
from punct.server.games.snapshots import SnapshotCache
from punct.server.http.errors import describe_error, error_response
from punct.server.http.registry import services_of
from punct.server.http.responses import JSON


def install(app: FastAPI) -> None:
    """Add the exception handler that puts the game into conflict responses."""

    @app.exception_handler(GameConflictError)
    async def _handle_conflict(request: Request, error: GameConflictError) -> Response:
        game_id = request.path_params.get("game_id")
        if game_id is None:
            return error_response(error)  # it concerns no single game
        services = services_of(request)
        try:
            game = await services.get(Games).get(game_id)
        except (UnknownGameError, BrokenGameError, StoreError):
            return error_response(error)
        status, body = describe_error(error)
        snapshot = await services.get(SnapshotCache).get_async(game)
        return Response(snapshots.conflict_body(body, game, snapshot), status, media_type=JSON)
