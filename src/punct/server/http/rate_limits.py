"""Rate limits: how often something may be requested, from one address and by one player.

Counted in memory, or in Redis where several processes work together; moves and reads by each process for itself. This
machine's own address is not counted, as a proxy on it may forward everybody: a proxy has to send the client's address.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from punct.server.http.errors import TooManyError

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.storage import Storage
    from limits.aio.strategies import RateLimiter
    from redis.asyncio import ConnectionPool

_log = logging.getLogger(__name__)
_REDIS_TIMEOUT_SECONDS: Final = 1.0
_SWEEP_SECONDS: Final = 30.0
"""Between two searches for expired counts in memory."""


class Limit(NamedTuple):
    """A rate limit. Its name is part of the keys in Redis."""

    name: str
    address: str | None = None
    """The limit of one address, as ``30/minute``."""
    player: str | None = None
    """The limit of one player."""


GUESTS: Final = Limit("guests", "60/hour")
"""Guests created for one address: a school or a club may share one."""
STORED_KILOBYTES: Final = Limit("kept", "20000/day", "20000/day")
"""Kilobytes of games that are created or imported; each is at least one."""
LOGINS: Final = Limit("logins", "20/minute", "20/minute")
"""Attempts to prove an identity, from an address or by a player."""
LOGIN_FROM_ADDRESS: Final = Limit("login", None, "10/15 minutes")
"""Passwords tried for one login from one address, since the last right one."""
LOGIN_ANYWHERE: Final = Limit("login anywhere", None, "100/15 minutes")
"""Passwords tried for one login from any address: so many that it takes ten addresses to lock the owner out."""
BAD_TOKENS: Final = Limit("tokens", "30/minute")
"""Requests with an invalid token."""
MOVES: Final = Limit("turns", None, "240/minute")
WRITES: Final = Limit("writes", "600/minute", "240/minute")
"""All writes that have no limit of their own."""
READS: Final = Limit("reads", "1200/minute")
"""All reads that have no limit of their own."""
_LOCAL_LIMITS: Final = (MOVES, READS)
"""Counted by each process for itself: too frequent for a request to Redis each, and an excess does no harm."""
SOCKETS: Final = Limit("sockets", "240/minute", "120/minute")
"""Live connections opened."""
HINTS: Final = Limit("hints", "60/minute", "20/minute")
GAME_SEARCHES: Final = Limit("game searches", "120/minute", "60/minute")
"""Of one's own games: each may read them all."""
DOWNLOADS: Final = Limit("downloads", "30/hour", "10/hour")
"""Of all one's own games."""
PREVIEWS: Final = Limit("previews", "240/minute")
"""Pages whose head shows what they are about; more are sent without that."""
PICTURES: Final = Limit("pictures", "240/minute", "240/minute")
ANIMATIONS: Final = Limit("animations", "60/minute", "30/minute")
EXPLORER: Final = Limit("explorer", "1200/minute", "600/minute")
ANALYSES: Final = Limit("analyses", "120/hour", "60/hour")
CONVERSIONS: Final = Limit("conversions", "60/minute", "30/minute")
REVIEWS: Final = Limit("reviews", "120/minute", "30/minute")
PUZZLE_ATTEMPTS: Final = Limit("tries", "600/minute", "60/minute")
"""Puzzles tried."""
GREETINGS: Final = Limit("greetings", "60/minute", "12/minute")
OFFERS: Final = Limit("offers", "240/minute", "20/minute")
PLANS: Final = Limit("plans", "240/minute", "60/minute")
"""Conditional moves stored or withdrawn."""
NOTEBOOKS: Final = Limit("notebooks", "480/minute", "120/minute")
"""Notes and variations stored: they are saved while they are written."""
GAMES: Final = Limit("games", "120/minute", "30/minute")
CHALLENGES: Final = Limit("challenges", "120/minute", "60/minute")
APPOINTMENTS: Final = Limit("appointments", "240/hour", "60/hour")
"""Dates proposed: each is told to its player at once, wherever they are."""
RECORDS: Final = Limit("records", "20/minute", "10/minute")
POSITIONS: Final = Limit("positions", "600/minute", "600/minute")
"""Positions viewed or explained, in a game or not."""
ACCOUNTS: Final = Limit("accounts", "20/hour", "10/hour")
"""Accounts created."""
LOGIN_CHECKS: Final = Limit("logins wanted", "40/hour", "20/hour")
"""Logins looked up, whether they are free."""
PUSH_TESTS: Final = Limit("push tests", "30/minute", "6/minute")
"""Notifications that players send themselves, to see whether they arrive."""
ADDRESSES: Final = Limit("addresses", "20/hour", "10/hour")
"""Mail addresses entered or removed, and links sent again."""
RECOVERIES: Final = Limit("recoveries", "20/hour", "20/hour")
"""Links wanted for lost passwords."""
RECOVERY_OF: Final = Limit("recovery of", None, "5/hour")
"""The same for one login or mail address, whether there is such an account or not; from anywhere."""
MAIL_LINKS: Final = Limit("mail links", "60/minute", "60/minute")
"""Links in mails that are opened."""
MAILS_TO_ADDRESS: Final = Limit("mails to", None, "6/day")
"""Mails with a link to one address, whoever asks for them."""
MAILS_AT_ONCE: Final = Limit("mails at once", None, "40/day")
"""Single mails to a player, besides reminders of time that runs out."""
HANDLES: Final = Limit("handles", "120/hour", "20/hour")
"""Handles chosen: each attempt tells whether one is taken."""
SEARCHES: Final = Limit("searches", "240/minute", "60/minute")
"""Searches for players."""
HABITS: Final = Limit("habits", "240/minute", "120/minute")
"""Habits of players read: each may read thousands of moves."""
DUMPS: Final = Limit("dumps", "60/hour", "60/hour")
"""Public files of games downloaded."""
RESULTS: Final = Limit("results", "60/minute")
CODES: Final = Limit("codes", "60/minute")
"""QR codes drawn."""

