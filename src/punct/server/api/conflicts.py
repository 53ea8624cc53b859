"""What a game does not allow as it stands is refused together with how it stands: nobody has to ask for that next."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from punct.server.api import present
from punct.server.api.answers import JSON
from punct.server.api.errors import refused, told
from punct.server.api.services import services_of
from punct.server.play.refusals import BrokenGameError, NotNowError, UnknownGameError
from punct.server.store import StoreError


def install(app: FastAPI) -> None:
    """Have every such refusal carry the game it is about."""

    @app.exception_handler(NotNowError)
    async def _not_now(request: Request, error: NotNowError) -> Response:
        game_id = request.path_params.get("game_id")
        if game_id is None:
            return refused(error)  # about no game in particular
        services = services_of(request)
        try:
            game = await services.games.get(game_id)
        except (UnknownGameError, BrokenGameError, StoreError):
            return refused(error)
        status, body = told(error)
        snapshot = await services.presenter.shown(game)
        return Response(present.conflict(body, game, snapshot), status, media_type=JSON)
