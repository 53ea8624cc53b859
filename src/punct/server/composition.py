"""The composition root: creates every service of a server, in order, and connects them by the event bus."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
from collections.abc import AsyncIterator, Collection
from typing import Any, Final

from punct.server.accounts.handle_store import HandleStore
from punct.server.accounts.handles import Handles
from punct.server.accounts.links import create_reset_link
from punct.server.accounts.passkey_store import PasskeyStore
from punct.server.accounts.passkeys import Passkeys
from punct.server.accounts.service import Accounts
from punct.server.accounts.store import AccountStore
from punct.server.analyses.service import Analyses
from punct.server.analyses.store import AnalysisStore
from punct.server.appointments.calendar import AppointmentCalendar
from punct.server.appointments.messages import AppointmentMessages
from punct.server.appointments.service import Appointments
from punct.server.appointments.store import AppointmentStore
from punct.server.auth.connections import SessionConnections
from punct.server.auth.cookies import Cookies
from punct.server.auth.events import CachesInvalidated
from punct.server.auth.sessions import Sessions
from punct.server.auth.store import AuthStore
from punct.server.broker import Broker, open_broker
from punct.server.calendars.service import Calendars
from punct.server.calendars.store import CalendarStore
from punct.server.challenges.alert_store import AlertStore
from punct.server.challenges.alerts import SeatAlerts
from punct.server.challenges.messages import ChallengeMessages
from punct.server.challenges.service import Challenges
from punct.server.challenges.store import ChallengeStore
from punct.server.clock import Now, utc_now
from punct.server.db.change_monitor import ChangeMonitor
from punct.server.db.database import Database
from punct.server.dumps.model import DumpConfiguration
from punct.server.dumps.service import Dumps
from punct.server.dumps.store import DumpStore
from punct.server.engines.service import Engines
from punct.server.events import EventBus
from punct.server.games.engine_status import EngineStatus
from punct.server.games.feed import GameFeed
from punct.server.games.presence import Presence
from punct.server.games.records import RecordReader
from punct.server.games.search import GameSearch
from punct.server.games.service import Games
from punct.server.games.snapshots import SnapshotCache
from punct.server.games.store import GameStore
from punct.server.games.time_control import GameClock, HomeClock
from punct.server.habits.service import PlayerHabits
from punct.server.habits.store import HabitsStore
from punct.server.http.rate_limits import Limits
from punct.server.http.registry import Services
from punct.server.live.hub import Hub
from punct.server.lobby.feed import Lobby
from punct.server.mail.channels import LetterChannel, MailChannel
from punct.server.mail.digest_store import DigestStore
from punct.server.mail.model import MailConfiguration
from punct.server.mail.sending import MailSender
from punct.server.mail.service import Mail
from punct.server.mail.store import MailStore
from punct.server.mail.tokens import TokenSigner
from punct.server.notebooks.service import Notebooks
from punct.server.notebooks.store import NotebookStore
from punct.server.notifications.service import Notifications
from punct.server.notifications.store import NotificationStore
from punct.server.openings.counter import GameCounter
from punct.server.openings.service import Explorer
from punct.server.openings.store import OpeningStore
from punct.server.operations.metrics import Metrics
from punct.server.page.previews import Previews
from punct.server.pictures.service import Animations, Pictures
from punct.server.plans.service import Plans
from punct.server.plans.store import PlanStore
from punct.server.push.channel import PushChannel, contact_of, push_rules
from punct.server.push.encryption import ServerKey
from punct.server.push.service import Push
from punct.server.push.store import PushStore
from punct.server.puzzles.service import Puzzles
from punct.server.puzzles.store import PuzzleStore
from punct.server.ratings.service import LEVEL_RATINGS, Ratings
from punct.server.ratings.store import RatingStore
from punct.server.relations.service import Relations
from punct.server.relations.store import RelationStore
from punct.server.tasks import BackgroundTasks
from punct.server.timekeeping.deadlines import Deadlines
from punct.server.timekeeping.expiry_store import ExpiryStore
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.timekeeping.service import Timekeeper
from punct.server.timekeeping.store import HeartbeatStore
from punct.server.vacations.service import Vacations
from punct.server.vacations.store import VacationStore
from punct.server.vacations.wording import vacation_message
from punct.server.webhooks.channel import WebhookChannel
from punct.server.webhooks.service import Webhooks
from punct.server.webhooks.store import HookStore
from punct.server.workers import draw, outbound, read, think
from punct.server.workers import mail as mail_jobs
from punct.server.workers.outbound import AddressRules, HookJob, PostJob
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
    mail: MailConfiguration | None = None,
    site: str = "http://localhost",
    dumps: DumpConfiguration | None = None,
) -> AsyncIterator[Services]:
    """Create all services, start them in this order, and close them in reverse.

    ``site`` is the address by which players reach the server, for links in messages.
    """
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
        relations = add(Relations(RelationStore(db, AppointmentStore(db).end_between), now, bus))
        presence = add(Presence(hub, now, bus))
        clock = heartbeat = add(Heartbeat(HeartbeatStore(db), presence, bus, now))

    games = add(Games(store, bus, clock, now))
    # Before the feed, so that a game is sent together with what its engine does.
    engines = add(Engines(games, _think_pool(broker, workers), hub.is_watched, broker, bus))
    add(engines, EngineStatus)
    presenter = add(SnapshotCache(engines.thinking))
    feed = add(GameFeed(games, hub, presenter, bus))
    add(RecordReader(ProcessPool(read.LIMITS, 1, MAX_QUEUE, preload="punct.server.workers.read")))
    add(GameSearch(store))
    add(Pictures(_draw_pool(broker, draw.DrawJob, draw.LIMITS)))
    add(Animations(_draw_pool(broker, draw.AnimateJob, draw.ANIMATION_LIMITS)))
    explorer = add(Explorer(OpeningStore(db)))
    add(GameCounter(store, LEVEL_RATINGS, explorer.clear_cache, bus, now))
    add(Analyses(AnalysisStore(db), games, now))
    if online:
        challenges = add(Challenges(ChallengeStore(db), games, bus, now))
        alerts = add(SeatAlerts(AlertStore(db), now))
        appointments = add(Appointments(AppointmentStore(db), games, bus, now))
        add(Lobby(challenges, appointments, games, presence, broker, bus, now))
        add(Accounts(AccountStore(db), AuthStore(db), sessions, now=now, bus=bus))
        add(Handles(HandleStore(db), sessions, now))
        add(Passkeys(PasskeyStore(db), key, now, origins))
        add(PlayerHabits(HabitsStore(db), now))
        add(Puzzles(PuzzleStore(db), now))
        plans = add(Plans(PlanStore(db), games, now))
        add(Notebooks(NotebookStore(db), games, now))
        notifications = add(Notifications(NotificationStore(db), games, now))
        notifications.add_writer("plan", plans.write_notice)
        ChallengeMessages(challenges, alerts, relations).register(notifications)
        AppointmentMessages(appointments, relations).register(notifications)
        push_key = ServerKey(await _secret(AuthStore(db), "push"), contact_of(origins))
        push_channel = PushChannel(PushStore(db), _post_pool(broker, PostJob), push_key, push_rules(), now)
        notifications.add_channel(push_channel)
        add(Push(PushStore(db), notifications.store, push_channel, push_key, push_rules(), now))
        calls = _post_pool(broker, HookJob)
        webhooks = add(Webhooks(HookStore(db), calls, AddressRules.from_environment(), site, now))
        notifications.add_channel(WebhookChannel(webhooks))
        calendars = add(Calendars(CalendarStore(db), store, NotificationStore(db)))
        calendars.add_source(AppointmentCalendar(AppointmentStore(db), now).events)
        if mail is not None:
            _add_mail(services, mail, db, key)
        if dumps is not None:
            add(Dumps(DumpStore(store), dumps, now))
        vacations = add(Vacations(VacationStore(db), bus, now))
        notifications.add_writer("vacation", vacation_message)
        add(Timekeeper(ExpiryStore(db), heartbeat, Deadlines(store, games), vacations, now))
    add(Previews(services))
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
    return os.environ.get("PUNCT_SECRET") or await _secret(store, "cookies")


async def _secret(store: AuthStore, name: str) -> str:
    """Return a secret of the server, which is created at the first start."""
    return await asyncio.wrap_future(store.get_or_create_secret(name))


def _add_mail(services: Services, configuration: MailConfiguration, database: Database, key: str) -> None:
    """Add what sends mails, as channels of the notifications."""
    store, accounts, now = MailStore(database), AccountStore(database), services.now
    signer, limits, notifications = TokenSigner(key), services.get(Limits), services.get(Notifications)
    sender = services.add(MailSender(configuration, _mail_pool(services.get(Broker), configuration)))
    services.add(Mail(store, signer, now))
    common = (store, notifications.store, sender, limits)
    notifications.add_channel(MailChannel(*common, DigestStore(database), services.get(Games), signer, now))
    link = functools.partial(create_reset_link, accounts)
    notifications.add_channel(LetterChannel(*common, link, now))


def _mail_pool(broker: Broker, configuration: MailConfiguration) -> WorkerPool:
    """Return the pool of workers that send mails. A mail server without a password may know only this machine."""
    pool = _remote_pool(broker, mail_jobs.MailJob, mail_jobs.LIMITS) if configuration.has_password else None
    return pool or ProcessPool(mail_jobs.LIMITS, mail_jobs.PROCESSES, preload="punct.server.workers.mail")


def _think_pool(broker: Broker, workers: int | None) -> WorkerPool:
    """Return the pool of engine workers."""
    return _remote_pool(broker, think.ThinkJob, think.LIMITS) or ProcessPool(
        think.LIMITS, workers, preload="punct.engine"
    )


def _draw_pool(broker: Broker, job: type[Job[Any]], limits: WorkerLimits) -> WorkerPool:
    """Return a pool of drawing workers. Pictures and animations have their own: neither can starve the other."""
    pool = _remote_pool(broker, job, limits, MAX_QUEUE)
    return pool or ProcessPool(limits, 1, MAX_QUEUE, preload="punct.server.workers.draw")


def _post_pool(broker: Broker, job: type[PostJob]) -> WorkerPool:
    """Return a pool of workers that post to players' addresses; each kind of message has its own."""
    pool = _remote_pool(broker, job, outbound.LIMITS)
    preload = "punct.server.workers.outbound"
    return pool or ProcessPool(outbound.LIMITS, outbound.MESSAGE_WORKERS, preload=preload)


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
