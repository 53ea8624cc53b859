"""The live connection of a game."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

from punct.server.auth.actor import Actor
from punct.server.auth.connections import register_connection
from punct.server.auth.identity import actor_of
from punct.server.auth.routing import ApiRoute
from punct.server.db.errors import StoreError
from punct.server.errors import BrokenGameError, RequestError
from punct.server.games import messages
from punct.server.games.engine_status import EngineStatus
from punct.server.games.game import PlayedGame
from punct.server.games.presence import Presence
from punct.server.games.rights import rights_of
from punct.server.games.service import Games
from punct.server.games.snapshots import SnapshotCache
from punct.server.http.registry import Services, services_of
from punct.server.live import connection
from punct.server.live.connection import refuse_connection
from punct.server.live.hub import Hub
from punct.server.live.probes import Probes
from punct.server.live.subscriber import Subscriber

router = APIRouter(prefix="/api/v1", route_class=ApiRoute)


@router.websocket("/games/{game_id}/live")
async def watch(
    socket: WebSocket, game_id: str, seen: Annotated[int, Query(description="The revision the client has")] = 0
) -> None:
    """Send the game, then every change and the engine's thinking. The client may send pings."""
    services, actor = services_of(socket), await actor_of(socket)
    with register_connection(socket) as ended:
        await socket.accept()
        await _watch(services, socket, game_id, seen, actor, ended)


async def _watch(
    services: Services, socket: WebSocket, game_id: str, seen: int, actor: Actor, ended: asyncio.Event
) -> None:
    subscriber = await services.get(Hub).subscribe(game_id)
    try:
        game = await services.get(Games).get(game_id)
        services.get(Hub).record_revision(game_id, game.revision)
        services.get(EngineStatus).schedule(game_id, game)  # retry an engine that failed or paused
        await _send_first_message(services, subscriber, game, seen)
        if services.online:
            await _serve_online(services, socket, subscriber, game, actor, ended)
        else:
            await connection.serve_connection(socket, subscriber)
    except (RequestError, StoreError, BrokenGameError) as error:  # else FastAPI would take it for handled
        await refuse_connection(socket, error)
    finally:
        services.get(Hub).unsubscribe(game_id, subscriber)


async def _send_first_message(services: Services, subscriber: Subscriber, game: PlayedGame, seen: int) -> None:
    """Send the game, or only its seats if the client has this revision."""
    thinking = services.get(EngineStatus).thinking(game)
    if game.revision == seen and thinking.state == "idle":
        subscriber.put_if_absent("game", messages.current_message(game.stored))
    else:
        subscriber.put_if_absent("game", (await services.get(SnapshotCache).get_async(game)).message)


async def _serve_online(
    services: Services,
    socket: WebSocket,
    subscriber: Subscriber,
    game: PlayedGame,
    actor: Actor,
    ended: asyncio.Event,
) -> None:
    """Serve a connection that counts as present, and measure the round-trip time to a player with a clock."""
    presence = services.get(Presence)
    rights = rights_of(game.stored, actor)
    subscriber.put("you", messages.you_message(rights, services.now()))
    probes = Probes(subscriber, services.now, lambda lag: presence.record_lag(game.id, subscriber, lag))
    probe_task = None
    try:
        presence.enter(game.id, subscriber, rights.seats)
        if rights.seats and game.stored.clock is not None and game.outcome is None:
            probe_task = asyncio.create_task(probes.run())
        await connection.serve_connection(socket, subscriber, probes.record_reply, ended)
    finally:
        if probe_task is not None:
            probe_task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await probe_task
        presence.leave(game.id, subscriber)
