"""Remote workers in a thread of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from punct.server.broker.redis import RedisBroker
from punct.server.workers import draw, think
from punct.server.workers.draw import DrawJob
from punct.server.workers.pool import ProcessPool
from punct.server.workers.remote_worker import RemoteWorker
from punct.server.workers.think import ThinkJob


@contextmanager
def remote_workers(address: str) -> Iterator[None]:
    """Run remote workers in a thread with an event loop of its own, as another program would."""
    ready, loop, end = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def work() -> None:
        broker = RedisBroker(address)
        await broker.start()
        workers = [
            RemoteWorker(address, broker, ThinkJob, ProcessPool(think.LIMITS, 1, preload="punct.engine")),
            RemoteWorker(address, broker, DrawJob, ProcessPool(draw.LIMITS, 1, preload="punct.server.workers.draw")),
        ]
        tasks = [asyncio.create_task(worker.run()) for worker in workers]
        ready.set()
        await end.wait()
        for worker in workers:
            worker.stop()
        await asyncio.gather(*tasks)
        await broker.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()))
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.close()
