"""HTTP responses that show a game."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from punct.server.games.game import PlayedGame
from punct.server.games.snapshots import SnapshotCache
from punct.server.http.message import MIN_COMPRESSED_BYTES
from punct.server.http.registry import services_of
from punct.server.http.responses import JSON, accepts_gzip, compressed_response


async def game_response(request: Request, game: PlayedGame, status: int = 200) -> Response:
    """Return a response with a game and what its engine does."""
    snapshot = await services_of(request).get(SnapshotCache).get_async(game)
    body = snapshot.body
    compressed = snapshot.compressed if len(body) >= MIN_COMPRESSED_BYTES and accepts_gzip(request) else None
    headers = {"Location": f"/api/v1/games/{game.id}"} if status == 201 else {}
    return compressed_response(request, body, compressed, JSON, status, headers)
