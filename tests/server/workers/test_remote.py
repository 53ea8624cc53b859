"""Jobs done by workers of other processes, through a queue in Redis."""

from __future__ import annotations

import asyncio
import gc
import json
import socket
import threading
from typing import Any

import pytest
from tests.databases import Redis
from tests.polling import POLL_SECONDS, wait_until_async
from tests.server.receiver import OK, running_receiver
from tests.server.remote_workers import remote_workers

from punct import Position, kernel
from punct.errors import PunctError, WrongTypeError
from punct.server.broker.redis import RedisBroker
from punct.server.http.errors import rules_error
from punct.server.workers import outbound, remote, think
from punct.server.workers.outbound import AddressRules, HookJob
from punct.server.workers.pool import JobError, JobNotStartedError, ProcessPool
from punct.server.workers.remote import RemotePool
from punct.server.workers.remote_errors import pack_error, unpack_error
from punct.server.workers.remote_worker import RemoteWorker
from punct.server.workers.think import ThinkJob, ThinkProgress


@pytest.fixture
def empty_redis(redis: Redis) -> Redis:
    """A Redis with nothing in it, whatever other tests have left there."""
    redis.empty()
    return redis


def run_remotely(redis: Redis, test: Any) -> None:
    async def run() -> None:
        broker = RedisBroker(redis.address())
        await broker.start()
        pool = RemotePool(broker, ThinkJob, think.LIMITS)
        try:
            await test(pool)
        finally:
            await pool.close()
            await broker.close()

    asyncio.run(run())


def test_progress_and_results_of_remote_jobs_arrive(empty_redis: Redis) -> None:
    async def test(pool: RemotePool) -> None:
        started: list[int] = []
        news: list[ThinkProgress] = []
        thought = await pool.run(ThinkJob("standard w", ("Ed5ne",), 8), lambda: started.append(1), news.append)
        assert thought.move and isinstance(thought.pv, tuple) and started == [1]
        assert news and all(isinstance(each, ThinkProgress) for each in news) and pool.waiting == 0
        with pytest.raises(Exception, match="Zd5ne"):
            await pool.run(ThinkJob("standard w", ("Zd5ne",), 1))

    with remote_workers(empty_redis.address()):
        run_remotely(empty_redis, test)


def test_a_cancelled_remote_job_is_not_done(empty_redis: Redis) -> None:
    async def test(pool: RemotePool) -> None:
        waiting = asyncio.create_task(pool.run(ThinkJob("standard w", (), 1)))
        while await pool.length() != 1:
            await asyncio.sleep(POLL_SECONDS)
        assert pool.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert pool.waiting == 0
        await pool.close()
        assert await pool.length() == 0

    run_remotely(empty_redis, test)


