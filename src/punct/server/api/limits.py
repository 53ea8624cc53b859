"""How often one may ask for what costs the server something: from one address, and as one player.

Counted in memory, or in Redis where several processes work together; turns, and what is only looked at, by each process
for itself. This machine's own address is not counted, as a proxy on it may bring everybody: a proxy has to say whom it
brings.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from punct.server.api.errors import TooManyError

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.storage import Storage
    from limits.aio.strategies import RateLimiter
    from redis.asyncio import ConnectionPool

_log = logging.getLogger(__name__)
_PATIENCE: Final = 1.0
"""Seconds that Redis may take."""
_SWEEP_SECONDS: Final = 30.0
"""Between two looks for what has expired."""


class Limit(NamedTuple):
    """How often something may be asked for."""

    name: str
    address: str | None = None
    """From one address, as ``30/minute``."""
    player: str | None = None
    """By one player."""


GUESTS: Final = Limit("guests", "60/hour")
"""Guests made for one address: a school or a club may share one."""
KEPT: Final = Limit("kept", "20000/day", "20000/day")
"""Kilobytes of games that somebody begins or takes in; each is one at least."""
LOGINS: Final = Limit("logins", "20/minute", "20/minute")
"""Passwords tried: from an address, or as a player."""
LOGIN: Final = Limit("login", None, "10/15 minutes")
"""Passwords tried for one login from one address, since one was right."""
LOGIN_ANYWHERE: Final = Limit("login anywhere", None, "100/15 minutes")
"""Passwords tried for one login from wherever: so many that it takes ten addresses to shut the owner out."""
TOKENS: Final = Limit("tokens", "30/minute")
"""Tokens tried that are none."""
TURNS: Final = Limit("turns", None, "240/minute")
WRITES: Final = Limit("writes", "600/minute", "240/minute")
"""Everything that changes anything and has no limit of its own."""
READS: Final = Limit("reads", "1200/minute")
"""Everything that is only looked at, and has no limit of its own."""
_HERE: Final = (TURNS, READS)
"""Very many, and nobody gains by more of them: not worth a question to another machine each."""

SOCKETS: Final = Limit("sockets", "240/minute", "120/minute")
"""Live connections opened."""
HINTS: Final = Limit("hints", "60/minute", "20/minute")
PICTURES: Final = Limit("pictures", "240/minute", "240/minute")
ANIMATIONS: Final = Limit("animations", "60/minute", "30/minute")
EXPLORER: Final = Limit("explorer", "1200/minute", "600/minute")
ANALYSES: Final = Limit("analyses", "120/hour", "60/hour")
CONVERSIONS: Final = Limit("conversions", "60/minute", "30/minute")
REVIEWS: Final = Limit("reviews", "120/minute", "30/minute")
TRIES: Final = Limit("tries", "600/minute", "60/minute")
"""Puzzles tried."""
GREETINGS: Final = Limit("greetings", "60/minute", "12/minute")
OFFERS: Final = Limit("offers", "240/minute", "20/minute")
GAMES: Final = Limit("games", "120/minute", "30/minute")
CHALLENGES: Final = Limit("challenges", "120/minute", "60/minute")
RECORDS: Final = Limit("records", "20/minute", "10/minute")
POSITIONS: Final = Limit("positions", "600/minute", "600/minute")
"""Positions shown or explained, of a game or of none."""
ACCOUNTS: Final = Limit("accounts", "20/hour", "10/hour")
"""Accounts made."""
LOGINS_WANTED: Final = Limit("logins wanted", "40/hour", "20/hour")
RESULTS: Final = Limit("results", "60/minute")
CODES: Final = Limit("codes", "60/minute")
"""QR codes drawn."""


class Limits:
    """Counts, and refuses what is too much."""

    def __init__(self, redis_url: str | None = None) -> None:
        """Count in Redis, if there is one; must be called on the event loop."""
        # Taking longer to load than all the rest here, and of no use at home.
        from limits import parse
        from limits.aio.storage import MemoryStorage, RedisStorage
        from limits.aio.strategies import FixedWindowRateLimiter, SlidingWindowCounterRateLimiter

        self._memory = here = MemoryStorage()
        self._has_rested = False
        shared: Storage = here
        self._pool: ConnectionPool | None = None
        if redis_url is not None:
            from redis.asyncio import ConnectionPool

            self._pool = ConnectionPool.from_url(redis_url, socket_connect_timeout=_PATIENCE, socket_timeout=_PATIENCE)
            options: dict[str, Any] = {"connection_pool": self._pool}
            shared = RedisStorage(redis_url, implementation="redispy", key_prefix="punct:limits", **options)
        self._here: RateLimiter = FixedWindowRateLimiter(here)
        self._shared: RateLimiter = SlidingWindowCounterRateLimiter(shared)
        self._items: dict[str, RateLimitItem] = {}
        self._parse = parse

    async def close(self) -> None:
        """Hang up."""
        if self._memory.timer is not None:
            self._memory.timer.cancel()
        if self._pool is not None:
            await self._pool.disconnect()

    async def take(self, limit: Limit, address: str | None = None, player: str | None = None, *, cost: int = 1) -> None:
        """Count something that is limited, once or for so many; raises TooManyError."""
        self._sweep_seldom()
        for rate, who in _counted(limit, address, player):
            item = self._items.get(rate)
            if item is None:
                item = self._items[rate] = self._parse(rate)
            try:
                free_at = await _hit(self._here if limit in _HERE else self._shared, item, limit.name, who, cost)
            except Exception as error:  # whatever Redis' client raises: a game goes on without it
                _log.warning("limits are counted by each process alone: %s", type(error).__name__)
                free_at = await _hit(self._here, item, limit.name, who, cost)
            if free_at is not None:
                raise TooManyError(free_at)

    async def forgive(self, limit: Limit, player: str) -> None:
        """Count from the beginning what somebody asks for."""
        if limit.player is None:
            return
        item = self._parse(limit.player)
        for limiter in {self._here, self._shared}:
            with contextlib.suppress(Exception):  # whatever Redis' client raises: then it is counted on
                await limiter.clear(item, limit.name, f"player {player}")

    def _sweep_seldom(self) -> None:
        """Have the library's memory rest between its sweeps: it would look through all it knows at every count.

        It begins one whenever the last is done, and what it waits for is anybody's to set. What has expired counts no
        more whether it is swept out or not.
        """
        timer = self._memory.timer
        if timer is None or not timer.done():
            return
        if not self._has_rested:
            self._memory.timer = asyncio.create_task(asyncio.sleep(_SWEEP_SECONDS))
        self._has_rested = not self._has_rested


async def _hit(limiter: RateLimiter, item: RateLimitItem, name: str, who: str, cost: int) -> float | None:
    """Count something; return None if it may be, else when it may be again."""
    if await limiter.hit(item, name, who, cost=cost):
        return None
    return (await limiter.get_window_stats(item, name, who)).reset_time


def _counted(limit: Limit, address: str | None, player: str | None) -> Iterable[tuple[str, str]]:
    if limit.address is not None and address is not None:
        yield limit.address, f"address {address}"
    if limit.player is not None and player is not None:
        yield limit.player, f"player {player}"
