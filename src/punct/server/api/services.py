"""What a running server has: its games, its opponents, and whoever watches; made at the start, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import HTTPConnection

from punct.server.api import figures, present
from punct.server.api.cookies import Cookies
from punct.server.api.doors import Doors
from punct.server.api.limits import Limits
from punct.server.api.live import Hub
from punct.server.api.lobby import Lobby
from punct.server.api.passkeys import Passkeys
from punct.server.api.presence import Presence
from punct.server.api.present import Presenter
from punct.server.broker import Broker, open_broker
from punct.server.opponents.seats import Opponents, Thinking
from punct.server.people.players import Players
from punct.server.people.puzzles import Puzzles
from punct.server.people.ratings import LEVELS, Ratings
from punct.server.pictures import Pictures
from punct.server.play.analyses import Analyses
from punct.server.play.challenges import Challenges
from punct.server.play.clock import Now, utc_now
from punct.server.play.deadlines import Deadlines
from punct.server.play.explorer import Explorer
from punct.server.play.game import PlayedGame
from punct.server.play.games import Games, Gone
from punct.server.play.onlooker import Onlooker
from punct.server.play.timekeeper import Timekeeper
from punct.server.store import AnalysisStore, ChallengeStore, GameStore, PulseStore, StoreError
from punct.server.workers import draw, read, think
from punct.server.workers.pool import Pool, Workforce
from punct.server.workers.think import Progress

_log = logging.getLogger(__name__)
RESUME_SECONDS: Final = 15.0
"""How often of several processes one looks for games in which an engine is to move and nobody thinks."""
MEASURE_SECONDS: Final = 1.0
"""How often a process notes what the figures of all processes are summed from."""
_PLAYERS: Final = "players"
"""The topic of players who have changed, or are no longer known in a browser."""
MOST_WAITING: Final = 8
"""With so many pictures, or records, waiting for their turn, further ones are refused."""


@dataclass(frozen=True, slots=True)
class People:
    """Who plays on a server that is online."""

    players: Players
    ratings: Ratings
    cookies: Cookies
    passkeys: Passkeys
    limits: Limits
    doors: Doors
    puzzles: Puzzles


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routes need."""

    games: Games
    hub: Hub
    opponents: Opponents
    presenter: Presenter
    pictures: Pictures
    animations: Pictures
    reading: Pool
    """Reads the records that clients send."""
    broker: Broker
    """Tells other processes, if there are any."""
    explorer: Explorer
    analyses: Analyses
    people: People | None = None
    """None at home."""
    challenges: Challenges | None = None
    """None at home."""
    timekeeper: Timekeeper | None = None
    """None at home."""
    presence: Presence | None = None
    """None at home."""
    lobby: Lobby | None = None
    """None at home."""
    now: Now = utc_now

    @property
    def online(self) -> bool:
        """Whether people play here across a network; else whoever asks is at home, and everything is theirs."""
        return self.people is not None


