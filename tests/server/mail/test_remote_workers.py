"""Mails of a server with several processes: by workers on any machine, through a queue that shows nothing of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.databases import Redis
from tests.smtp_server import SmtpServer

from punct.server.broker.redis import RedisBroker
from punct.server.composition import _mail_pool
from punct.server.mail.model import MailConfiguration
from punct.server.workers import mail
from punct.server.workers.mail import MailJob, MailResult, seal
from punct.server.workers.pool import ProcessPool
from punct.server.workers.remote import RemotePool
from punct.server.workers.remote_worker import RemoteWorker

SENDER, RECIPIENT = "punct@example.org", "anna@example.org"
CONTENT = "Subject: a link\r\n\r\nhttps://punct.example.org/reset#secret\r\n"


def run_with_worker(redis: Redis, test: Callable[[RemotePool], Awaitable[None]], *, processes: int = 1) -> None:
    """Run a test with a worker, in whose environment a mail server may be."""
    redis.empty()

    async def run() -> None:
        broker = RedisBroker(redis.address())
        await broker.start()
        worker_pool = ProcessPool(mail.LIMITS, processes, preload="punct.server.workers.mail")
        worker = RemoteWorker(redis.address(), broker, MailJob, worker_pool)
        task = asyncio.create_task(worker.run())
        pool = RemotePool(broker, MailJob, mail.LIMITS)
        try:
            await test(pool)
        finally:
            await pool.close()
            worker.stop()
            await task
            await broker.close()

    asyncio.run(run())


def test_mails_go_through_redis_and_nobody_reads_them_there(
    redis: Redis, smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNCT_SMTP_URL", smtp.url)

    async def test(pool: RemotePool) -> None:
        assert await pool.run(seal(smtp.url, SENDER, RECIPIENT, CONTENT)) == MailResult("sent")
        stored = await _everything_in(pool)
        assert stored and not any(word in stored for word in (b"secret", b"anna", smtp.url.encode()))
        forged = MailJob(seal("smtp://guess", SENDER, "victim@example.org", CONTENT).sealed)
        assert (await pool.run(forged)).outcome == "unreachable"

    run_with_worker(redis, test)
    assert set(smtp.recipients) == {RECIPIENT} and smtp.mails[0]["Subject"] == "a link"


async def _everything_in(pool: RemotePool) -> bytes:
    """Return whatever is stored in Redis."""
    client: Any = pool._broker.client
    values = []
    async for key in client.scan_iter():
        kind = await client.type(key)
        if kind in (b"string", "string"):
            values.append(await client.get(key))
        elif kind in (b"list", "list"):
            values += await client.lrange(key, 0, -1)
        elif kind in (b"zset", "zset"):
            values += await client.zrange(key, 0, -1)
    return b"\n".join(value if isinstance(value, bytes) else str(value).encode() for value in values)


def test_only_a_mail_server_with_a_password_is_used_from_other_machines(redis: Redis) -> None:
    async def run() -> None:
        broker = RedisBroker(redis.address())
        await broker.start()
        here = MailConfiguration("smtp://127.0.0.1", SENDER, "https://punct.example.org")
        anywhere = MailConfiguration("smtps://u:p@mail.example.org", SENDER, "https://punct.example.org")
        try:
            assert isinstance(_mail_pool(broker, here), ProcessPool)
            pool = _mail_pool(broker, anywhere)
            await pool.close()
            assert isinstance(pool, RemotePool)
        finally:
            await broker.close()

    asyncio.run(run())
