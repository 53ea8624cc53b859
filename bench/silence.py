"""Connections that go silent: proxies before PostgreSQL and Redis that take everything and pass nothing on."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.databases import Postgresql, Redis, run_postgresql, run_redis
from tests.tcp_proxy import TcpProxy, run_tcp_proxy

SHORT, LONG = 3.0, 14.0
"""Seconds of silence: less than the server waits for an answer, or more than it does."""


@dataclass(frozen=True)
class Services:
    """PostgreSQL and Redis, and the proxies by which a server reaches them."""

    postgresql: Postgresql
    redis: Redis
    proxies: dict[str, TcpProxy]

    def addresses(self, database: str) -> tuple[str, str]:
        """Return the addresses of a database and of Redis, through the proxies."""
        to_database, to_redis = (proxy.port for proxy in self.proxies.values())
        broker = self.redis.address()
        return (
            database.replace(f":{self.postgresql.port}/", f":{to_database}/"),
            broker.replace(f":{self.redis.port}/", f":{to_redis}/"),
        )

    def silences(self, lot: random.Random) -> dict[str, tuple[int, Callable[[], bool]]]:
        """Return ways to have either go silent for a while, with how often; each tells whether anybody noticed."""
        return {f"silent {name}": (6, _silence(proxy, lot)) for name, proxy in self.proxies.items()}


@contextlib.contextmanager
def run_services() -> Iterator[Services]:
    """Have a PostgreSQL and a Redis of one's own, behind proxies."""
    with (
        run_postgresql() as postgresql,
        run_redis() as redis,
        run_tcp_proxy(postgresql.port) as before_database,
        run_tcp_proxy(redis.port) as before_redis,
    ):
        yield Services(postgresql, redis, {"PostgreSQL": before_database, "Redis": before_redis})


def _silence(proxy: TcpProxy, lot: random.Random) -> Callable[[], bool]:
    def fall_silent() -> bool:
        swallowed = proxy.swallowed
        proxy.silence()
        time.sleep(LONG if lot.random() < 0.3 else lot.uniform(0.1, SHORT))
        proxy.speak()
        return proxy.swallowed > swallowed

    return fall_silent
