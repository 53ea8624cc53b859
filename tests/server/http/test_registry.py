"""Services: started in order, closed in reverse, whatever fails on the way."""

from __future__ import annotations

import asyncio

import pytest

from punct.server.errors import NotOfferedError
from punct.server.http.registry import Services
from punct.server.tasks import BackgroundTasks


class Service:
    """Notes what is called."""

    def __init__(self, calls: list[str], fails_to: str | None = None) -> None:
        self.calls, self.fails_to = calls, fails_to

    def _note(self, call: str) -> None:
        self.calls.append(f"{call} {type(self).__name__}")
        if call == self.fails_to:
            raise RuntimeError(f"cannot {call}")

    async def start(self) -> None:
        self._note("start")

    async def close(self) -> None:
        self._note("close")


class First(Service):
    async def run(self) -> None:
        self._note("run")
        try:
            await asyncio.Event().wait()
        finally:
            self._note("cancel")


class Second(Service): ...


class Third(Service):
    async def finish(self) -> None:
        self._note("finish")
        await asyncio.sleep(0)


def services(calls: list[str], **fails_to: str) -> Services:
    found = Services(online=False)
    for kind in (First, Second, Third):
        found.add(kind(calls, fails_to.get(kind.__name__)))
    found.add(found.get(Second), Service)
    return found


def test_services_start_in_order_and_close_in_reverse() -> None:
    calls: list[str] = []

    async def run() -> None:
        async with services(calls) as found:
            await asyncio.sleep(0)
            assert calls == ["start First", "start Second", "start Third", "run First"]
            assert found.get(Service) is found.get(Second)
            with pytest.raises(NotOfferedError):
                found.get(BackgroundTasks)

    asyncio.run(run())
    # What has begun is finished while the background tasks still run.
    assert calls[4:] == ["finish Third", "cancel First", "close Third", "close Second", "close First"]


def test_if_one_cannot_finish_all_are_closed(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[str] = []

    async def run() -> None:
        async with services(calls, Third="finish"):
            await asyncio.sleep(0)

    asyncio.run(run())
    assert calls[-5:] == ["finish Third", "cancel First", "close Third", "close Second", "close First"]
    assert "Third could not be finished" in caplog.text


def test_if_one_cannot_start_all_are_closed() -> None:
    """Also those after it: what their constructors have opened is released."""
    calls: list[str] = []

    async def run() -> None:
        with pytest.raises(RuntimeError, match="cannot start"):
            async with services(calls, Second="start"):
                raise AssertionError("it has not started")

    asyncio.run(run())
    assert calls == ["start First", "start Second", "close Third", "close Second", "close First"]


def test_if_one_cannot_close_the_others_are_closed(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[str] = []

    async def run() -> None:
        with pytest.raises(RuntimeError, match="cannot close"):
            async with services(calls, Second="close", Third="close"):
                pass

    asyncio.run(run())
    assert calls[-3:] == ["close Third", "close Second", "close First"]
    assert "Second could not be closed" in caplog.text and "Third could not be closed" in caplog.text


def test_a_background_task_that_fails_is_logged_at_once(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[str] = []

    async def run() -> None:
        async with services(calls, First="run"):
            while "background task failed" not in caplog.text:
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(run(), 60))
    assert calls[-1] == "close First"


def test_tasks_that_were_cancelled_start_no_others() -> None:
    calls: list[str] = []

    async def note() -> None:
        calls.append("ran")

    async def run() -> None:
        tasks = BackgroundTasks("nothing")
        tasks.start(note())
        await tasks.finish()
        await tasks.cancel()
        tasks.start(note())  # as from an event that comes while the server stops
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert calls == ["ran"]
