"""Work that any machine may do: thinking and drawing, through a queue in Redis.

``RemotePool`` is the server's side and stands in for a pool of its own processes; a ``workshop`` the other one, which
does the work in such a pool. What travels is plain JSON: whoever can write to Redis can have work done, nothing else.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from secrets import token_urlsafe
from typing import Any, Final, TypeVar

from saq import Job as QueuedJob
from saq import Queue, Status
from saq.queue.redis import RedisQueue

from punct.server.broker.redis import FAULTS, RedisBroker
from punct.server.broker.refusals import unpacked
from punct.server.workers.draw import Animate, Draw
from punct.server.workers.pool import OnNews, OverrunError, WorkError, check_room
from punct.server.workers.process import Bounds, Job
from punct.server.workers.think import Progress, Think, Thought

_log = logging.getLogger(__name__)
HEARTBEAT_SECONDS: Final = 6
"""Work of which nothing was heard for so long is given to somebody else: whoever had it is gone."""
_LOOK_SECONDS: Final = 3.0
"""How often the queue is asked what became of work of which nothing is heard."""
_TRIES: Final = 3
_FORMAT: Final = 2
"""Changes with what travels. While a new version is installed, servers have work done by those who speak as they do."""
_KEPT_SECONDS: Final = 60
"""How long an answer can be fetched."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of work: what it is asked with, and how its news and its answer travel."""

    queue: str
    read: Callable[[dict[str, Any]], Job[Any]]
    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]
    news: Callable[[dict[str, Any]], Any]


def _with_tuples(made: Callable[..., Any], *names: str) -> Callable[[dict[str, Any]], Any]:
    """Return a way to make something from JSON, which knows no tuples."""
    return lambda given: made(**{key: tuple(value) if key in names else value for key, value in given.items()})


KINDS: Final[dict[type[Any], Kind]] = {
    Think: Kind(
        f"punct-think-{_FORMAT}",
        read=_with_tuples(Think, "turns"),
        pack=asdict,
        unpack=_with_tuples(Thought, "pv"),
        news=_with_tuples(Progress, "pv"),
    ),
    Draw: Kind(
        f"punct-draw-{_FORMAT}",
        read=lambda given: Draw(**given),
        pack=lambda picture: base64.b64encode(picture).decode(),
        unpack=base64.b64decode,
        news=lambda given: given,
    ),
    Animate: Kind(
        f"punct-animate-{_FORMAT}",
        read=_with_tuples(Animate, "turns"),
        pack=lambda picture: base64.b64encode(picture).decode(),
        unpack=base64.b64decode,
        news=lambda given: given,
    ),
}


class RemotePool:
    """Has jobs done by whichever workshop is free."""

    def __init__(
        self, broker: RedisBroker, made_of: type[Any], bounds: Bounds, most_waiting: int | None = None
    ) -> None:
        """Have jobs of one kind done."""
        self.waiting = 0
        """How many jobs of this process wait for somebody to take them."""
        self.bounds = bounds
        self._broker, self._most_waiting = broker, most_waiting
        self._kind = KINDS[made_of]
        self._queue: Queue = RedisQueue(broker.client, name=self._kind.queue)
        self._heard: dict[str, asyncio.Queue[dict[str, Any]]] = {}
        self._aborting: set[asyncio.Task[None]] = set()
        broker.subscribe(f"process:{broker.process}", self._take)

    async def run(self, job: Job[T], on_start: Callable[[], None] | None = None, on_news: OnNews | None = None) -> T:
        """Have a job done; ``on_start`` is called when somebody takes it. Cancelled, nobody is at it any more."""
        check_room(self.waiting, self._most_waiting)
        key = token_urlsafe(12)
        letters = self._heard[key] = asyncio.Queue()
        self.waiting += 1
        is_waiting = True

        def started() -> None:
            nonlocal is_waiting
            if is_waiting:
                is_waiting = False
                self.waiting -= 1
                if on_start is not None:
                    on_start()

        queued: QueuedJob | None = None
        done = False
        try:
            queued = await self._queued(key, job)
            while True:
                letter = await self._next(key, letters)
                if letter is None:
                    continue
                started()
                if "news" in letter and on_news is not None:
                    on_news(self._kind.news(letter["news"]))
                if "answer" in letter or "fault" in letter:
                    done = True
                    found: T = self._answer(letter)
                    return found
        finally:
            del self._heard[key]
            if is_waiting:
                self.waiting -= 1
            if queued is not None and not done:
                self._abort(queued)

    def warm(self) -> None:
        """Do nothing: workshops are warm or not for themselves."""

    async def close(self) -> None:
        """End what is being ended."""
        await asyncio.gather(*self._aborting, return_exceptions=True)

    async def length(self) -> int:
        """Return how many jobs wait, whosever they are."""
        return await self._queue.count("queued")

    async def _queued(self, key: str, job: Job[Any]) -> QueuedJob:
        try:
            queued = await self._queue.enqueue(
                "work",
                key=key,
                timeout=int(self.bounds.seconds) + 5,  # the workshop itself ends it a little before
                heartbeat=HEARTBEAT_SECONDS,
                retries=_TRIES,
                ttl=_KEPT_SECONDS,
                wanted=asdict(job),  # type: ignore[call-overload]  # all kinds are dataclasses
                reply=f"process:{self._broker.process}",
            )
        except FAULTS as error:
            _log.error("no work can be given out: %s", type(error).__name__)
            raise WorkError("The machines that do this cannot be reached now.") from None
        assert queued is not None  # the key is new
        return queued

    async def _next(self, key: str, letters: asyncio.Queue[dict[str, Any]]) -> dict[str, Any] | None:
        """Return what is heard of a job next; if that is nothing for a while, what the queue knows of it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                return await letters.get()
        try:
            stored = await self._queue.job(key)
        except FAULTS:
            return None  # away: perhaps it comes back with everything it knew
        if stored is None:
            raise WorkError("The queue has lost this.")
        if stored.status == Status.COMPLETE:
            return dict(stored.result)
        if stored.status in (Status.FAILED, Status.ABORTED):
            return {"fault": "broken", "message": "This broke down where it was done."}
        return {} if stored.status == Status.ACTIVE else None

    def _answer(self, letter: dict[str, Any]) -> Any:
        match letter.get("fault"):
            case None:
                return self._kind.unpack(letter["answer"])
            case "overrun":
                raise OverrunError(letter["message"])
            case "refused":
                raise unpacked(letter["error"])
            case _:
                raise WorkError(letter["message"])

    def _take(self, topic: str, message: bytes) -> None:
        letter = json.loads(message)
        letters = self._heard.get(letter.pop("job", ""))
        if letters is not None:
            letters.put_nowait(letter)

    def _abort(self, queued: QueuedJob) -> None:
        async def abort() -> None:
            with contextlib.suppress(*FAULTS):
                await self._queue.abort(queued, "nobody needs it any more")

        task = asyncio.create_task(abort())
        self._aborting.add(task)
        task.add_done_callback(self._aborting.discard)
