"""What a running server has: its games, its opponents, and whoever watches; made at the start, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from punct.server.api import present
from punct.server.api.cookies import Cookies
from punct.server.api.live import Hub
from punct.server.api.present import Presenter
from punct.server.opponents.seats import Opponents, Thinking
from punct.server.people.players import Players
from punct.server.pictures import Pictures
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games
from punct.server.store import GameStore
from punct.server.workers import draw, read, think
from punct.server.workers.pool import Pool
from punct.server.workers.think import Progress

MOST_WAITING: Final = 8
"""With so many pictures, or records, waiting for their turn, further ones are refused."""


@dataclass(frozen=True, slots=True)
class People:
    """Who plays on a server that is online."""

    players: Players
    cookies: Cookies


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routes need."""

    games: Games
    hub: Hub
    opponents: Opponents
    presenter: Presenter
    pictures: Pictures
    reading: Pool
    """Reads the records that clients send."""
    people: People | None = None
    """None at home."""

    @property
    def online(self) -> bool:
        """Whether people play here across a network; else whoever asks is at home, and everything is theirs."""
        return self.people is not None


@contextlib.asynccontextmanager
async def run_services(
    store: GameStore, workers: int | None = None, *, online: bool = False
) -> AsyncIterator[Services]:
    """Set everything up, take up interrupted games, and end everything in order."""
    games, hub = Games(store), Hub()
    people = await _open_to_people(store) if online else None
    # Each kind of work has processes of its own, so that none can starve another.
    thinking = Pool(think.BOUNDS, workers, preload="punct.engine")
    drawing = Pool(draw.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.draw")
    reading = Pool(read.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.read")
    opponents = Opponents(games, thinking, hub.is_watched)
    presenter = Presenter(opponents.thinking)
    hub.when_left(opponents.left)

    def publish(game_id: str, game: PlayedGame | None) -> None:
        if hub.is_watched(game_id):
            message = present.GONE_MESSAGE if game is None else presenter.game(game).message
            hub.publish(game_id, "gone" if game is None else "game", message)

    def publish_thinking(game: PlayedGame, state: Thinking, progress: Progress | None) -> None:
        if hub.is_watched(game.id):
            hub.publish(game.id, "thinking", present.thinking_message(game, state, progress))

    games.listen(opponents.attend)  # first, so that what is published says whether the engine thinks
    games.listen(publish)
    opponents.listen(publish_thinking)
    resuming = asyncio.create_task(opponents.resume())
    try:
        yield Services(games, hub, opponents, presenter, Pictures(drawing), reading, people)
    finally:
        resuming.cancel()
        await asyncio.gather(resuming, return_exceptions=True)
        await opponents.close()
        await games.close()  # a move being played, by an engine too, is played to its end
        await asyncio.gather(*(pool.close() for pool in (thinking, drawing, reading)))


async def _open_to_people(store: GameStore) -> People:
    """Set up what a server has that is online. On several machines, all must sign cookies with the same key."""
    kept = await asyncio.wrap_future(store.players.secret("cookies"))
    return People(Players(store.players), Cookies(os.environ.get("PUNCT_SECRET") or kept))


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the server a request is made to."""
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services
