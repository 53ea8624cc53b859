"""How answers leave: games through the presenter, anything else as the JSON it is."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from punct.server.api import present
from punct.server.api.message import WORTH_COMPRESSING
from punct.server.api.services import services_of
from punct.server.play.game import PlayedGame

_JSON = "application/json"


def json_answer(found: present.Json, status: int = 200) -> Response:
    """Return an answer."""
    return Response(present.encode(found), status, media_type=_JSON)


async def game_answer(request: Request, game: PlayedGame, status: int = 200) -> Response:
    """Return the answer that shows a game, with what its engine does."""
    snapshot = await services_of(request).presenter.shown(game)
    headers = {"Vary": "Accept-Encoding"}
    content = snapshot.body
    if len(content) >= WORTH_COMPRESSING and "gzip" in request.headers.get("accept-encoding", ""):
        content = snapshot.compressed
        headers["Content-Encoding"] = "gzip"
    if status == 201:
        headers["Location"] = f"/api/v1/games/{game.id}"
    return Response(content, status, headers, _JSON)
