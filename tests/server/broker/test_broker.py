"""Messages between processes: they arrive in order, and again after an outage of Redis; leases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from tests.databases import Redis, free_port
from tests.polling import POLL_SECONDS, wait_until_async

from punct.server.broker import open_broker
from punct.server.broker.broker import BrokerError, LocalBroker
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


def note(heard: list[tuple[str, bytes]], topic: str, message: bytes) -> None:
    heard.append((topic, message))


def test_messages_arrive_in_order_at_other_processes(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis, 3) as (one, other, third):
            heard: dict[str, list[tuple[str, bytes]]] = {"one": [], "other": [], "third": []}
            for name, broker in zip(heard, (one, other, third), strict=True):
                broker.on_message("game:", partial(note, heard[name]))
            await one.subscribe("game:a")
            await other.subscribe("game:a")
            await third.subscribe("game:b")
            for number in range(500):
                one.publish("game:a", b"%d" % number)
            one.publish("game:b", b"\0 with spaces \xff")
            await wait_until_async(lambda: len(heard["other"]) == 500 and bool(heard["third"]))
            assert heard["other"] == [("game:a", b"%d" % number) for number in range(500)]
            assert heard["third"] == [("game:b", b"\0 with spaces \xff")] and heard["one"] == []
            other.unsubscribe("game:a")
            await other.subscribe("game:c")
            one.publish("game:a", b"unheard")
            one.publish("game:c", b"heard")
            await wait_until_async(lambda: len(heard["other"]) == 501)
            assert heard["other"][-1] == ("game:c", b"heard")

    asyncio.run(test())


def test_a_topic_with_two_subscribers_is_unsubscribed_with_the_last(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[bytes] = []
            other.on_message("game:", lambda _, message: heard.append(message))
            await asyncio.gather(other.subscribe("game:a"), other.subscribe("game:a"))
            other.unsubscribe("game:a")
            one.publish("game:a", b"still")
            await wait_until_async(lambda: heard == [b"still"])

    asyncio.run(test())


def test_all_topics_are_subscribed_again_after_an_outage_of_redis(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[bytes] = []
            back: list[str] = []
            other.on_message("game:", lambda _, message: heard.append(message))
            other.on_reconnect(lambda: back.append("back"))
            await other.subscribe("game:a")
            for times in range(1, 3):
                redis.kill()
                assert not await other.is_reachable()
                await other.subscribe(f"game:{times}")  # while it is away: certain as soon as it is back
                one.publish("game:a", b"while away")  # kept for a while
                redis.start()
                await wait_until_async(lambda times=times: len(back) == times)  # type: ignore[misc]
                one.publish(f"game:{times}", b"new")
                await wait_until_async(lambda: bool(heard) and heard[-1] == b"new")
                assert await other.is_reachable()

    asyncio.run(test())


def test_one_process_at_a_time_holds_a_lease(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            assert await one.acquire_lease("think:a", 30) and await one.acquire_lease("think:a", 30)
            assert not await other.acquire_lease("think:a", 30)
            await other.release_lease("think:a")
            assert not await other.acquire_lease("think:a", 30)
            await one.release_lease("think:a")
            assert await other.acquire_lease("think:a", 0.05)
            while not await one.acquire_lease("think:a", 30):  # whoever vanishes holds nothing for long
                await asyncio.sleep(POLL_SECONDS)

    asyncio.run(test())


def test_the_local_broker_publishes_to_nobody() -> None:
    async def test() -> None:
        broker = open_broker(None)
        assert isinstance(broker, LocalBroker) and not broker.is_shared
        await broker.start()
        await broker.subscribe("game:a")
        broker.publish("game:a", b"")
        broker.unsubscribe("game:a")
        assert await broker.acquire_lease("a", 1) and await broker.is_reachable()
        await broker.close()

    asyncio.run(test())


def test_an_unreachable_address_is_reported_without_its_password() -> None:
    async def test() -> None:
        for address in (f"redis://:pass-word@127.0.0.1:{free_port()}/0", "pass-word"):
            with pytest.raises(BrokerError, match="Redis") as told:
                await open_broker(address).start()
            assert "pass-word" not in str(told.value)

    asyncio.run(test())


def test_a_subscription_after_an_unsubscription_receives_messages(redis: Redis) -> None:
    """Pages that are loaded again leave a topic and follow it in the same moment, often several at once."""
    topics = [f"game:{number}" for number in range(200)]

    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[tuple[str, bytes]] = []
            other.on_message("game:", partial(note, heard))

            async def reload(topic: str, times: int) -> None:
                await other.subscribe(topic)
                for _ in range(times):
                    other.unsubscribe(topic)
                    await other.subscribe(topic)
                one.publish(topic, b"moved")

            await asyncio.gather(*(reload(topic, 1 + number % 5) for number, topic in enumerate(topics)))
            await other.subscribe("game:last")
            one.publish("game:last", b"end")  # messages come in their order: nothing more follows
            await wait_until_async(lambda: ("game:last", b"end") in heard)
            assert sorted(topic for topic, _ in heard[:-1]) == sorted(topics)

    asyncio.run(test())


def test_an_unsubscribed_topic_receives_no_messages(redis: Redis) -> None:
    async def test() -> None:
        async with brokers(redis) as (one, other):
            heard: list[tuple[str, bytes]] = []
            other.on_message("game:", partial(note, heard))
            for _ in range(5):
                await other.subscribe("game:a")
                other.unsubscribe("game:a")
            interrupted = asyncio.create_task(other.subscribe("game:b"))
            await asyncio.sleep(0)
            interrupted.cancel()
            await asyncio.gather(interrupted, return_exceptions=True)
            await other.subscribe("game:c")
            for topic in ("game:a", "game:b", "game:c"):
                one.publish(topic, b"moved")
            await wait_until_async(lambda: bool(heard))
            assert heard == [("game:c", b"moved")]

    asyncio.run(test())


def test_a_reply_to_an_earlier_command_confirms_no_subscription() -> None:
    async def test() -> None:
        topics = Subscriptions()
        topics.add("a")
        assert topics.take_difference() == (["a"], [])
        topics.remove("a")
        assert topics.take_difference() == ([], ["a"])
        topics.add("a")
        topics.remove("a")
        topics.add("a")
        assert topics.take_difference() == (["a"], [])
        for _ in range(2):
            topics.confirm("a")
            assert not topics.is_confirmed("a")
        topics.confirm("a")
        assert topics.is_confirmed("a")
        await topics.wait_until_confirmed("a")
        topics.reset()  # the connection was lost
        assert not topics.is_confirmed("a") and topics.take_difference() == (["a"], [])

    asyncio.run(test())


def test_nobody_waits_for_a_topic_dropped_before_its_confirmation() -> None:
    async def test() -> None:
        topics = Subscriptions()
        for wanted in range(2):
            topics.add("a")
            assert len(topics._confirmations) == 0, wanted
            waiting = asyncio.create_task(topics.wait_until_confirmed("a"))
            await asyncio.sleep(0)
            assert len(topics._confirmations) == 1
            waiting.cancel()
            await asyncio.wait([waiting])
            topics.remove("a")
            assert not topics._confirmations
        topics.add("a")  # twice: one who leaves does not make the other wait in vain
        topics.add("a")
        waiting = asyncio.create_task(topics.wait_until_confirmed("a"))
        await asyncio.sleep(0)
        topics.remove("a")
        assert topics.take_difference() == (["a"], [])
        topics.confirm("a")
        await waiting
        assert not topics._confirmations

    asyncio.run(test())
