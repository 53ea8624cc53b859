"""Turns notices into messages, and sends these: in the background, with retries, and whoever is killed meanwhile.

Every process of a server does this. A notice becomes deliveries in one transaction; a delivery is claimed before it is
sent, and deleted afterwards. If the process is killed in between, the claim lapses and another process sends it again,
so a message is lost by nobody's end, and doubled only then: receivers replace it by its subject. A process that ends in
order waits for what it is sending, and hands back the rest, which others send at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Final, get_args

from punct.server.clock import Now, utc_now
from punct.server.db.errors import MissingPlayerError, StoreError
from punct.server.db.outbox import NoticeKind
from punct.server.errors import BrokenGameError
from punct.server.games.errors import PlayerRemovedError, UnknownGameError
from punct.server.games.service import Games
from punct.server.notifications.errors import UnknownZoneError
from punct.server.notifications.model import (
    Channel,
    Delivered,
    Delivery,
    Failed,
    Message,
    NoticeSettings,
    SettingsChanges,
    StoredNotice,
    TargetGone,
    Writer,
    is_zone,
)
from punct.server.notifications.store import NotificationStore
from punct.server.notifications.wording import GAME_KINDS, NotYetError, game_message
from punct.server.workers.pool import JobNotStartedError

_log = logging.getLogger(__name__)
POLL_SECONDS: Final = 2.0
"""Between two looks at what is due."""
LEASE: Final = timedelta(minutes=2)
"""After this long without a result, a claimed delivery is claimed again: its process was killed."""
FINISH_SECONDS: Final = 10.0
"""How long a process that ends waits for what it is sending: as long as a call takes at most."""
MAX_CONCURRENT: Final = 16
"""Messages sent at a time by one process and channel."""
CHANNELS: Final = ("push", "letter", "mail", "hook")
"""The names of all channels that a server may have."""
FIRST_RETRY: Final = timedelta(seconds=30)
"""Before the second attempt; the delay doubles before each further one."""
MAX_RETRY_DELAY: Final = timedelta(hours=2)
MAX_AGE: Final = timedelta(days=1)
"""A message that could not be delivered for so long is dropped."""
_MAY_BE_OVER: Final[frozenset[NoticeKind]] = frozenset(
    ("turn", "time", "seat", "offer", "plan", "challenge", "wanted", "reminder")
)
"""Kinds of messages that may be about what is over by the time of another attempt."""


class Notifications:
    """The background task that tells players what the outbox has."""

    def __init__(self, store: NotificationStore, games: Games, now: Now = utc_now) -> None:
        """Begin without channels, and with the words of games: see ``add_channel`` and ``add_writer``."""
        self.store, self._games, self._now = store, games, now
        self._channels: dict[str, Channel] = {}
        self._writers: dict[NoticeKind, Writer] = dict.fromkeys(GAME_KINDS, self._write_of_game)
        self._sending = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(MAX_CONCURRENT))
        self._deliveries: set[asyncio.Task[Any]] = set()
        """The tasks that have claimed a delivery."""
        self._is_finishing = False

    def add_channel(self, channel: Channel) -> None:
        """Send messages by a channel from now on."""
        self._channels[channel.name] = channel

    def add_writer(self, kind: NoticeKind, writer: Writer) -> None:
        """Put notices of a kind into words by a function of the package that they are about."""
        self._writers[kind] = writer

    @property
    def channels(self) -> list[str]:
        """The names of the channels by which this server sends notices."""
        return [channel.name for channel in self._channels.values() if channel.has_notices]

    @property
    def kinds(self) -> list[NoticeKind]:
        """The kinds of notices that this server can put into words, in the order in which they are listed."""
        return [kind for kind in get_args(NoticeKind) if kind in self._writers]

    async def settings(self, player_id: str) -> NoticeSettings:
        """Return how a player wants to be told; raises PlayerRemovedError."""
        settings = await asyncio.to_thread(self.store.settings, player_id)
        if settings is None:
            raise PlayerRemovedError
        return settings

    async def update_settings(self, player_id: str, changes: SettingsChanges) -> NoticeSettings:
        """Change how a player wants to be told; return all of it. Raises UnknownZoneError, PlayerRemovedError."""
        if changes.zone is not None and not await asyncio.to_thread(is_zone, changes.zone):
            raise UnknownZoneError(changes.zone)
        try:
            await asyncio.wrap_future(self.store.update_settings(player_id, changes))
        except MissingPlayerError:
            raise PlayerRemovedError from None
        return await self.settings(player_id)

    async def run(self) -> None:
        """Look at what is due again and again, until cancelled. A channel that is slow delays no other."""
        tasks = [self._repeat(self._expand_due)]
        tasks += [self._repeat(functools.partial(self._deliver_due, name)) for name in self._channel_names()]
        await asyncio.gather(*tasks)

    async def finish(self) -> None:
        """Claim nothing more, hand back what no worker has begun to send, and wait a while for the rest."""
        self._is_finishing = True
        for channel in self._channels.values():
            channel.refuse_waiting()
        if self._deliveries:
            await asyncio.wait(self._deliveries, timeout=FINISH_SECONDS)

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except StoreError as error:
                _log.warning("notifications wait for the store: %s", error)
            except Exception:
                _log.exception("notifications could not be sent")
            await asyncio.sleep(POLL_SECONDS)

    async def work(self) -> None:
        """Expand all notices that are due, then send all deliveries that are due."""
        await self._expand_due()
        await asyncio.gather(*(self._deliver_due(name) for name in self._channel_names()))

    def _channel_names(self) -> set[str]:
        """Return all channels, also those that this server has no more: what is left for them is dropped."""
        return {*CHANNELS, *self._channels}

    # ------------------------------------------------------------------ notices

    async def _expand_due(self) -> None:
        while await self._expand_some():
            pass

    async def _expand_some(self) -> bool:
        """Expand some notices that are due; return whether there may be more."""
        notices = await asyncio.to_thread(self.store.due_notices, self._now())
        for notice in notices:
            await self._expand(notice)
        return bool(notices)

    async def _expand(self, notice: StoredNotice) -> None:
        settings = await asyncio.to_thread(self.store.settings, notice.player_id)
        if settings is None:  # the player was deleted
            settings, message = NoticeSettings({}), None
        else:
            try:
                message = await self._write(notice, settings)
            except NotYetError as error:
                await asyncio.wrap_future(self.store.postpone(notice, error.due))
                return
            except StoreError:  # it is not the notice's fault: it stays, and is read again
                raise
            except Exception:  # a bug here must not keep other players from being told
                _log.exception("a notice of kind %s cannot be put into words", notice.kind)
                message = None
        await asyncio.wrap_future(self.store.expand(notice, message, [*self._channels.values()], settings))

    async def _write(self, notice: StoredNotice, settings: NoticeSettings) -> Message | None:
        """Put a notice into words; None if it is out of date, or about something that this server does not have."""
        writer = self._writers.get(notice.kind)
        return None if writer is None else await writer(notice, settings, self._now())

    async def _write_of_game(self, notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        """Put a notice about a game into words."""
        try:
            game = (await self._games.get(notice.subject)).stored
        except UnknownGameError:
            game = None
        except BrokenGameError:
            return None
        return game_message(notice, game, settings, now)

    # ------------------------------------------------------------------ deliveries

    async def _deliver_due(self, channel: str) -> None:
        while await self._deliver_some(channel):
            pass

    async def _deliver_some(self, channel: str) -> bool:
        """Send some deliveries of a channel that are due; return whether there may be more."""
        deliveries = await asyncio.to_thread(self.store.due_deliveries, self._now(), LEASE, channel)
        await asyncio.gather(*(self._claim_and_deliver(delivery) for delivery in deliveries))
        return bool(deliveries) and not self._is_finishing

    async def _claim_and_deliver(self, delivery: Delivery) -> None:
        """Claim a delivery, send it, and store what became of it; nothing if this process ends."""
        async with self._sending[delivery.channel]:
            if self._is_finishing:
                return
            task = asyncio.current_task()
            assert task is not None
            self._deliveries.add(task)
            try:
                if await asyncio.wrap_future(self.store.claim(delivery, self._now())):
                    await self._deliver(delivery)
            finally:
                self._deliveries.discard(task)

    async def _deliver(self, delivery: Delivery) -> None:
        """Send a delivery that is claimed, and store what became of it."""
        channel = self._channels.get(delivery.channel)
        if channel is None or not await self._is_up_to_date(delivery):  # the operator has switched it off
            await asyncio.wrap_future(self.store.finish(delivery))
            return
        try:
            result = await channel.send(delivery)
        except JobNotStartedError:
            await asyncio.wrap_future(self.store.hand_back(delivery))
            return
        except asyncio.CancelledError:  # nobody waits any longer, and it may have arrived: as if it had failed
            with contextlib.suppress(StoreError):
                self.store.retry_later(delivery, self._now() + FIRST_RETRY, delivery.attempts + 1)
            raise
        except Exception as error:
            _log.exception("a message could not be sent by %s", delivery.channel)
            result = Failed(type(error).__name__)
        match result:
            case Delivered():
                await asyncio.wrap_future(self.store.finish(delivery))
            case TargetGone():
                await channel.forget(delivery.target)
                await asyncio.wrap_future(self.store.finish(delivery))
            case Failed():
                await self._retry_or_drop(delivery, result)

    async def _is_up_to_date(self, delivery: Delivery) -> bool:
        """Tell whether what a message says is still so. What is sent at once was just put into words."""
        is_late = delivery.attempts > 0 or self._now() - delivery.created > LEASE
        if not is_late or delivery.kind not in _MAY_BE_OVER or "title" not in delivery.payload:
            return True
        created = delivery.created
        notice = StoredNotice(delivery.id, delivery.player_id, delivery.kind, delivery.subject, {}, created, created)
        try:
            return await self._write(notice, NoticeSettings({})) is not None
        except NotYetError:  # the deadline has moved: another reminder comes in time
            return False
        except Exception:  # better told in vain than not at all
            _log.exception("whether a message of kind %s is up to date cannot be told", delivery.kind)
            return True

    async def _retry_or_drop(self, delivery: Delivery, failure: Failed) -> None:
        now = self._now()
        delay = min(MAX_RETRY_DELAY, FIRST_RETRY * 2 ** min(delivery.attempts, 10))
        due = now + max(delay, min(failure.retry_after or timedelta(), MAX_RETRY_DELAY))
        if failure.was_not_tried:
            due = now + (failure.retry_after or FIRST_RETRY)
        if failure.is_final or due - delivery.created > MAX_AGE:
            _log.info("a message by %s is dropped: %s", delivery.channel, failure.reason)
            await asyncio.wrap_future(self.store.finish(delivery))
        else:
            attempts = delivery.attempts + (not failure.was_not_tried)
            await asyncio.wrap_future(self.store.retry_later(delivery, due, attempts))
