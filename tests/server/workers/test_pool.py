"""Worker processes: cancelled on demand, replaced when broken, hung or too large, never more than allowed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import pickletools
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.polling import wait_until_async

from punct import Position
from punct.errors import InvalidPositionError, PunctError
from punct.server.workers import pool as pools
from punct.server.workers import think
from punct.server.workers.pool import (
    JobError,
    JobLimitError,
    JobNotStartedError,
    ProcessPool,
    QueueFullError,
    QueueTimeoutError,
    Worker,
    run_with_queue_timeout,
)
from punct.server.workers.process import ReportProgress, WorkerLimits
from punct.server.workers.read import ReadJob
from punct.server.workers.think import ThinkJob

LONG = ThinkJob("standard w", ("Ed5ne",), 8)
SHORT = ThinkJob("standard w", (), 1)
PATIENT = WorkerLimits(seconds=600.0)
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and memory bounds are POSIX's")


@dataclass(frozen=True)
class Hang:
    """A job that never comes to an end, and does not listen."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> None:
        report("begun")
        threading.Event().wait()


@dataclass(frozen=True)
class Ignore:
    """A job that notes in a file that it was told to stop, and does not."""

    note: Path

    def run(self, report: ReportProgress, cancel: threading.Event) -> None:
        report("begun")
        cancel.wait()
        self.note.touch()
        threading.Event().wait()


