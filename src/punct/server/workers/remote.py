"""A queue in Redis for jobs that any machine may run: engine searches, pictures, mails and calls.

``RemotePool`` is the server's side, in place of a ``ProcessPool``; ``remote_worker`` the other one, which runs the jobs
in such a pool. Messages are plain JSON: access to Redis lets one run these jobs, and no other code.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import logging
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from secrets import token_urlsafe
from typing import Any, Final, TypeVar

from saq import Job as QueuedJob
from saq import Status
from saq.queue.redis import RedisQueue

from punct.server.broker.redis import REDIS_ERRORS, RedisBroker
from punct.server.workers.draw import AnimateJob, DrawJob
from punct.server.workers.mail import MailJob, MailResult
from punct.server.workers.outbound import AddressRules, HookJob, PostJob, PostResult
from punct.server.workers.pool import JobError, JobLimitError, JobNotStartedError, OnProgress, check_queue
from punct.server.workers.process import Job, WorkerLimits
from punct.server.workers.remote_errors import unpack_error
from punct.server.workers.think import ThinkJob, ThinkProgress, ThinkResult

T = TypeVar("T")
Message = dict[str, Any]
"""Progress or the result of a job, as the remote worker publishes it."""
_log = logging.getLogger(__name__)
HEARTBEAT_SECONDS: Final = 6
"""A job without a heartbeat for this long is given to another worker."""
_POLL_SECONDS: Final = 3.0
"""How often the queue is asked for the status of a job without messages."""
_MAX_ATTEMPTS: Final = 3
_FORMAT: Final = 2
"""The version of the messages. During an update, servers use only workers with the same version."""
_RESULT_TTL_SECONDS: Final = 60
"""How long a result stays in the queue."""
_REFUSE: Final[Message] = {}
"""Put among the messages about a job: it is taken out of the queue, unless a worker has it."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job: its queue, and the JSON of its jobs, progress and results."""

    queue: str
    read: Callable[[dict[str, Any]], Job[Any]]
    pack: Callable[[Any], Any]
    unpack: Callable[[Any], Any]
    progress: Callable[[dict[str, Any]], Any]
    write: Callable[[Any], dict[str, Any]] = asdict


def _with_tuples(cls: Callable[..., Any], *names: str) -> Callable[[dict[str, Any]], Any]:
    """Return a function that creates an object from JSON, which has no tuples."""
    return lambda values: cls(**{key: tuple(value) if key in names else value for key, value in values.items()})


