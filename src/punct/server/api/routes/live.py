"""Live connections: of a game, and of the lobby."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response, WebSocket

from punct.server.api import live, present, schemas
from punct.server.api.answers import json_answer
from punct.server.api.errors import told
from punct.server.api.guard import BROKEN_DOWN
from punct.server.api.limited import LimitedRoute
from punct.server.api.lobby import Lobby
from punct.server.api.presence import Presence
from punct.server.api.routes.games import may
from punct.server.api.services import Services, services_of
from punct.server.api.whoami import actor_of, visit_of
from punct.server.people.refusals import NotOfferedError
from punct.server.play.actor import Actor
from punct.server.play.game import PlayedGame
from punct.server.play.refusals import BrokenGameError, UnknownGameError
from punct.server.play.rights import rights_of
from punct.server.refusal import RefusalError
from punct.server.store import StoreError

router = APIRouter(prefix="/api/v1", route_class=LimitedRoute)


@router.websocket("/games/{game_id}/live")
async def watch(
    socket: WebSocket, game_id: str, seen: Annotated[int, Query(description="The revision the client has")] = 0
) -> None:
    """Send the game, then every change and the engine's thinking. The client may send pings."""
    services, actor = services_of(socket), await actor_of(socket)
    with _door(services, socket) as ended:
        await socket.accept()
        await _watch(services, socket, game_id, seen, actor, ended)


async def _watch(
    services: Services, socket: WebSocket, game_id: str, seen: int, actor: Actor, ended: asyncio.Event
) -> None:
    watcher = await services.hub.join(game_id)
    try:
        game = await services.games.get(game_id)
        services.hub.note(game_id, game.revision)
        services.opponents.attend(game_id, game)  # an engine that failed, or that rested, gets another chance
        await _begin(services, watcher, game, seen)
        if services.presence is None:
            await live.serve(socket, watcher)
        else:
            await _at_board(services, services.presence, socket, watcher, game, actor, ended)
    except (RefusalError, StoreError, BrokenGameError) as error:  # FastAPI would take these for answered
        await _refuse(socket, error)
    finally:
        services.hub.leave(game_id, watcher)


async def _begin(services: Services, watcher: live.Watcher, game: PlayedGame, seen: int) -> None:
    """Send the game, unless the client has it."""
    thinking = services.opponents.thinking(game)
    if game.revision == seen and thinking.state == "idle":
        watcher.begin("game", present.current_message(game.stored))
    else:
        watcher.begin("game", (await services.presenter.shown(game)).message)


def _door(services: Services, socket: WebSocket) -> contextlib.AbstractContextManager[asyncio.Event]:
    """Keep a connection open only as long as the session or token by which it came; at home there is none."""
    if services.people is None:
        return contextlib.nullcontext(asyncio.Event())
    visit = visit_of(socket)
    return services.people.doors.open(visit.player, visit.token or visit.session)


async def _at_board(
    services: Services,
    presence: Presence,
    socket: WebSocket,
    watcher: live.Watcher,
    game: PlayedGame,
    actor: Actor,
    ended: asyncio.Event,
) -> None:
    """Serve somebody who is at the board, online."""
    rights = rights_of(game.stored, actor)
    watcher.put("you", present.you_message(rights, services.now()))
    probes = live.Probes(watcher, services.now, lambda lag: presence.measured(game.id, watcher, lag))
    probing = None
    try:
        presence.enter(game.id, watcher, rights.seats)
        if rights.seats and game.stored.clock is not None and game.outcome is None:
            probing = asyncio.create_task(probes.run())
        await live.serve(socket, watcher, probes.answered, ended)
    finally:
        if probing is not None:
            probing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await probing
        presence.leave(game.id, watcher)


async def _refuse(socket: WebSocket, error: Exception) -> None:
    _, body = told(error)
    await socket.send_text(present.error_message(body.code, body.message))
    await socket.close(live.UNKNOWN_GAME if isinstance(error, UnknownGameError) else BROKEN_DOWN, body.code)


@router.get("/lobby", tags=["challenges"], response_model=schemas.LobbyView, responses=may(409))
async def get_lobby(request: Request) -> Response:
    """Tell who wants to play, what can be watched, and how many are here."""
    return json_answer(await _lobby(services_of(request)).content())


@router.websocket("/lobby/live")
async def watch_lobby(socket: WebSocket) -> None:
    """Send the lobby whenever it changes, and to a player what waits for them and who has accepted."""
    services, actor = services_of(socket), await actor_of(socket)
    with _door(services, socket) as ended:
        await socket.accept()
        try:
            lobby = _lobby(services)
            watcher = await lobby.enter(actor.player, reads=services.people is None or visit_of(socket).reads)
            try:
                await live.serve(socket, watcher, ended=ended)
            finally:
                lobby.leave(actor.player, watcher)
        except (RefusalError, StoreError) as error:
            await _refuse(socket, error)


def _lobby(services: Services) -> Lobby:
    if services.lobby is None:
        raise NotOfferedError("At home there is no lobby: everybody sits at one screen.")
    return services.lobby
