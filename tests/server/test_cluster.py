"""Several processes as one server: on one database, told by one Redis, with work done by whoever has time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.services import Postgresql, Redis

from punct import Position, kernel
from punct.errors import PunctError, WrongTypeError
from punct.server.api.app import create_app
from punct.server.api.errors import rules_error
from punct.server.broker.jobs import RemotePool
from punct.server.broker.redis import RedisBroker
from punct.server.broker.refusals import packed, unpacked
from punct.server.broker.workshop import Workshop
from punct.server.workers import draw, think
from punct.server.workers.draw import Draw
from punct.server.workers.pool import Pool, WorkError
from punct.server.workers.process import Bounds
from punct.server.workers.think import Progress, Think

from .helpers import API, begin, look, play, post, refusal

ENGINE = {"type": "engine", "level": 1}


@contextmanager
def workshop(address: str) -> Iterator[None]:
    """Have thinking and drawing done in a thread with an event loop of its own, as another program would."""
    ready, loop, end = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def work() -> None:
        broker = RedisBroker(address)
        await broker.start()
        shops = [
            Workshop(address, broker, Think, Pool(think.BOUNDS, 1, preload="punct.engine")),
            Workshop(address, broker, Draw, Pool(draw.BOUNDS, 1, preload="punct.server.workers.draw")),
        ]
        tasks = [asyncio.create_task(shop.run()) for shop in shops]
        ready.set()
        await end.wait()
        for shop in shops:
            shop.end()
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


@contextmanager
def servers(postgresql: Postgresql, redis: Redis, number: int = 2) -> Iterator[list[TestClient]]:
    address = postgresql.new_database()
    with ExitStack() as stack:
        yield [stack.enter_context(TestClient(create_app(address, broker_url=redis.address()))) for _ in range(number)]


def test_who_watches_in_one_process_sees_what_is_played_in_another(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):
        game = begin(one)
        with (
            one.websocket_connect(f"{API}/games/{game['id']}/live") as here,
            other.websocket_connect(f"{API}/games/{game['id']}/live") as there,
        ):
            assert here.receive_json()["game"] == there.receive_json()["game"] == game
            for player, text in ((one, "Ed5ne"), (other, "Tl5s"), (other, "d5-d6ne"), (one, "l5-l6s")):
                game = play(player, game, text)
                assert here.receive_json()["game"] == there.receive_json()["game"] == game == look(one, game)
            assert other.delete(f"{API}/games/{game['id']}").status_code == 204
            assert here.receive_json()["type"] == there.receive_json()["type"] == "gone"


def test_what_was_missed_while_redis_was_away_is_made_up_for(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):
        game = begin(one)
        with other.websocket_connect(f"{API}/games/{game['id']}/live") as there:
            assert there.receive_json()["type"] == "game"
            redis.kill()
            try:
                game = play(one, game, "Ed5ne", "Tl5s")  # nobody needs Redis to play
            finally:
                redis.start()
            while (message := there.receive_json())["game"]["ply"] < 2:
                pass
            assert message["game"] == game
            game = play(one, game, "d5-d6ne")
            while (message := there.receive_json())["game"]["ply"] < 3:
                pass


def test_an_engine_thinks_elsewhere_once_and_whoever_watches_is_told(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis, 3) as clients, workshop(redis.address()):
        game = begin(clients[0], seats={"b": ENGINE})
        with clients[1].websocket_connect(f"{API}/games/{game['id']}/live") as there:
            assert there.receive_json()["type"] == "game"
            game = play(clients[2], game, "Ed5ne")
            told = []
            while (message := there.receive_json())["type"] != "game" or message["game"]["ply"] < 2:
                told.append(message["type"])
            assert "thinking" in told
        assert len(look(clients[0], message["game"])["turns"]) == 2
        svg = clients[0].get(f"{API}/games/{game['id']}/picture.svg")
        assert svg.status_code == 200 and svg.text.startswith("<svg")


def test_only_one_process_claims_a_move(postgresql: Postgresql, redis: Redis) -> None:
    """A process that looks for games somebody left does not think where another one does already."""
    with servers(postgresql, redis) as (one, other):
        game = play(one, begin(one, seats={"b": ENGINE}), "Ed5ne")  # nobody works: it waits
        opponents = other.app.state.services.opponents  # type: ignore[attr-defined]
        thinks = one.app.state.services.opponents  # type: ignore[attr-defined]
        assert other.portal is not None

        async def resume() -> None:
            async with asyncio.timeout(60):
                while not await opponents._broker.is_claimed(f"think:{game['id']}:{game['revision']}"):
                    await asyncio.sleep(0.01)  # the first has been told, but may not have begun
                await opponents.resume()
                while opponents._tasks:
                    await asyncio.sleep(0.01)

        other.portal.call(resume)
        assert list(thinks._tasks) == [game["id"]] and not opponents._tasks
        assert opponents._states[game["id"]][1].state == "thinking"  # elsewhere
        with workshop(redis.address()), one.websocket_connect(f"{API}/games/{game['id']}/live") as live:
            while (message := live.receive_json())["type"] != "game" or message["game"]["ply"] < 2:
                pass


def run_remotely(redis: Redis, test: Any) -> None:
    async def within() -> None:
        async with asyncio.timeout(60):
            broker = RedisBroker(redis.address())
            await broker.start()
            pool = RemotePool(broker, Think, think.BOUNDS)
            try:
                await test(pool)
            finally:
                await pool.close()
                await broker.close()

    asyncio.run(within())


def test_progress_and_answers_travel(redis: Redis) -> None:
    async def test(pool: RemotePool) -> None:
        started: list[int] = []
        news: list[Progress] = []
        thought = await pool.run(Think("standard w", ("Ed5ne",), 8), lambda: started.append(1), news.append)
        assert thought.move and isinstance(thought.pv, tuple) and started == [1]
        assert news and all(isinstance(each, Progress) for each in news) and pool.waiting == 0
        with pytest.raises(Exception, match="Zd5ne"):
            await pool.run(Think("standard w", ("Zd5ne",), 1))

    with workshop(redis.address()):
        run_remotely(redis, test)


def test_what_nobody_needs_any_more_is_not_done(redis: Redis) -> None:
    async def test(pool: RemotePool) -> None:
        waiting = asyncio.create_task(pool.run(Think("standard w", (), 1)))
        while await pool.length() != 1:
            await asyncio.sleep(0.01)
        assert pool.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        while await pool.length() != 0:
            await asyncio.sleep(0.01)
        assert pool.waiting == 0

    run_remotely(redis, test)


def test_work_that_the_queue_has_lost_is_told(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    from punct.server.broker import jobs

    monkeypatch.setattr(jobs, "_LOOK_SECONDS", 0.2)

    async def test(pool: RemotePool) -> None:
        waiting = asyncio.create_task(pool.run(Think("standard w", (), 1)))
        while await pool.length() != 1:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(redis.kill)
        await asyncio.to_thread(redis.start)  # it kept nothing
        with pytest.raises(WorkError, match="lost"):
            await waiting
        await asyncio.to_thread(redis.kill)
        try:
            with pytest.raises(WorkError, match="reached"):
                await pool.run(Think("standard w", (), 1))
        finally:
            await asyncio.to_thread(redis.start)

    run_remotely(redis, test)


def test_every_process_says_that_an_engine_thinks(postgresql: Postgresql, redis: Redis) -> None:
    with servers(postgresql, redis) as (one, other):  # and nobody who would do the thinking
        game = begin(one, seats={"b": ENGINE})
        assert look(other, game)["thinking"]["state"] == "idle"
        game = play(one, game, "Ed5ne")
        assert look(one, game)["thinking"]["state"] == "queued"
        told = look(other, game)["thinking"]
        assert (told["state"], told["colour"], told["level"]) == ("thinking", "b", 1)
        assert one.post(f"{API}/games/{game['id']}/undo", json={}).status_code == 200
        assert look(other, game)["thinking"]["state"] == "idle"


@pytest.mark.parametrize(
    ("params", "code", "detail"),
    [
        ({"position": "standard w wTa9n"}, "invalid_position", {"fault": "space", "token": "a9"}),
        ({"position": "standard w wTd5n wEd5n"}, "invalid_position", {"fault": "support", "token": "wEd5n"}),
        ({"position": "chess w"}, "invalid_position", {"fault": "beginning", "token": "chess"}),
    ],
)
def test_what_is_wrong_with_a_picture_is_told_as_at_home(
    client: TestClient,
    postgresql: Postgresql,
    redis: Redis,
    params: dict[str, str],
    code: str,
    detail: dict[str, str],
) -> None:
    at_home = client.get(f"{API}/picture.svg", params=params)
    assert refusal((at_home.status_code, at_home.json())) == (422, code)
    assert at_home.json()["error"]["detail"] == detail
    with servers(postgresql, redis, 1) as (one,), workshop(redis.address()):
        answer = one.get(f"{API}/picture.svg", params=params)
    assert (answer.status_code, answer.json()) == (at_home.status_code, at_home.json())


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
def test_a_refusal_is_the_same_after_its_journey(start: str, turn: str) -> None:
    for position in (Position, kernel.Position):
        with pytest.raises(PunctError) as met:
            position(start).push(turn)
        there = unpacked(json.loads(json.dumps(packed(met.value))))
        assert type(there) is met.type and str(there) == str(met.value)
        assert rules_error(there) == rules_error(met.value)
    assert str(unpacked(packed(WrongTypeError("a level is a number")))) == "a level is a number"


def test_work_that_nobody_takes_is_waited_for_no_longer_than_it_may_take(
    postgresql: Postgresql, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    with servers(postgresql, redis, 1) as (one,):  # and nobody who works
        services = one.app.state.services  # type: ignore[attr-defined]
        pools = services.pictures._pool, services.opponents._pool
        for pool in pools:
            monkeypatch.setattr(pool, "bounds", Bounds(seconds=0.3))
        game = begin(one)
        drawn = one.get(f"{API}/picture.svg", params={"position": "standard w"})
        assert refusal((drawn.status_code, drawn.json())) == (503, "work_failed")
        hint = post(one, game, "hint")
        assert refusal(hint) == (503, "engine_failed")
        for told in (drawn.json(), hint[1]):
            assert "Nobody has had time for this within 0.3 seconds" in told["error"]["message"]
        assert one.portal is not None
        for pool in pools:
            assert pool.waiting == 0
            while one.portal.call(pool.length):  # nor is it done later, for nobody
                pass
        # A seat waits however long it takes.
        computer = play(one, begin(one, seats={"b": ENGINE}), "Ed5ne")
        one.portal.call(asyncio.sleep, 0.6)
        assert look(one, computer)["thinking"]["state"] == "queued"
