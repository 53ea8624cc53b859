"""PostgreSQL and Redis behind proxies that can go silent: these take everything and pass nothing on."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.databases import Postgresql, Redis, run_postgresql, run_redis
from tests.tcp_proxy import TcpProxy, run_tcp_proxy

SHORT_SECONDS, LONG_SECONDS = 3.0, 14.0
"""Of silence: less than the server waits for a response, or more than it does."""


@dataclass(frozen=True)
class Services:
    """PostgreSQL and Redis, and the proxies by which a server reaches them."""

    postgresql: Postgresql
    redis: Redis
    proxies: dict[str, TcpProxy]

    def proxied_urls(self, database_url: str) -> tuple[str, str]:
        """Return the URLs of a database and of Redis, through the proxies."""
        database_port, redis_port = (proxy.port for proxy in self.proxies.values())
        broker_url = self.redis.address()
        return (
            database_url.replace(f":{self.postgresql.port}/", f":{database_port}/"),
            broker_url.replace(f":{self.redis.port}/", f":{redis_port}/"),
        )

    def silences(self, rng: random.Random) -> dict[str, tuple[int, Callable[[], bool]]]:
        """Return faults that silence either for a while, with their weights; each returns whether it had an effect."""
        return {f"silent {name}": (6, _silence(proxy, rng)) for name, proxy in self.proxies.items()}


@contextlib.contextmanager
def run_services() -> Iterator[Services]:
    """Run a PostgreSQL and a Redis behind proxies."""
    with (
        run_postgresql() as postgresql,
        run_redis() as redis,
        run_tcp_proxy(postgresql.port) as before_database,
        run_tcp_proxy(redis.port) as before_redis,
    ):
        yield Services(postgresql, redis, {"PostgreSQL": before_database, "Redis": before_redis})


def _silence(proxy: TcpProxy, rng: random.Random) -> Callable[[], bool]:
    def fall_silent() -> bool:
        swallowed = proxy.swallowed
        proxy.silence()
        time.sleep(LONG_SECONDS if rng.random() < 0.3 else rng.uniform(0.1, SHORT_SECONDS))
        proxy.speak()
        return proxy.swallowed > swallowed

    return fall_silent
