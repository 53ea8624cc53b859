"""What a running server has: its games, its opponents, and whoever watches; made at the start, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends
from starlette.requests import HTTPConnection

from punct.server.api import schemas
from punct.server.api.live import Hub
from punct.server.opponents.seats import Opponents
from punct.server.pictures import Pictures
from punct.server.play.games import Games
from punct.server.store import GameStore
from punct.server.workers import draw, read, think
from punct.server.workers.pool import Pool

MOST_WAITING: Final = 8
"""With so many pictures, or records, waiting for their turn, further ones are refused."""


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routes need."""

    games: Games
    hub: Hub
    opponents: Opponents
    pictures: Pictures
    reading: Pool
    """Reads the records that clients send."""


@contextlib.asynccontextmanager
async def run_services(store: GameStore, workers: int | None = None) -> AsyncIterator[Services]:
    """Set everything up, take up interrupted games, and end everything in order."""
    games, hub = Games(store), Hub()
    # Each kind of work has processes of its own, so that none can starve another.
    thinking = Pool(think.BOUNDS, workers, preload="punct.engine")
    drawing = Pool(draw.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.draw")
    reading = Pool(read.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.read")
    opponents = Opponents(games, hub, thinking)

    def publish(game_id: str, answer: schemas.Game | None) -> None:
        if answer is None:
            hub.publish(game_id, schemas.LiveGone())
        else:
            hub.publish(game_id, schemas.LiveGame(game=opponents.told(answer)))

    games.listen(opponents.attend)  # first, so that what is published says whether the engine thinks
    games.listen(publish)
    resuming = asyncio.create_task(opponents.resume())
    try:
        yield Services(games, hub, opponents, Pictures(drawing), reading)
    finally:
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await opponents.close()
        await asyncio.gather(*(pool.close() for pool in (thinking, drawing, reading)))


def _services(connection: HTTPConnection) -> Services:
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services


Served = Annotated[Services, Depends(_services)]
"""A route's parameter: the server's services."""
