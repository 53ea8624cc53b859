"""How answers leave: games through the presenter, all else as the JSON it is; what a client has is not sent again."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from punct.server.api import present
from punct.server.api.message import WORTH_COMPRESSING
from punct.server.api.services import services_of
from punct.server.play.game import PlayedGame

JSON = "application/json"


def json_answer(found: present.Json, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer."""
    return Response(present.encode(found), status, headers, JSON)


async def game_answer(request: Request, game: PlayedGame, status: int = 200) -> Response:
    """Return the answer that shows a game, with what its engine does."""
    snapshot = await services_of(request).presenter.shown(game)
    content = snapshot.body
    packed = snapshot.compressed if len(content) >= WORTH_COMPRESSING and takes_gzip(request) else None
    headers = {"Location": f"/api/v1/games/{game.id}"} if status == 201 else {}
    return packed_answer(request, content, packed, JSON, status, headers)


def packed_answer(
    request: Request,
    content: bytes,
    packed: bytes | None,
    media_type: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a content of which there may be a compressed form: that, to clients that take it."""
    sent = {"Vary": "Accept-Encoding", **(headers or {})}
    if packed is not None and takes_gzip(request):
        content = packed
        sent["Content-Encoding"] = "gzip"
    return Response(content, status, sent, media_type)


def takes_gzip(request: Request) -> bool:
    """Tell whether a client takes what is compressed."""
    return "gzip" in request.headers.get("accept-encoding", "")


def unchanged(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return the short answer to a client that has what the ``ETag`` names; None to others."""
    if headers["ETag"] not in request.headers.get("if-none-match", ""):
        return None
    return Response(status_code=304, headers=headers)
