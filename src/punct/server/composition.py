"""The composition root: creates every service of a server, in order, and connects them by the event bus."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Collection
from typing import Any, Final

from punct.server.accounts.passkey_store import PasskeyStore
from punct.server.accounts.passkeys import Passkeys
from punct.server.accounts.service import Accounts
from punct.server.accounts.store import AccountStore
from punct.server.analyses.service import Analyses
from punct.server.analyses.store import AnalysisStore
from punct.server.auth.connections import SessionConnections
from punct.server.auth.cookies import Cookies
from punct.server.auth.events import CachesInvalidated
from punct.server.auth.sessions import Sessions
from punct.server.auth.store import AuthStore
from punct.server.broker import Broker, open_broker
from punct.server.challenges.service import Challenges
from punct.server.challenges.store import ChallengeStore
from punct.server.clock import Now, utc_now
from punct.server.db.change_monitor import ChangeMonitor
from punct.server.engines.service import Engines
from punct.server.events import EventBus
from punct.server.games.engine_status import EngineStatus
from punct.server.games.feed import GameFeed
from punct.server.games.presence import Presence
from punct.server.games.records import RecordReader
from punct.server.games.service import Games
from punct.server.games.snapshots import SnapshotCache
from punct.server.games.store import GameStore
from punct.server.games.time_control import GameClock, HomeClock
from punct.server.http.rate_limits import Limits
from punct.server.http.registry import Services
from punct.server.live.hub import Hub
from punct.server.lobby.feed import Lobby
from punct.server.openings.counter import GameCounter
from punct.server.openings.service import Explorer
from punct.server.openings.store import OpeningStore
from punct.server.operations.metrics import Metrics
from punct.server.pictures.service import Animations, Pictures
from punct.server.puzzles.service import Puzzles
from punct.server.puzzles.store import PuzzleStore
from punct.server.ratings.service import LEVEL_RATINGS, Ratings
from punct.server.ratings.store import RatingStore
from punct.server.tasks import BackgroundTasks
from punct.server.timekeeping.deadlines import Deadlines
from punct.server.timekeeping.expiry_store import ExpiryStore
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.timekeeping.service import Timekeeper
from punct.server.timekeeping.store import HeartbeatStore
from punct.server.workers import draw, read, think
from punct.server.workers.pool import ProcessPool, WorkerPool
from punct.server.workers.process import Job, WorkerLimits

MAX_QUEUE: Final = 8
"""Pictures, or records, that wait for a worker; further ones are refused."""


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
    """Create all services, start them in this order, and close them in reverse."""
    db, bus, services = store.database, EventBus(), Services(online=online, now=now)
    add = services.add
    clock: GameClock = HomeClock(now)

    broker = add(open_broker(broker_url), Broker)
    hub = add(Hub(broker, bus))
    if online:
        key = await _secret_key(AuthStore(db))
        add(Cookies(key))
        add(Limits(broker_url))
        sessions = add(Sessions(AuthStore(db), broker, bus, now))
        add(SessionConnections(sessions, bus))
        add(Ratings(RatingStore(db), bus))
        presence = add(Presence(hub, now, bus))
        clock = heartbeat = add(Heartbeat(HeartbeatStore(db), presence, bus, now))

    games = add(Games(store, bus, clock, now))
    # Before the feed, so that a game is sent together with what its engine does.
    engines = add(Engines(games, _think_pool(broker, workers), hub.is_watched, broker, bus))
    add(engines, EngineStatus)
    presenter = add(SnapshotCache(engines.thinking))
    feed = add(GameFeed(games, hub, presenter, bus))
    add(RecordReader(ProcessPool(read.LIMITS, 1, MAX_QUEUE, preload="punct.server.workers.read")))
    add(Pictures(_draw_pool(broker, draw.DrawJob, draw.LIMITS)))
    add(Animations(_draw_pool(broker, draw.AnimateJob, draw.ANIMATION_LIMITS)))
    explorer = add(Explorer(OpeningStore(db)))
    add(GameCounter(store, LEVEL_RATINGS, explorer.clear_cache, bus, now))
    add(Analyses(AnalysisStore(db), games, now))
    if online:
        challenges = add(Challenges(ChallengeStore(db), games, bus, now))
        add(Lobby(challenges, games, presence, broker, bus))
        add(Accounts(AccountStore(db), AuthStore(db), sessions, now=now))
        add(Passkeys(PasskeyStore(db), key, now, origins))
        add(Puzzles(PuzzleStore(db), now))
        add(Timekeeper(ExpiryStore(db), heartbeat, Deadlines(store, games), now))
    add(Metrics(engines, hub, bus))
    resync = add(Resync(feed, broker, bus))
    add(ChangeMonitor(db, resync.run_now))
    async with services:
        try:
            yield services
        finally:
            db.shorten_timeouts()


class Resync:
    """Reads again what may have changed without an event: by another program, or while the broker was away."""

    def __init__(self, feed: GameFeed, broker: Broker, bus: EventBus) -> None:
        """Begin whenever the broker is back."""
        self._feed, self._bus = feed, bus
        self._tasks = BackgroundTasks("reading again what was missed")
        broker.on_reconnect(lambda: self._tasks.start(self.run_now()))

    async def run_now(self) -> None:
        """Drop all caches, and send the games that have changed; raises StoreError if some could not be read."""
        self._bus.publish(CachesInvalidated())
        await self._feed.resync()

    async def close(self) -> None:
        """Stop reading."""
        await self._tasks.cancel()


async def _secret_key(store: AuthStore) -> str:
    """Return the key that signs cookies. Machines that serve one site must all have the same."""
    stored = await asyncio.wrap_future(store.get_or_create_secret("cookies"))
    return os.environ.get("PUNCT_SECRET") or stored


def _think_pool(broker: Broker, workers: int | None) -> WorkerPool:
    """Return the pool of engine workers."""
    return _remote_pool(broker, think.ThinkJob, think.LIMITS) or ProcessPool(
        think.LIMITS, workers, preload="punct.engine"
    )


def _draw_pool(broker: Broker, job: type[Job[Any]], limits: WorkerLimits) -> WorkerPool:
    """Return a pool of drawing workers. Pictures and animations have their own: neither can starve the other."""
    pool = _remote_pool(broker, job, limits, MAX_QUEUE)
    return pool or ProcessPool(limits, 1, MAX_QUEUE, preload="punct.server.workers.draw")


def _remote_pool(
    broker: Broker, job: type[Job[Any]], limits: WorkerLimits, max_queue: int | None = None
) -> WorkerPool | None:
    """Return the pool that puts jobs into a queue in Redis; None for a server of one process."""
    if not broker.is_shared:
        return None
    from punct.server.broker.redis import RedisBroker
    from punct.server.workers.remote import RemotePool

    assert isinstance(broker, RedisBroker)
    return RemotePool(broker, job, limits, max_queue)