@contextlib.asynccontextmanager
async def run_services(
    store: GameStore,
    workers: int | None = None,
    *,
    online: bool = False,
    broker_url: str | None = None,
    now: Now = utc_now,
    origins: Collection[str] | None = None,
) -> AsyncIterator[Services]:
    """Set everything up, take up interrupted games, and end everything in order."""
    broker = open_broker(broker_url)
    await broker.start()
    games, hub = Games(store, now), Hub(broker)
    people = await _open_to_people(store, broker_url, now, origins) if online else None
    challenges = Challenges(ChallengeStore(store.database), games, now) if online else None
    thinking, drawing, animating = _workforces(broker, workers)
    reading = Pool(read.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.read")
    opponents = Opponents(games, thinking, hub.is_watched, broker)
    presenter = Presenter(opponents.thinking)
    hub.when_left(opponents.left)

    def attend(game_id: str, game: PlayedGame | Gone) -> None:
        opponents.attend(game_id, None if isinstance(game, Gone) else game)

    def publish(game_id: str, game: PlayedGame | Gone) -> None:
        if not hub.may_be_watched(game_id):
            return
        if isinstance(game, Gone):
            hub.publish(game_id, "gone", present.gone_message(game))
        else:
            hub.publish(game_id, "game", presenter.game(game).message, game.revision)

    def publish_thinking(game: PlayedGame, state: Thinking, progress: Progress | None) -> None:
        if hub.may_be_watched(game.id):
            hub.publish(game.id, "thinking", present.thinking_message(game, state, progress))

    games.look_on(attend)  # first, so that what is published says whether the engine thinks
    games.look_on(publish)
    games.listen(figures.count)
    games.when_ended(figures.count_end)
    explorer = Explorer(store, LEVELS, now)
    games.look_on(explorer.hear)
    opponents.listen(publish_thinking)
    if people is not None:
        games.listen(functools.partial(_count, people.ratings))
    timekeeper = presence = lobby = None
    running = [asyncio.create_task(explorer.run())]
    if challenges is not None:
        timekeeper = Timekeeper(PulseStore(store.database), games, Deadlines(store, games), now)
        games.flags.arrival = timekeeper.arrival
        await timekeeper.look()  # before anybody plays: what an outage took is given back first
        presence = Presence(hub, now)
        games.flags.lag = presence.lag
        lobby = Lobby(challenges, games, presence, broker)
        running += [asyncio.create_task(service.run()) for service in (timekeeper, presence, lobby)]
        running.append(asyncio.create_task(lobby.count()))
    resuming = asyncio.create_task(_resume(opponents, broker))
    catching_up: set[asyncio.Task[None]] = set()

    def begin(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        catching_up.add(task)
        task.add_done_callback(ended)

    def ended(task: asyncio.Task[None]) -> None:
        catching_up.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("what has changed elsewhere is not known here", exc_info=error)

    async def look_anew() -> None:
        """Find out what a program beside the server has changed, or what was missed while the broker was away."""
        if people is not None:
            people.players.forget_all()
        if lobby is not None:
            lobby.look_anew()
        await games.refresh(hub.watched, lambda game: hub.is_news(game.id, game.revision))

    broker.when_back(lambda: begin(look_anew()))
    if people is not None:
        _follow_players(people, broker, lambda player_id: begin(games.reseat(player_id, hub.is_watched)))
        people.ratings.when_left_out(lambda game_id: begin(games.refresh([game_id])))
        await broker.follow(_PLAYERS)
        people.ratings.catch_up()
        running.append(asyncio.create_task(people.doors.run()))
    onlooker = Onlooker(PulseStore(store.database), look_anew)
    running += [asyncio.create_task(onlooker.run()), asyncio.create_task(_measure(opponents, hub))]
    try:
        yield Services(
            games,
            hub,
            opponents,
            presenter,
            Pictures(drawing),
            Pictures(animating),
            reading,
            broker,
            explorer,
            Analyses(AnalysisStore(store.database), games, now),
            people,
            challenges,
            timekeeper,
            presence,
            lobby,
            now,
        )
    finally:
        store.database.hurry()
        ending = [resuming, *running, *catching_up]
        for task in ending:
            task.cancel()
        await asyncio.gather(*ending, return_exceptions=True)
        if timekeeper is not None:
            with contextlib.suppress(StoreError):
                await timekeeper.close()
        await opponents.close()
        await games.close()  # a move being played, by an engine too, is played to its end
        if people is not None:
            await people.ratings.close()
            people.players.close()
            await people.limits.close()
        await asyncio.gather(*(pool.close() for pool in (thinking, drawing, animating, reading)))
        await broker.close()


def _workforces(broker: Broker, workers: int | None) -> tuple[Workforce, Workforce, Workforce]:
    """Return who thinks, who draws and who animates. Each has processes of its own: none can starve another."""
    if broker.is_shared:
        from punct.server.broker.jobs import RemotePool
        from punct.server.broker.redis import RedisBroker

        assert isinstance(broker, RedisBroker)
        return (
            RemotePool(broker, think.Think, think.BOUNDS),
            RemotePool(broker, draw.Draw, draw.BOUNDS, MOST_WAITING),
            RemotePool(broker, draw.Animate, draw.ANIMATION_BOUNDS, MOST_WAITING),
        )
    return (
        Pool(think.BOUNDS, workers, preload="punct.engine"),
        Pool(draw.BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.draw"),
        Pool(draw.ANIMATION_BOUNDS, 1, MOST_WAITING, preload="punct.server.workers.draw"),
    )


async def _resume(opponents: Opponents, broker: Broker) -> None:
    """Take up games in which an engine is to move: at the start, and later those that another process left."""
    await opponents.resume()
    while broker.is_shared:
        await asyncio.sleep(RESUME_SECONDS)
        if await broker.claim("resume", RESUME_SECONDS * 0.9):
            await opponents.resume()


async def _measure(opponents: Opponents, hub: Hub) -> None:
    """Note how much there is to do here: whichever process is asked for figures tells those of all."""
    while True:
        figures.note(opponents.waiting, len(hub.watched))
        await asyncio.sleep(MEASURE_SECONDS)


def _count(ratings: Ratings, game_id: str, game: PlayedGame | Gone) -> None:
    """Have a rated game counted that has ended."""
    if isinstance(game, PlayedGame) and game.outcome is not None and game.stored.rated:
        ratings.ended(game_id)


async def _open_to_people(
    store: GameStore, broker_url: str | None, now: Now, origins: Collection[str] | None
) -> People:
    """Set up what a server has that is online. On several machines, all must sign cookies with the same key."""
    kept = await asyncio.wrap_future(store.players.secret("cookies"))
    players = Players(store.players, now=now)
    key = os.environ.get("PUNCT_SECRET") or kept
    passkeys = Passkeys(store.passkeys, key, now, origins)
    return People(
        players,
        Ratings(store.ratings),
        Cookies(key),
        passkeys,
        Limits(broker_url),
        Doors(players),
        Puzzles(store.puzzles, now),
    )


def _follow_players(people: People, broker: Broker, reseat: Callable[[str], None]) -> None:
    """Have every process look anew at players who change, and at the games they sit in."""

    def changed(player_id: str) -> None:
        reseat(player_id)
        broker.publish(_PLAYERS, player_id.encode())

    def heard(_: str, player_id: bytes) -> None:
        people.players.forget(player_id.decode())
        reseat(player_id.decode())

    people.players.when_changed(changed)
    people.ratings.when_changed(changed)
    broker.subscribe(_PLAYERS, heard)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the server a request is made to."""
    services = connection.app.state.services
    assert isinstance(services, Services)
    return services
