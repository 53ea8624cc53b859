"""The lobby: a snapshot, and a live connection."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, WebSocket

from punct.server.auth.connections import register_connection
from punct.server.auth.identity import actor_of, identity_of
from punct.server.auth.routing import ApiRoute
from punct.server.db.errors import StoreError
from punct.server.errors import RequestError
from punct.server.http.errors import error_responses
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.live.connection import refuse_connection, serve_connection
from punct.server.lobby import schemas
from punct.server.lobby.feed import Lobby

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)


@router.get("/lobby", tags=["challenges"], response_model=schemas.LobbyView, responses=error_responses(409))
async def get_lobby(request: Request) -> Response:
    """Return the open challenges, the games to watch, and how many are connected."""
    return json_response(await services_of(request).get(Lobby).snapshot())


@router.websocket("/lobby/live")
async def watch_lobby(socket: WebSocket) -> None:
    """Send the lobby whenever it changes, and to a player their own games and accepted challenges."""
    services, actor = services_of(socket), await actor_of(socket)
    with register_connection(socket) as ended:
        await socket.accept()
        try:
            lobby = services.get(Lobby)
            subscriber = await lobby.subscribe(actor.player_id, can_read=identity_of(socket).can_read)
            try:
                await serve_connection(socket, subscriber, ended=ended)
            finally:
                lobby.unsubscribe(actor.player_id, subscriber)
        except (RequestError, StoreError) as error:
            await refuse_connection(socket, error)
