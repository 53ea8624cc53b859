"""Where queued work is done: a program of its own, on any machine that reaches Redis."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Final

from saq import Job as QueuedJob
from saq import Worker as QueueWorker
from saq.queue.redis import RedisQueue

from punct.errors import PunctError
from punct.server.broker.jobs import HEARTBEAT_SECONDS, KINDS
from punct.server.broker.redis import FAULTS, RedisBroker, connect
from punct.server.broker.refusals import packed
from punct.server.workers import draw, think
from punct.server.workers.draw import Animate, Draw
from punct.server.workers.pool import OverrunError, Pool, WorkError
from punct.server.workers.think import Think

_BEAT_SECONDS: Final = 2.0


def work(address: str, engines: int | None, pictures: int, ready: Callable[[], None]) -> None:
    """Do what servers have queued at a Redis until told to stop: think with so many engines, draw so many pictures.

    ``ready`` is called once there is somebody to do it. Raises BrokerError if there is no Redis.
    """

    async def work() -> None:
        broker = RedisBroker(address)
        await broker.start()
        shops = []
        if engines != 0:
            shops.append(Workshop(address, broker, Think, Pool(think.BOUNDS, engines, preload="punct.engine")))
        if pictures:
            drawing = Pool(draw.BOUNDS, pictures, preload="punct.server.workers.draw")
            shops.append(Workshop(address, broker, Draw, drawing))
            animating = Pool(draw.ANIMATION_BOUNDS, 1, preload="punct.server.workers.draw")
            shops.append(Workshop(address, broker, Animate, animating))
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        for signum in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(signum, end.set)
        working = [asyncio.create_task(shop.run()) for shop in shops]
        ready()
        await end.wait()
        for shop in shops:
            shop.end()
        await asyncio.gather(*working)
        await broker.close()

    asyncio.run(work())


class _Hands(QueueWorker[Any]):
    """The queue's worker, which leaves signals to the program it is in, and ends as soon as its work is done."""

    SIGNALS = []  # noqa: RUF012  # as the library has it
    _ended = False
    _upkeep: Sequence[asyncio.Task[None]] = ()

    async def upkeep(self) -> list[asyncio.Task[None]]:
        """Start what is done now and then."""
        self._upkeep = upkeep = await super().upkeep()
        if self._ended:  # told so before it began
            self.end()
        return upkeep

    def end(self) -> None:
        """Take nothing more. What is done now and then sleeps for up to ten seconds: nobody waits for that."""
        self._ended = True
        self.event.set()
        for task in self._upkeep:
            task.cancel()


class Workshop:
    """Does the work of one kind that servers have queued, in processes of its own."""

    def __init__(self, address: str, broker: RedisBroker, made_of: type[Any], pool: Pool) -> None:
        """Do work with a pool, as many jobs at once as it has processes."""
        self._broker, self._pool, self._kind = broker, pool, KINDS[made_of]
        self._client = connect(address)
        self._hands = _Hands(
            RedisQueue(self._client, name=self._kind.queue),
            functions=[("work", self._work)],
            concurrency=pool.size,
            dequeue_timeout=1.0,
            # Parts of seconds too.
            timers={"abort": 0.25, "sweep": HEARTBEAT_SECONDS, "schedule": 5},  # type: ignore[arg-type]
            shutdown_grace_period_s=int(pool.bounds.seconds),  # what was begun is done before the program ends
        )

    async def run(self) -> None:
        """Work until cancelled, or told to end."""
        try:
            await self._hands.start()
        finally:
            await self._pool.close()
            with contextlib.suppress(*FAULTS):
                await self._client.aclose()

    def end(self) -> None:
        """Take nothing more; what was begun is done."""
        self._hands.end()

    async def _work(self, context: Any, *, wanted: dict[str, Any], reply: str) -> dict[str, Any]:
        job: QueuedJob = context["job"]

        def tell(**what: Any) -> None:
            self._broker.publish(reply, json.dumps({"job": job.key, **what}).encode())

        beating = asyncio.create_task(_beat(job))
        try:
            answer = await self._pool.run(
                self._kind.read(wanted), lambda: tell(started=True), lambda news: tell(news=asdict(news))
            )
            told = {"answer": self._kind.pack(answer)}
        except PunctError as error:
            told = {"fault": "refused", "error": packed(error)}
        except OverrunError as error:
            told = {"fault": "overrun", "message": str(error)}
        except WorkError as error:
            told = {"fault": "broken", "message": str(error)}
        finally:
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)
        tell(**told)
        return told


async def _beat(job: QueuedJob) -> None:
    """Let the queue know that somebody is at it."""
    while True:
        await asyncio.sleep(_BEAT_SECONDS)
        with contextlib.suppress(*FAULTS):
            await job.update()