def test_a_job_cancelled_at_any_moment_is_not_done(empty_redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it is queued, while it is, and whenever its status is asked for, which here is all the time."""
    from punct.server.workers import remote

    monkeypatch.setattr(remote, "_POLL_SECONDS", 0)

    async def test(pool: RemotePool) -> None:
        for steps in range(100):
            waiting = asyncio.create_task(pool.run(ThinkJob("standard w", (), 1)))
            for _ in range(steps):
                await asyncio.sleep(0)
            waiting.cancel()
            assert isinstance(*await asyncio.gather(waiting, return_exceptions=True), asyncio.CancelledError)
            await pool.close()
            assert (pool.waiting, await pool.length()) == (0, 0)

    run_remotely(empty_redis, test)


def test_remote_jobs_that_no_worker_has_are_refused(empty_redis: Redis) -> None:
    async def test(pool: RemotePool) -> None:
        waiting = [asyncio.create_task(pool.run(ThinkJob("standard w", (), 1))) for _ in range(3)]
        while await pool.length() != 3:
            await asyncio.sleep(POLL_SECONDS)
        pool.refuse_waiting()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(result) for result in results] == [JobNotStartedError] * 3
        with pytest.raises(JobNotStartedError):
            await pool.run(ThinkJob("standard w", (), 1))
        await pool.close()
        assert (pool.waiting, await pool.length()) == (0, 0)

    run_remotely(empty_redis, test)


def test_a_call_that_a_remote_worker_makes_is_made_once_though_both_end(
    empty_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server refuses what waits, and the worker is stopped, while the call is answered."""
    answered = threading.Event()

    def respond(connection: socket.socket, end: threading.Event) -> None:
        answered.wait()
        connection.sendall(OK)

    with running_receiver() as receiver:
        monkeypatch.setenv(outbound.EXEMPT_VARIABLE, receiver.authority)
        receiver.respond = respond
        job = HookJob(receiver.url, {}, b"once", AddressRules.from_environment())

        async def run() -> None:
            broker, other = RedisBroker(empty_redis.address()), RedisBroker(empty_redis.address())
            await broker.start()
            await other.start()
            processes = ProcessPool(outbound.LIMITS, 1, preload="punct.server.workers.outbound")
            worker = RemoteWorker(empty_redis.address(), other, HookJob, processes)
            working = asyncio.create_task(worker.run())
            pool = RemotePool(broker, HookJob, outbound.LIMITS)
            calling = asyncio.create_task(pool.run(job))
            waiting = asyncio.create_task(pool.run(job))  # for the one process
            try:
                await wait_until_async(lambda: receiver.calls)
                pool.refuse_waiting()
                with pytest.raises(JobNotStartedError):
                    await waiting
                worker.stop()
                answered.set()
                assert (await calling).status == 200
                await working
            finally:
                answered.set()
                worker.stop()
                await asyncio.gather(working, calling, waiting, return_exceptions=True)
                await pool.close()
                await other.close()
                await broker.close()

        asyncio.run(run())
        assert [call.body for call in receiver.calls] == [b"once"]


def test_a_job_lost_by_the_queue_fails(empty_redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    from punct.server.workers import remote

    monkeypatch.setattr(remote, "_POLL_SECONDS", 0.2)

    async def test(pool: RemotePool) -> None:
        is_queued = asyncio.Event()
        ask = pool._queue.job

        async def note(key: str) -> Any:
            is_queued.set()
            return await ask(key)

        monkeypatch.setattr(pool._queue, "job", note)
        waiting = asyncio.create_task(pool.run(ThinkJob("standard w", (), 1)))
        await is_queued.wait()  # before, the job would be queued once more after the restart
        await asyncio.to_thread(empty_redis.kill)
        await asyncio.to_thread(empty_redis.start)  # it kept nothing
        with pytest.raises(JobError, match="lost"):
            await waiting
        await asyncio.to_thread(empty_redis.kill)
        try:
            with pytest.raises(JobError, match="reached"):
                await pool.run(ThinkJob("standard w", (), 1))
        finally:
            await asyncio.to_thread(empty_redis.start)

    run_remotely(empty_redis, test)


@pytest.mark.parametrize(
    ("start", "turn"),
    [
        ("chess w", ""),
        ("standard w wTa9n", ""),
        ("standard w", "Ti9n"),
        ("standard b wTi9n", "Ei9n"),
        ("standard w", "d5-d6ne"),
        ("standard w", "Zd5ne"),
        ("standard w", "Ta9n"),
        ("standard w", "what?"),
        ("standard w", ""),
    ],
)
def test_an_error_is_the_same_after_serialization(start: str, turn: str) -> None:
    for position in (Position, kernel.Position):
        with pytest.raises(PunctError) as met:
            position(start).push(turn)
        there = unpack_error(json.loads(json.dumps(pack_error(met.value))))
        assert type(there) is met.type and str(there) == str(met.value)
        assert rules_error(there) == rules_error(met.value)
    assert str(unpack_error(pack_error(WrongTypeError("a level is a number")))) == "a level is a number"


def test_what_a_cancelled_question_to_the_queue_comes_to_is_not_logged() -> None:
    """Redis may go meanwhile: whoever cancelled does not wait for that."""
    logged: list[Any] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: logged.append(context))
        goes = asyncio.Event()

        async def ask() -> None:
            await goes.wait()
            raise ConnectionError

        asked = asyncio.create_task(remote._shielded(ask()))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        goes.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(run())
    assert not logged