def _pack_bytes(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _post_kind(queue: str, cls: type[PostJob]) -> JobKind:
    """Return the kind of jobs that post to an address."""
    read_rules = _with_tuples(AddressRules, "hosts", "exempt")
    return JobKind(
        queue,
        read=lambda values: cls(
            values["url"], values["headers"], base64.b64decode(values["body"]), read_rules(values["rules"])
        ),
        pack=asdict,
        unpack=_with_tuples(PostResult),
        progress=lambda values: values,
        write=lambda job: {**asdict(job), "body": _pack_bytes(job.body)},
    )


JOB_KINDS: Final[dict[type[Any], JobKind]] = {
    ThinkJob: JobKind(
        f"punct-think-{_FORMAT}",
        read=_with_tuples(ThinkJob, "turns"),
        pack=asdict,
        unpack=_with_tuples(ThinkResult, "pv"),
        progress=_with_tuples(ThinkProgress, "pv"),
    ),
    DrawJob: JobKind(
        f"punct-draw-{_FORMAT}",
        read=_with_tuples(DrawJob),
        pack=_pack_bytes,
        unpack=base64.b64decode,
        progress=lambda values: values,
    ),
    AnimateJob: JobKind(
        f"punct-animate-{_FORMAT}",
        read=_with_tuples(AnimateJob, "turns"),
        pack=_pack_bytes,
        unpack=base64.b64decode,
        progress=lambda values: values,
    ),
    PostJob: _post_kind(f"punct-post-{_FORMAT}", PostJob),
    HookJob: _post_kind(f"punct-hook-{_FORMAT}", HookJob),
    MailJob: JobKind(
        f"punct-mail-{_FORMAT}",
        read=_with_tuples(MailJob),
        pack=asdict,
        unpack=_with_tuples(MailResult),
        progress=lambda values: values,
    ),
}


class RemotePool:
    """Runs jobs on whichever remote worker is free."""

    def __init__(
        self, broker: RedisBroker, job_class: type[Any], limits: WorkerLimits, max_waiting: int | None = None
    ) -> None:
        """Create a pool for jobs of one class."""
        self.waiting = 0
        """The number of this process's jobs that no worker has started yet."""
        self.limits = limits
        self._broker, self._max_waiting = broker, max_waiting
        self._kind = JOB_KINDS[job_class]
        self._queue = RedisQueue(broker.client, name=self._kind.queue)
        self._messages: dict[str, asyncio.Queue[Message]] = {}
        self._aborts: set[asyncio.Task[None]] = set()
        self._is_refusing = False
        broker.on_message(f"process:{broker.process}", self._receive)

    async def run(
        self, job: Job[T], on_start: Callable[[], None] | None = None, on_progress: OnProgress | None = None
    ) -> T:
        """Run a job; ``on_start`` is called when a worker starts it. If cancelled, the job is aborted."""
        check_queue(self.waiting, self._max_waiting)
        if self._is_refusing:
            raise JobNotStartedError
        key = token_urlsafe(12)
        messages = self._messages[key] = asyncio.Queue()
        self.waiting += 1
        is_waiting = True

        def start() -> None:
            nonlocal is_waiting
            if is_waiting:
                is_waiting = False
                self.waiting -= 1
                if on_start is not None:
                    on_start()

        queued = self._queued_job(key, job)
        # In a task of its own: cancelled halfway, nobody would know whether the job is in the queue.
        enqueueing = asyncio.create_task(self._enqueue(queued))
        is_done = False
        try:
            await asyncio.shield(enqueueing)
            while True:
                message = await self._next_message(key, messages)
                if message is None:
                    continue
                if message is _REFUSE:
                    if is_waiting and await self._remove(queued):
                        raise JobNotStartedError
                    continue
                start()
                if "news" in message and on_progress is not None:
                    on_progress(self._kind.progress(message["news"]))
                if "answer" in message or "fault" in message:
                    is_done = True
                    result: T = self._result(message)
                    return result
        finally:
            del self._messages[key]
            if is_waiting:
                self.waiting -= 1
            if not is_done:
                self._abort(queued, enqueueing)

    def warm(self) -> None:
        """Do nothing: remote workers run by themselves."""

    def refuse_waiting(self) -> None:
        """Take the jobs out of the queue that no worker has."""
        self._is_refusing = True
        for messages in self._messages.values():
            messages.put_nowait(_REFUSE)

    async def close(self) -> None:
        """Wait for pending aborts."""
        await asyncio.gather(*self._aborts, return_exceptions=True)

    async def length(self) -> int:
        """Return the number of queued jobs, of all processes."""
        return await self._queue.count("queued")

    def _queued_job(self, key: str, job: Job[Any]) -> QueuedJob:
        """Return the queue's form of a job."""
        return QueuedJob(
            "work",
            key=key,
            timeout=int(self.limits.seconds) + 5,  # the worker's own limit is a little shorter
            heartbeat=HEARTBEAT_SECONDS,
            retries=_MAX_ATTEMPTS,
            ttl=_RESULT_TTL_SECONDS,
            kwargs={
                "wanted": self._kind.write(job),
                "reply": f"process:{self._broker.process}",
            },
        )

    async def _enqueue(self, queued: QueuedJob) -> None:
        """Queue a job. The queue may have it already: the client sends a command again whose reply was lost."""
        try:
            await self._queue.enqueue(queued)
        except REDIS_ERRORS as error:
            _log.error("cannot queue a job: %s", type(error).__name__)
            raise JobError("The machines that do this cannot be reached now.") from None

    async def _remove(self, queued: QueuedJob) -> bool:
        """Take a job out of the queue; False if a worker has it, or may have it."""
        try:
            return bool(await _shielded(self._broker.client.lrem(self._queue.namespace("queued"), 0, queued.id)))
        except REDIS_ERRORS:
            return False

    async def _next_message(self, key: str, messages: asyncio.Queue[Message]) -> Message | None:
        """Return the next message about a job; if there is none for a while, make one from its status in the queue."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_POLL_SECONDS):
                return await messages.get()
        try:
            # Shielded: until Python 3.12 a cancellation while the client sends may be lost (wait_for returns instead).
            queued = await _shielded(self._queue.job(key))
        except REDIS_ERRORS:
            return None  # Redis may come back with the job
        if queued is None:
            raise JobError("The queue has lost this.")
        if queued.status == Status.COMPLETE:
            return dict(queued.result)
        if queued.status in (Status.FAILED, Status.ABORTED):
            return {"fault": "broken", "message": "This broke down where it was done."}
        return {} if queued.status == Status.ACTIVE else None

    def _result(self, message: Message) -> Any:
        match message.get("fault"):
            case None:
                return self._kind.unpack(message["answer"])
            case "overrun":
                raise JobLimitError(message["message"])
            case "refused":
                raise unpack_error(message["error"])
            case _:
                raise JobError(message["message"])

    def _receive(self, topic: str, content: bytes) -> None:
        message = json.loads(content)
        messages = self._messages.get(message.pop("job", ""))
        if messages is not None:
            messages.put_nowait(message)

    def _abort(self, queued: QueuedJob, enqueueing: asyncio.Task[None]) -> None:
        """Remove a job from the queue, once it is there, or have its worker stop."""

        async def abort() -> None:
            with contextlib.suppress(JobError, *REDIS_ERRORS):
                await enqueueing
                await self._queue.abort(queued, "nobody needs it any more")

        task = asyncio.create_task(abort())
        self._aborts.add(task)
        task.add_done_callback(self._aborts.discard)


async def _shielded(work: Coroutine[Any, Any, T]) -> T:
    """Wait for some work that a cancellation leaves running; nobody is told then how it ends."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())  # or it would be logged
    await asyncio.wait((task,))
    return task.result()