HOOKS: Final = Limit("hooks", "60/hour", "20/hour")
"""Webhooks created: each is an address that this server calls."""
HOOK_TESTS: Final = Limit("hook tests", "20/minute", "6/minute")
"""Webhooks called at once for their owner."""
CALENDARS: Final = Limit("calendars", "600/minute")
"""Calendar feeds read: one service may read those of many players."""
BAD_CALENDARS: Final = Limit("bad calendars", "30/minute")
"""Calendar feeds read that do not exist."""


class Limits:
    """Counts requests against rate limits."""

    def __init__(self, redis_url: str | None = None) -> None:
        """Count in Redis, if there is one; must be called on the event loop."""
        # Slow to import, and a server at home does without.
        from limits import parse
        from limits.aio.storage import MemoryStorage, RedisStorage
        from limits.aio.strategies import FixedWindowRateLimiter, SlidingWindowCounterRateLimiter

        self._memory = MemoryStorage()
        self._has_paused = False
        shared: Storage = self._memory
        self._pool: ConnectionPool | None = None
        if redis_url is not None:
            from redis.asyncio import ConnectionPool

            self._pool = ConnectionPool.from_url(
                redis_url, socket_connect_timeout=_REDIS_TIMEOUT_SECONDS, socket_timeout=_REDIS_TIMEOUT_SECONDS
            )
            options: dict[str, Any] = {"connection_pool": self._pool}
            shared = RedisStorage(redis_url, implementation="redispy", key_prefix="punct:limits", **options)
        self._local: RateLimiter = FixedWindowRateLimiter(self._memory)
        self._shared: RateLimiter = SlidingWindowCounterRateLimiter(shared)
        self._items: dict[str, RateLimitItem] = {}
        self._parse = parse

    async def close(self) -> None:
        """Disconnect from Redis."""
        if self._memory.timer is not None:
            self._memory.timer.cancel()
        if self._pool is not None:
            await self._pool.disconnect()

    async def hit(self, limit: Limit, address: str | None = None, player: str | None = None, *, cost: int = 1) -> None:
        """Count a request against a limit, with its cost; raises TooManyError."""
        self._slow_down_sweeps()
        for rate, key in _keys(limit, address, player):
            item = self._items.get(rate)
            if item is None:
                item = self._items[rate] = self._parse(rate)
            try:
                free_at = await _hit(
                    self._local if limit in _LOCAL_LIMITS else self._shared, item, limit.name, key, cost
                )
            except Exception as error:  # whatever Redis' client raises: games go on without it
                _log.warning("limits are counted by each process alone: %s", type(error).__name__)
                free_at = await _hit(self._local, item, limit.name, key, cost)
            if free_at is not None:
                raise TooManyError(free_at)

    async def reset(self, limit: Limit, player: str) -> None:
        """Reset the count of a player."""
        if limit.player is None:
            return
        item = self._parse(limit.player)
        for limiter in {self._local, self._shared}:
            with contextlib.suppress(Exception):  # whatever Redis' client raises: then the count stays
                await limiter.clear(item, limit.name, f"player {player}")

    def _slow_down_sweeps(self) -> None:
        """Put a pause between the sweeps of the library's memory, which would go through all counts at every hit.

        At a hit it starts a new sweep if its timer, the task of the last one, is done: a task that sleeps takes the
        timer's place. Expired counts do not count, whether they were swept or not.
        """
        timer = self._memory.timer
        if timer is None or not timer.done():
            return
        if not self._has_paused:
            self._memory.timer = asyncio.create_task(asyncio.sleep(_SWEEP_SECONDS))
        self._has_paused = not self._has_paused


async def _hit(limiter: RateLimiter, item: RateLimitItem, name: str, key: str, cost: int) -> float | None:
    """Count a request; return None if it is within the limit, else when the limit is free again."""
    if await limiter.hit(item, name, key, cost=cost):
        return None
    return (await limiter.get_window_stats(item, name, key)).reset_time


def _keys(limit: Limit, address: str | None, player: str | None) -> Iterable[tuple[str, str]]:
    """Return the rates that hold, each with the key of what is counted."""
    if limit.address is not None and address is not None:
        yield limit.address, f"address {address}"
    if limit.player is not None and player is not None:
        yield limit.player, f"player {player}"
