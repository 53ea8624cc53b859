"""The remote worker: a program that runs queued jobs, on any machine that reaches Redis."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from saq import Job as QueuedJob
from saq import Worker as QueueWorker
from saq.queue.redis import RedisQueue

from punct.errors import PunctError
from punct.server.broker.redis import REDIS_ERRORS, RedisBroker, connect
from punct.server.workers import draw, mail, outbound, think
from punct.server.workers.draw import AnimateJob, DrawJob
from punct.server.workers.mail import MailJob
from punct.server.workers.outbound import HookJob, PostJob
from punct.server.workers.pool import JobError, JobLimitError, ProcessPool
from punct.server.workers.remote import HEARTBEAT_SECONDS, JOB_KINDS
from punct.server.workers.remote_errors import pack_error
from punct.server.workers.think import ThinkJob

_SEND_HEARTBEAT_SECONDS: Final = 2.0


def run_remote_workers(url: str, engines: int | None, pictures: int, messages: int, ready: Callable[[], None]) -> None:
    """Run the jobs that servers queue at a Redis until a signal, with so many engines, drawing and sending processes.

    Mails too, if the environment names a mail server. ``ready`` is called once jobs are accepted. Raises BrokerError if
    there is no Redis.
    """

    async def run() -> None:
        broker = RedisBroker(url)
        await broker.start()
        workers = []
        if engines != 0:
            pool = ProcessPool(think.LIMITS, engines, preload="punct.engine")
            workers.append(RemoteWorker(url, broker, ThinkJob, pool))
        if pictures:
            pool = ProcessPool(draw.LIMITS, pictures, preload="punct.server.workers.draw")
            workers.append(RemoteWorker(url, broker, DrawJob, pool))
            pool = ProcessPool(draw.ANIMATION_LIMITS, 1, preload="punct.server.workers.draw")
            workers.append(RemoteWorker(url, broker, AnimateJob, pool))
        for job in (PostJob, HookJob) if messages else ():
            pool = ProcessPool(outbound.LIMITS, messages, preload="punct.server.workers.outbound")
            workers.append(RemoteWorker(url, broker, job, pool))
        if os.environ.get(mail.SMTP_URL):
            pool = ProcessPool(mail.LIMITS, mail.PROCESSES, preload="punct.server.workers.mail")
            workers.append(RemoteWorker(url, broker, MailJob, pool))
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for signum in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signum, stop.set)
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        ready()
        await stop.wait()
        for worker in workers:
            worker.stop()
        await asyncio.gather(*tasks)
        await broker.close()

    asyncio.run(run())


class _NoContents(logging.Filter):
    """Takes the contents of jobs out of SAQ's log: they may have addresses and keys of players."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace each job by its key."""
        if isinstance(record.args, tuple):
            record.args = tuple(each.key if isinstance(each, QueuedJob) else each for each in record.args)
        return True


logging.getLogger("saq").addFilter(_NoContents())


class _StoppableQueueWorker(QueueWorker[Any]):
    """SAQ's worker, without signal handlers, which stops as soon as its jobs are done."""

    SIGNALS = []  # noqa: RUF012  # as the library has it
    _is_stopping = False
    _upkeep_tasks: Sequence[asyncio.Task[None]] = ()

    async def upkeep(self) -> list[asyncio.Task[None]]:
        """Start the periodic tasks."""
        self._upkeep_tasks = tasks = await super().upkeep()
        if self._is_stopping:  # stopped before it started
            self.stop_soon()
        return tasks

    def stop_soon(self) -> None:
        """Accept no more jobs. Periodic tasks sleep for up to ten seconds: they are cancelled."""
        self._is_stopping = True
        self.event.set()
        for task in self._upkeep_tasks:
            task.cancel()


class RemoteWorker:
    """Runs the queued jobs of one kind, in processes of its own."""

    def __init__(self, url: str, broker: RedisBroker, job_class: type[Any], pool: ProcessPool) -> None:
        """Run jobs in a pool, as many at once as it has processes."""
        self._broker, self._pool, self._kind = broker, pool, JOB_KINDS[job_class]
        self._client = connect(url)
        self._queue_worker = _StoppableQueueWorker(
            RedisQueue(self._client, name=self._kind.queue),
            functions=[("work", self._work)],
            concurrency=pool.size,
            dequeue_timeout=1.0,
            # Fractions of a second work too.
            timers={"abort": 0.25, "sweep": HEARTBEAT_SECONDS, "schedule": 5},  # type: ignore[arg-type]
            shutdown_grace_period_s=int(pool.limits.seconds),  # running jobs are finished before the program exits
        )

    async def run(self) -> None:
        """Run jobs until cancelled or stopped."""
        try:
            await self._queue_worker.start()
        finally:
            await self._pool.close()
            with contextlib.suppress(*REDIS_ERRORS):
                await self._client.aclose()

    def stop(self) -> None:
        """Accept no more jobs; running ones are finished."""
        self._queue_worker.stop_soon()

    async def _work(self, context: Any, *, wanted: dict[str, Any], reply: str) -> dict[str, Any]:
        """Run a job; the function's name and parameters are part of the queue's format."""
        queued: QueuedJob = context["job"]

        def send(**message: Any) -> None:
            self._broker.publish(reply, json.dumps({"job": queued.key, **message}).encode())

        heartbeat = asyncio.create_task(_send_heartbeats(queued))
        try:
            result = await self._pool.run(
                self._kind.read(wanted),
                on_start=lambda: send(started=True),
                on_progress=lambda progress: send(news=asdict(progress)),
            )
            message = {"answer": self._kind.pack(result)}
        except PunctError as error:
            message = {"fault": "refused", "error": pack_error(error)}
        except JobLimitError as error:
            message = {"fault": "overrun", "message": str(error)}
        except JobError as error:
            message = {"fault": "broken", "message": str(error)}
        finally:
            heartbeat.cancel()
            await asyncio.gather(heartbeat, return_exceptions=True)
        send(**message)
        return message


async def _send_heartbeats(queued: QueuedJob) -> None:
    """Send the queue heartbeats of a job that is being run."""
    while True:
        await asyncio.sleep(_SEND_HEARTBEAT_SECONDS)
        with contextlib.suppress(*REDIS_ERRORS):
            await queued.update()