@dataclass(frozen=True)
class Swallow:
    """A job that wants ever more memory."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> None:
        held = []
        while True:
            held.append(bytes(1024 * 1024))


@dataclass(frozen=True)
class Break:
    """A job with a bug."""

    def run(self, report: ReportProgress, cancel: threading.Event) -> None:
        raise LookupError("secret: /var/lib/punct")


@dataclass(frozen=True)
class Echo:
    """A job whose answer is as large as itself."""

    text: str

    def run(self, report: ReportProgress, cancel: threading.Event) -> str:
        return self.text


@contextlib.asynccontextmanager
async def pool(
    size: int = 1, limits: WorkerLimits = PATIENT, max_waiting: int | None = None
) -> AsyncIterator[ProcessPool]:
    made = ProcessPool(limits, size, max_waiting)
    try:
        yield made
    finally:
        await made.close()


def pid(made: ProcessPool) -> int:
    (worker,) = made._workers
    found = worker._process.pid
    assert found is not None
    return found


def test_a_cancelled_job_frees_its_worker() -> None:
    async def cancel() -> None:
        async with pool() as made:
            started = asyncio.Event()
            first = asyncio.create_task(made.run(LONG, started.set))
            await started.wait()
            queued = asyncio.create_task(made.run(LONG))
            await asyncio.sleep(0)
            queued.cancel()
            first.cancel()
            results = await asyncio.gather(first, queued, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in results)
            thought = await made.run(SHORT)
            assert thought.move in set(map(str, Position().legal_moves))
        with pytest.raises(JobError):
            await made.run(LONG)

    asyncio.run(cancel())


def test_no_more_jobs_run_than_the_pool_has_workers() -> None:
    async def count() -> None:
        running, most = 0, 0

        def begun() -> None:
            nonlocal running, most
            running += 1
            most = max(most, running)

        async with pool(2) as made:

            async def one() -> None:
                nonlocal running
                await made.run(SHORT, begun)
                running -= 1

            await asyncio.gather(*(one() for _ in range(6)))
        assert most <= 2

    asyncio.run(count())


def test_the_queue_is_bounded() -> None:
    async def queue() -> None:
        async with pool(max_waiting=2) as made:
            started = asyncio.Event()
            tasks: list[asyncio.Task[Any]] = [asyncio.create_task(made.run(Hang(), started.set))]
            await started.wait()
            tasks += [asyncio.create_task(made.run(SHORT)) for _ in range(2)]
            await asyncio.sleep(0)
            assert made.waiting == 2
            with pytest.raises(QueueFullError):
                await made.run(SHORT)
            tasks[1].cancel()  # whoever leaves makes room for another
            await asyncio.wait([tasks[1]])
            tasks.append(asyncio.create_task(made.run(SHORT)))
            tasks[0].cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert [isinstance(result, BaseException) for result in results] == [True, True, False, False]

    asyncio.run(queue())


def test_a_job_that_no_worker_starts_times_out() -> None:
    async def queue() -> None:
        async with pool() as made:
            started = asyncio.Event()
            hanging = asyncio.create_task(made.run(Hang(), started.set))
            await started.wait()
            made.limits = WorkerLimits(seconds=0.1)
            with pytest.raises(QueueTimeoutError, match=r"within 0\.1 seconds"):
                await run_with_queue_timeout(made, SHORT)
            assert made.waiting == 0
            hanging.cancel()
            await asyncio.wait([hanging])
        async with pool() as made:
            await made.run(SHORT)  # there is a worker now, which has its own, longer time
            made.limits = WorkerLimits(seconds=0.1)
            assert (await run_with_queue_timeout(made, LONG)).move  # taken up at once: then it may take what it takes

    asyncio.run(queue())


def test_jobs_that_no_worker_has_started_are_refused() -> None:
    async def refuse() -> None:
        async with pool() as made:
            started = asyncio.Event()
            running = asyncio.create_task(made.run(LONG, started.set))
            await started.wait()
            waiting = [asyncio.create_task(made.run(SHORT)) for _ in range(3)]
            await asyncio.sleep(0)
            made.refuse_waiting()
            results = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(result) for result in results] == [JobNotStartedError] * 3 and not running.done()
            with pytest.raises(JobNotStartedError):
                await made.run(SHORT)
            assert (await running).move

    asyncio.run(refuse())


@POSIX
def test_a_broken_process_is_replaced() -> None:
    async def break_it() -> None:
        async with pool() as made:
            await made.run(SHORT)
            first = pid(made)
            started = asyncio.Event()
            thinking = asyncio.create_task(made.run(LONG, started.set))
            await started.wait()
            os.kill(first, signal.SIGKILL)
            with pytest.raises(JobError):
                await thinking
            assert (await made.run(SHORT)).move
            assert pid(made) != first

    asyncio.run(break_it())


def test_a_hung_process_is_killed_and_replaced() -> None:
    async def hang() -> None:
        async with pool() as made:
            await made.run(SHORT)  # started, so that the short time below is for hanging alone
            (worker,) = made._workers
            first = pid(made)
            worker.limits = WorkerLimits(seconds=0.2)
            with pytest.raises(JobLimitError, match="and was ended"):
                await made.run(Hang())
            assert (await made.run(SHORT)).move
            assert pid(made) != first

    asyncio.run(hang())


def test_a_hung_process_without_a_waiter_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "STOP_SECONDS", 0.1)

    async def hang() -> None:
        async with pool() as made:
            begun = asyncio.Event()
            hanging = asyncio.create_task(made.run(Hang(), on_progress=lambda _: begun.set()))
            await begun.wait()
            first = pid(made)
            hanging.cancel()
            await asyncio.wait([hanging])
            assert hanging.cancelled() and (await made.run(SHORT)).move
            assert pid(made) != first

    asyncio.run(hang())


def test_a_job_cancelled_twice_does_not_answer_for_the_next(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pools, "STOP_SECONDS", 600.0)
    note = tmp_path / "told to stop"

    async def twice() -> None:
        async with pool() as made:
            begun = asyncio.Event()
            hanging = asyncio.create_task(made.run(Ignore(note), on_progress=lambda _: begun.set()))
            await begun.wait()
            hanging.cancel()
            await wait_until_async(note.exists)
            hanging.cancel()  # while it is still being stopped
            await asyncio.wait([hanging])
            assert await made.run(Echo("next")) == "next"

    asyncio.run(twice())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory can be bounded on Linux")
def test_a_process_over_its_memory_limit_is_replaced() -> None:
    async def swallow() -> None:
        async with pool(limits=WorkerLimits(seconds=600.0, memory_mb=512)) as made:
            with pytest.raises(JobLimitError, match="memory"):
                await made.run(Swallow())
            assert await made.run(Echo("next")) == "next"

    asyncio.run(swallow())


def test_refusals_of_jobs_are_passed_on_and_crashes_are_hidden() -> None:
    async def refuse() -> None:
        worker = Worker(PATIENT)
        with pytest.raises(PunctError, match="level"):
            await worker.run(ThinkJob("standard w", (), 99))
        with pytest.raises(InvalidPositionError):
            await worker.run(ThinkJob("nonsense", (), 1))
        with pytest.raises(JobError) as broken:
            await worker.run(Break())
        assert "secret" not in str(broken.value) and "LookupError" not in str(broken.value)
        assert worker.is_alive
        worker.close()

    asyncio.run(refuse())


def test_a_job_larger_than_the_pipe_does_not_block_the_event_loop() -> None:
    async def send() -> None:
        worker = Worker(PATIENT)  # still starting: it takes nothing from the pipe yet
        text = "x" * 4_000_000
        running = asyncio.create_task(worker.run(Echo(text)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not running.done()  # and yet we are here
        assert await running == text
        worker.close()

    asyncio.run(send())


def test_every_kind_of_job_has_a_sufficient_time_limit() -> None:
    from punct.engine.levels import LEVELS
    from punct.server.workers import draw, read

    assert all((level.limits.movetime or 0) * 5 < think.LIMITS.seconds for level in LEVELS)
    for bounds in (draw.LIMITS, read.LIMITS):
        assert bounds.seconds < 60 and bounds.memory_mb is not None and bounds.is_low_priority


def test_a_record_is_read_within_its_bounds() -> None:
    (game,) = ReadJob('[White "Anna"]\n1. Ed5ne {far} (Ed6ne) Tl5s *', None, 1, 2, 9).run(print, threading.Event())
    assert (game.moves, game.comments, game.tags) == ("Ed5ne Tl5s", {0: "far"}, {"White": "Anna"})
    for text, most, longest in (("* *", 1, 9), ("Ed5ne Tl5s *", 1, 1), ("", 1, 1), ('[White "Annabel"] *', 1, 1)):
        with pytest.raises(PunctError):
            ReadJob(text, None, most, longest, 9).run(print, threading.Event())


def test_a_parsed_record_is_small_however_long_its_games() -> None:
    """Unpacking an object for every turn held the whole server up for most of a second."""

    def steps(text: str) -> int:
        games = ReadJob(text, None, 9, 99, 9).run(print, threading.Event())
        return sum(1 for _ in pickletools.genops(pickle.dumps(games)))

    assert steps("1. Ed5ne Tl5s 2. d5-d6ne l5-l6s 3. d6-d5ne l6-l5s *") == steps("1. Ed5ne *")


@POSIX
def test_an_interrupt_of_the_process_group_prints_nothing() -> None:
    """Ctrl-C goes to the whole group of processes; a worker that is just starting must not show a traceback."""
    code = (
        "import asyncio, os, signal\n"
        "from punct.server.workers.pool import ProcessPool\n"
        "from punct.server.workers.process import WorkerLimits\n"
        "from punct.server.workers.think import ThinkJob\n"
        "async def main():\n"
        "    signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "    pool = ProcessPool(WorkerLimits(600.0), 1)\n"
        "    pool.warm()\n"
        "    os.killpg(0, signal.SIGINT)\n"
        "    print((await pool.run(ThinkJob('standard w', (), 1))).move)\n"
        "    await pool.close()\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, start_new_session=True)
    assert ran.returncode == 0 and ran.stdout.strip() and not ran.stderr
