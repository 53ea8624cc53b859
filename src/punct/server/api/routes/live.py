"""The live connection of a game."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket

from punct.server.api import live, present
from punct.server.api.errors import told
from punct.server.api.guard import BROKEN_DOWN
from punct.server.api.services import services_of
from punct.server.play.refusals import BrokenGameError, UnknownGameError
from punct.server.refusal import RefusalError
from punct.server.store import StoreError

router = APIRouter(prefix="/api/v1")


@router.websocket("/games/{game_id}/live")
async def watch(socket: WebSocket, game_id: str) -> None:
    """Send the game, then every change and the engine's thinking. The client may send pings."""
    services = services_of(socket)
    await socket.accept()
    watcher = await services.hub.join(game_id)
    try:
        game = await services.games.get(game_id)
        services.hub.note(game_id, game.revision)
        services.opponents.attend(game_id, game)  # an engine that failed, or that rested, gets another chance
        watcher.begin("game", services.presenter.game(game).message)
        await live.serve(socket, watcher)
    except (RefusalError, StoreError, BrokenGameError) as error:  # FastAPI would take these for answered
        _, body = told(error)
        await socket.send_text(present.error_message(body.code, body.message))
        await socket.close(live.UNKNOWN_GAME if isinstance(error, UnknownGameError) else BROKEN_DOWN, body.code)
    finally:
        services.hub.leave(game_id, watcher)
