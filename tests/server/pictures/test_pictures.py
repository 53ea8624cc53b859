"""Pictures: drawn once for all who want the same, cancelled when nobody does, in a bounded cache."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.types import Message
from tests.polling import wait_until_async
from tests.server.game_requests import API, create_game, error_of, play_moves

from punct import Position, picture
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import ClientGoneError
from punct.server.pictures.service import Pictures
from punct.server.workers.draw import LIMITS, DrawJob
from punct.server.workers.pool import QueueFullError


class ManualPool:
    """A pool that draws when told to."""

    def __init__(self) -> None:
        self.begun: list[DrawJob] = []
        self.cancelled = 0
        self.go = asyncio.Event()
        self.limits = LIMITS

    async def run(self, wanted: DrawJob, on_start: Callable[[], None]) -> bytes:
        self.begun.append(wanted)
        on_start()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return wanted.position.encode() * 10


def pictures_and_pool(max_bytes: int = 1000) -> tuple[Pictures, ManualPool]:
    pool: Any = ManualPool()
    return Pictures(pool, max_bytes), pool


def test_equal_pictures_are_drawn_once() -> None:
    async def draw() -> None:
        pictures, pool = pictures_and_pool()
        asked = [asyncio.create_task(pictures.draw(DrawJob("svg", "a"))) for _ in range(5)]
        await asyncio.sleep(0)
        pool.go.set()
        assert await asyncio.gather(*asked) == [b"a" * 10] * 5
        assert await pictures.draw(DrawJob("svg", "a")) == b"a" * 10
        assert len(pool.begun) == 1
        await pictures.draw(DrawJob("svg", "a", size=100))
        assert len(pool.begun) == 2

    asyncio.run(draw())


def test_a_picture_nobody_waits_for_is_cancelled() -> None:
    async def draw() -> None:
        pictures, pool = pictures_and_pool()
        first, second = (asyncio.create_task(pictures.draw(DrawJob("svg", "a"))) for _ in range(2))
        await wait_until_async(lambda: pool.begun)
        first.cancel()
        await asyncio.wait([first])
        assert pool.cancelled == 0  # somebody still waits
        second.cancel()
        await wait_until_async(lambda: pool.cancelled)
        pool.go.set()
        assert await pictures.draw(DrawJob("svg", "a")) == b"a" * 10
        assert len(pool.begun) == 2

    asyncio.run(draw())


def test_the_oldest_pictures_are_evicted_first() -> None:
    async def draw() -> None:
        pictures, pool = pictures_and_pool(max_bytes=2 * 515)
        pool.go.set()
        for name in "abaca":
            await pictures.draw(DrawJob("svg", name))
        assert [wanted.position for wanted in pool.begun] == ["a", "b", "c"]  # b went when c came
        await pictures.draw(DrawJob("svg", "b"))
        assert len(pool.begun) == 4 and pictures._cache.size <= 2 * 515
        await pictures.draw(DrawJob("svg", "much too large"))
        assert pictures._cache.size <= 2 * 515

    asyncio.run(draw())


def test_a_disconnect_cancels_the_work() -> None:
    async def hang_up() -> None:
        hung_up, begun, stopped = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def receive() -> Message:
            await hung_up.wait()
            return {"type": "http.disconnect"}

        async def work() -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                stopped.set()

        request = Request({"type": "http", "method": "GET", "headers": []}, receive)
        waiting = asyncio.create_task(cancel_on_disconnect(request, work()))
        await begun.wait()
        hung_up.set()
        with pytest.raises(ClientGoneError):
            await waiting
        assert stopped.is_set()

    asyncio.run(hang_up())


def test_a_drawing_is_that_of_the_library(client: TestClient) -> None:
    game = play_moves(client, create_game(client), "Ed5ne", "Tl5s", "d5-d6ne")
    position = Position()
    for text in ("Ed5ne", "Tl5s", "d5-d6ne"):
        position.push(text)
    drawn = client.get(f"{API}/games/{game['id']}/picture.svg")
    assert drawn.text == picture.svg(position, last_move=position.moves[-1])  # with the arrow from where it came
    earlier = client.get(f"{API}/games/{game['id']}/picture.svg", params={"ply": 0})
    assert earlier.text == picture.svg(Position())


def test_an_unchanged_picture_is_not_sent_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    game = create_game(client)
    path = f"{API}/games/{game['id']}/picture.svg"
    first = client.get(path)
    services = client.app.state.services  # type: ignore[attr-defined]
    with monkeypatch.context() as idle:
        idle.setattr(services.get(Pictures), "draw", None)  # not even looked for
        again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"") and again.headers["etag"] == first.headers["etag"]
    assert client.get(path, params={"theme": "dark"}).headers["etag"] != first.headers["etag"]
    play_moves(client, game, "Ed5ne")
    assert client.get(path, headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_a_full_queue_says_when_to_try_again(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise QueueFullError

    services = client.app.state.services  # type: ignore[attr-defined]
    monkeypatch.setattr(services.get(Pictures)._pool, "run", full)
    answer = client.get(f"{API}/picture.png", params={"position": "standard b wTb9ne"})
    assert error_of((answer.status_code, answer.json())) == (429, "busy")
    assert int(answer.headers["retry-after"]) > 0
