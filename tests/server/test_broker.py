"""Between processes: what is followed is heard, in order, by the others, and again after Redis was away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

import pytest
from tests.services import Redis, free_port

from punct.server.broker import BrokerError, LocalBroker, open_broker
from punct.server.broker.redis import RedisBroker
from punct.server.broker.subscriptions import Subscriptions


@asynccontextmanager
async def brokers(redis: Redis, number: int = 2) -> AsyncIterator[list[RedisBroker]]:
    opened = [RedisBroker(redis.address()) for _ in range(number)]
    for broker in opened:
        await broker.start()
    try:
        yield opened
    finally:
        for broker in opened:
            await broker.close()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(60):
            await test()

    asyncio.run(within())


def note(heard: list[tuple[str, bytes]], topic: str, message: bytes) -> None:
    heard.append((topic, message))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def test_others_hear_what_they_follow_in_its_order(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis, 3) as (one, other, third):
            heard: dict[str, list[tuple[str, bytes]]] = {"one": [], "other": [], "third": []}
            for name, broker in zip(heard, (one, other, third), strict=True):
                broker.subscribe("game:", partial(note, heard[name]))
            await one.follow("game:a")
            await other.follow("game:a")
            await third.follow("game:b")
            for number in range(500):
                one.publish("game:a", b"%d" % number)
            one.publish("game:b", b"\0 with spaces \xff")
            await until(lambda: len(heard["other"]) == 500 and bool(heard["third"]))
            assert heard["other"] == [("game:a", b"%d" % number) for number in range(500)]
            assert heard["third"] == [("game:b", b"\0 with spaces \xff")] and heard["one"] == []
            other.leave("game:a")
            await other.follow("game:c")
            one.publish("game:a", b"unheard")
            one.publish("game:c", b"heard")
            await until(lambda: len(heard["other"]) == 501)
            assert heard["other"][-1] == ("game:c", b"heard")

    run(test)


def test_a_topic_followed_twice_is_left_with_the_second(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[bytes] = []
            other.subscribe("game:", lambda _, message: heard.append(message))
            await asyncio.gather(other.follow("game:a"), other.follow("game:a"))
            other.leave("game:a")
            one.publish("game:a", b"still")
            await until(lambda: heard == [b"still"])

    run(test)


def test_after_redis_was_away_everything_is_followed_again_and_told_so(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[bytes] = []
            back: list[str] = []
            other.subscribe("game:", lambda _, message: heard.append(message))
            other.when_back(lambda: back.append("back"))
            await other.follow("game:a")
            for times in range(1, 3):
                redis.kill()
                assert not await other.is_reachable()
                await other.follow(f"game:{times}")  # while it is away: certain as soon as it is back
                one.publish("game:a", b"while away")  # kept for a while
                redis.start()
                await until(lambda times=times: len(back) == times)  # type: ignore[misc]
                one.publish(f"game:{times}", b"new")
                await until(lambda: bool(heard) and heard[-1] == b"new")
                assert await other.is_reachable()

    run(test)


def test_one_process_at_a_time_claims(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            assert await one.claim("think:a", 30) and await one.claim("think:a", 30)
            assert not await other.claim("think:a", 30)
            await other.release("think:a")
            assert not await other.claim("think:a", 30)
            await one.release("think:a")
            assert await other.claim("think:a", 0.05)
            while not await one.claim("think:a", 30):  # whoever vanishes holds nothing for long
                await asyncio.sleep(0.01)

    run(test)


def test_a_process_alone_has_nobody_to_tell() -> None:
    async def test() -> None:
        broker = open_broker(None)
        assert isinstance(broker, LocalBroker) and not broker.is_shared
        await broker.start()
        await broker.follow("game:a")
        broker.publish("game:a", b"")
        broker.leave("game:a")
        assert await broker.claim("a", 1) and await broker.is_reachable()
        await broker.close()

    run(test)


def test_an_address_that_leads_nowhere_is_told_without_its_password() -> None:
    async def test() -> None:
        for address in (f"redis://:pass-word@127.0.0.1:{free_port()}/0", "pass-word"):
            with pytest.raises(BrokerError, match="Redis") as told:
                await open_broker(address).start()
            assert "pass-word" not in str(told.value)

    run(test)


def test_whoever_follows_last_is_heard_whatever_was_left_before(redis: Redis) -> None:
    """Pages that are loaded again leave a topic and follow it in the same moment, often several at once."""
    topics = [f"game:{number}" for number in range(200)]

    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[tuple[str, bytes]] = []
            other.subscribe("game:", partial(note, heard))

            async def reload(topic: str, times: int) -> None:
                await other.follow(topic)
                for _ in range(times):
                    other.leave(topic)
                    await other.follow(topic)
                one.publish(topic, b"moved")

            await asyncio.gather(*(reload(topic, 1 + number % 5) for number, topic in enumerate(topics)))
            await other.follow("game:last")
            one.publish("game:last", b"end")  # messages come in their order: nothing more follows
            await until(lambda: ("game:last", b"end") in heard)
            assert sorted(topic for topic, _ in heard[:-1]) == sorted(topics)

    run(test)


def test_a_topic_that_is_left_is_not_heard_however_often_it_was_followed(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[tuple[str, bytes]] = []
            other.subscribe("game:", partial(note, heard))
            for _ in range(5):
                await other.follow("game:a")
                other.leave("game:a")
            interrupted = asyncio.create_task(other.follow("game:b"))
            await asyncio.sleep(0)
            interrupted.cancel()
            await asyncio.gather(interrupted, return_exceptions=True)
            await other.follow("game:c")
            for topic in ("game:a", "game:b", "game:c"):
                one.publish(topic, b"moved")
            await until(lambda: bool(heard))
            assert heard == [("game:c", b"moved")]

    run(test)


def test_a_reply_to_an_earlier_command_makes_nobody_certain() -> None:
    async def test() -> None:
        topics = Subscriptions()
        topics.want("a")
        assert topics.take_difference() == (["a"], [])
        topics.drop("a")
        assert topics.take_difference() == ([], ["a"])
        topics.want("a")
        topics.drop("a")
        topics.want("a")
        assert topics.take_difference() == (["a"], [])
        for _ in range(2):
            topics.confirm("a")
            assert not topics.is_certain("a")
        topics.confirm("a")
        assert topics.is_certain("a")
        await topics.wait_until_certain("a")
        topics.begin()  # the connection was lost
        assert not topics.is_certain("a") and topics.take_difference() == (["a"], [])

    run(test)


def test_a_topic_dropped_before_it_is_certain_is_waited_for_no_more() -> None:
    async def test() -> None:
        topics = Subscriptions()
        for wanted in range(2):
            topics.want("a")
            assert len(topics._waiting) == 0, wanted
            waiting = asyncio.create_task(topics.wait_until_certain("a"))
            await asyncio.sleep(0)
            assert len(topics._waiting) == 1
            waiting.cancel()
            await asyncio.wait([waiting])
            topics.drop("a")
            assert not topics._waiting
        topics.want("a")  # twice: one who leaves does not make the other wait in vain
        topics.want("a")
        waiting = asyncio.create_task(topics.wait_until_certain("a"))
        await asyncio.sleep(0)
        topics.drop("a")
        assert topics.take_difference() == (["a"], [])
        topics.confirm("a")
        await waiting
        assert not topics._waiting

    run(test)
