"""What a running server has: its games, its opponents, and whoever watches; made at the start, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from punct.server.api import schemas
from punct.server.api.live import Hub
from punct.server.opponents.pool import Pool
from punct.server.opponents.seats import Opponents
from punct.server.play.games import Games
from punct.server.store import GameStore


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routes need."""

    games: Games
    hub: Hub
    opponents: Opponents
    drawing: asyncio.Semaphore
    """How many pictures are drawn at once."""


@contextlib.asynccontextmanager
async def run_services(store: GameStore, workers: int | None = None) -> AsyncIterator[Services]:
    """Set everything up, take up interrupted games, and end everything in order."""
    games, hub, pool = Games(store), Hub(), Pool(workers)
    opponents = Opponents(games, hub, pool)

    def publish(game_id: str, answer: schemas.Game | None) -> None:
        if answer is None:
            hub.publish(game_id, schemas.LiveGone())
        else:
            hub.publish(game_id, schemas.LiveGame(game=opponents.told(answer)))

    games.listen(opponents.attend)  # first, so that what is published says whether the engine thinks
    games.listen(publish)
    resuming = asyncio.create_task(opponents.resume())
    try:
        yield Services(games, hub, opponents, asyncio.Semaphore(2))
    finally:
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await opponents.close()
        await pool.close()


def _services(connection: HTTPConnection) -> Services:
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services


Served = Annotated[Services, Depends(_services)]
"""A route's parameter: the server's services."""
