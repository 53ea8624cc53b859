"""What the outbox tells players who are away: from the move's transaction to the message, whatever happens between."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import Browser
from tests.server.two_player_games import ManualClock, json_of, play_moves, run_timekeeper, start_and_play, start_game

from punct.server.app import create_app
from punct.server.db.database import Connection, open_database
from punct.server.db.outbox import Notice, NoticeKind, add_notices
from punct.server.notifications.model import (
    Channel,
    Delivered,
    Delivery,
    Failed,
    Message,
    NoticeSettings,
    SendResult,
    StoredNotice,
    TargetGone,
)
from punct.server.notifications.service import FIRST_RETRY, LEASE, MAX_AGE, Notifications
from punct.server.notifications.store import NotificationStore
from punct.server.timekeeping.heartbeat import Heartbeat
from punct.server.workers.pool import JobNotStartedError

Ending = Literal["arrives", "waits for a worker", "hangs"]


class ListChannel(Channel):
    """Delivers to a list: one target a player."""

    name = "list"

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, str]] = []
        self.result: SendResult = Delivered()
        self.forgotten: list[str] = []

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        return [f"of {player_id}"]

    async def send(self, delivery: Delivery) -> SendResult:
        await asyncio.sleep(0)
        self.sent.append((delivery.target, delivery.kind, delivery.payload["body"]))
        return self.result

    async def forget(self, target: str) -> None:
        self.forgotten.append(target)


class Server:
    """A server whose notifications a test sends by hand, at the times it wants."""

    def __init__(self, client: TestClient, clock: ManualClock) -> None:
        self.client, self.clock, self.channel = client, clock, ListChannel()
        self.notifications: Notifications = client.app.state.services.get(Notifications)  # type: ignore[attr-defined]
        self.notifications.add_channel(self.channel)
        self.white, self.black = Browser(client), Browser(client)

    def work(self) -> list[tuple[str, str]]:
        """Send what is due; return who was told what."""
        self.channel.sent.clear()
        assert self.client.portal is not None
        self.client.portal.call(self.notifications.work)
        names = {f"of {browser.me()['id']}": letter for browser, letter in ((self.white, "w"), (self.black, "b"))}
        return [(names[target], kind) for target, kind, _ in self.channel.sent]

    def add_notice(self, notice: Notice) -> None:
        """Store a notice as a change of its own."""
        database = self.notifications.store.database
        database.change(lambda connection: add_notices(connection, [notice], self.clock())).result()


@pytest.fixture
def server(store_url: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield Server(client, clock)


def test_players_are_told_what_they_do_not_know(server: Server) -> None:
    game = start_game(server.white, server.black, time="3d", rules="basic")
    assert server.work() == [("w", "seat")]
    game = play_moves(game, (server.white, "Ed5ne"))
    assert server.work() == []  # Black may be at the board
    server.clock.advance(seconds=30)
    assert server.work() == [("b", "turn")]
    assert server.work() == []
    play_moves(game, (server.black, "Tl10n"))
    server.clock.advance(seconds=30)
    assert server.work() == [("w", "turn")]


def test_what_is_no_longer_so_is_not_told(server: Server) -> None:
    game = start_game(server.white, server.black, time="3d", rules="basic")
    server.work()
    play_moves(game, (server.white, "Ed5ne"), (server.black, "Tl10n"), (server.white, "Mb3n"))
    server.clock.advance(seconds=30)
    assert server.work() == [("b", "turn")]


def test_a_reminder_comes_before_the_time_is_up(server: Server) -> None:
    start_and_play(server.white, server.black, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    server.work()
    server.clock.advance(days=2)
    assert server.work() == []
    server.clock.advance(hours=6)
    assert server.work() == [("w", "time")]
    assert server.work() == []
    server.clock.advance(hours=19)
    server.work()
    run_timekeeper(server.client)
    assert sorted(server.work()) == [("b", "over"), ("w", "over")]


def test_a_game_that_never_began_is_called_off_and_told(server: Server) -> None:
    start_game(server.white, server.black, time="1d")
    server.work()
    server.clock.advance(days=3, hours=1)
    run_timekeeper(server.client)
    assert sorted(server.work()) == [("b", "aborted"), ("w", "aborted")]


def test_offers_and_resignations_are_told_to_the_other(server: Server) -> None:
    game = start_and_play(server.white, server.black, time="3d", rules="basic")
    server.clock.advance(minutes=1)
    server.work()
    json_of(server.white.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
    assert server.work() == [("b", "offer")]
    json_of(server.black.post(f"/games/{game['id']}/resign"))
    assert server.work() == [("w", "over")]


def test_live_games_tell_only_that_they_have_begun(server: Server) -> None:
    start_and_play(server.white, server.black, time="5+3", rules="basic")
    server.clock.advance(minutes=1)
    assert server.work() == [("w", "seat")]


def test_what_could_not_be_delivered_is_tried_again_and_dropped_in_the_end(server: Server) -> None:
    start_game(server.white, server.black, time="3d")
    server.channel.result = Failed("no answer")
    assert server.work() == [("w", "seat")]
    assert server.work() == []
    server.clock.advance(seconds=FIRST_RETRY.total_seconds() + 1)
    assert server.work() == [("w", "seat")]
    server.channel.result = Failed("busy", retry_after=timedelta(hours=1))
    server.clock.advance(minutes=30)
    assert server.work() == [("w", "seat")]
    server.clock.advance(minutes=59)
    assert server.work() == []
    server.clock.advance(minutes=2)
    server.channel.result = Failed("never", is_final=True)
    assert server.work() == [("w", "seat")]
    server.clock.advance(seconds=MAX_AGE.total_seconds())
    assert ("w", "seat") not in server.work()


def test_a_further_attempt_tells_nothing_that_is_over(server: Server) -> None:
    """The channel was down, or the process killed: meanwhile the player has moved, and needs no message about it."""
    game = start_game(server.white, server.black, time="3d", rules="basic")
    server.work()
    game = play_moves(game, (server.white, "Ed5ne"))
    server.clock.advance(seconds=30)
    server.channel.result = Failed("no answer")
    assert server.work() == [("b", "turn")]
    server.channel.result = Delivered()
    game = play_moves(game, (server.black, "Tl10n"))
    server.clock.advance(hours=1)
    assert server.work() == [("w", "turn")]
    server.channel.result = Failed("no answer")
    json_of(server.white.post(f"/games/{game['id']}/offers", {"kind": "draw"}))
    assert server.work() == [("b", "offer")]
    server.channel.result = Delivered()
    json_of(server.black.delete(f"/games/{game['id']}/offers"))
    server.clock.advance(hours=1)
    assert server.work() == []
    server.clock.advance(days=2, hours=6)
    server.channel.result = Failed("no answer")
    assert server.work() == [("w", "time")]
    server.channel.result = Delivered()
    server.clock.advance(minutes=1)
    assert server.work() == [("w", "time")]  # still so


def test_a_target_that_is_gone_is_forgotten(server: Server) -> None:
    start_game(server.white, server.black, time="3d")
    server.channel.result = TargetGone()
    assert server.work() == [("w", "seat")]
    assert server.channel.forgotten == [f"of {server.white.me()['id']}"]
    server.clock.advance(hours=1)
    assert server.work() == []


def test_a_delivery_whose_process_was_killed_is_sent_by_another(server: Server) -> None:
    start_game(server.white, server.black, time="3d")
    assert server.client.portal is not None
    server.client.portal.call(server.notifications._expand_due)
    store = server.notifications.store
    (delivery,) = store.due_deliveries(server.clock(), LEASE, server.channel.name)
    assert store.claim(delivery, server.clock()).result()  # by a process that is killed then
    assert server.work() == []
    server.clock.advance(seconds=LEASE.total_seconds() + 1)
    assert server.work() == [("w", "seat")]


def test_what_another_process_has_just_tried_waits(server: Server) -> None:
    """Two processes have read the same deliveries; when the second gets to one, the first has failed to send it."""
    start_game(server.white, server.black, time="3d")
    assert server.client.portal is not None
    server.client.portal.call(server.notifications._expand_due)
    store, now = server.notifications.store, server.clock()
    (read,) = store.due_deliveries(now, LEASE, server.channel.name)
    assert store.claim(read, now).result()
    store.retry_later(read, now + FIRST_RETRY, 1).result()
    assert not store.claim(read, now).result()
    assert [
        (delivery.attempts, delivery.claimed)
        for delivery in store.due_deliveries(now + FIRST_RETRY, LEASE, server.channel.name)
    ] == [(1, None)]  # and its attempts are counted as before
    assert store.claim(read, now + FIRST_RETRY).result()


class UnfinishedChannel(ListChannel):
    """Is sending when the server begins to end, and then goes on as a test wants."""

    name = "push"

    def __init__(self, ending: Ending) -> None:
        super().__init__()
        self._ending, self._begins_to_end = ending, asyncio.Event()
        self.is_sending = threading.Event()

    async def send(self, delivery: Delivery) -> SendResult:
        self.is_sending.set()
        await self._begins_to_end.wait()
        match self._ending:
            case "arrives":
                return await super().send(delivery)
            case "waits for a worker":
                raise JobNotStartedError
            case "hangs":
                await asyncio.Event().wait()
        raise AssertionError(self._ending)

    def refuse_waiting(self) -> None:
        self._begins_to_end.set()


@pytest.mark.parametrize("ending", get_args(Ending))
def test_a_server_that_ends_cuts_no_message_off(
    store_url: Any, monkeypatch: pytest.MonkeyPatch, ending: Ending
) -> None:
    """What was being sent has arrived, what was not begun is due as before, and what hangs counts as a failure."""
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 0.01)
    monkeypatch.setattr("punct.server.notifications.service.FINISH_SECONDS", 0.2 if ending == "hangs" else 60.0)
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        assert client.portal is not None
        notifications: Notifications = client.app.state.services.get(Notifications)  # type: ignore[attr-defined]
        channel = client.portal.call(UnfinishedChannel, ending)
        notifications.add_channel(channel)
        start_game(Browser(client), Browser(client), time="3d")
        channel.is_sending.wait()
    assert len(channel.sent) == (ending == "arrives")
    database = open_database(store_url)
    try:
        store = NotificationStore(database)
        due = [
            [delivery.attempts for delivery in store.due_deliveries(at, LEASE, channel.name)]
            for at in (clock.time, clock.time + FIRST_RETRY)
        ]
    finally:
        database.close()
    assert due == {"arrives": [[], []], "waits for a worker": [[0], [0]], "hangs": [[], [1]]}[ending]


def test_another_package_adds_the_words_of_its_own_kind(server: Server) -> None:
    game = start_game(server.white, server.black, time="3d", rules="basic")
    server.work()

    async def write(notice: StoredNotice, settings: NoticeSettings, now: datetime) -> Message | None:
        return Message(notice.kind, notice.subject, "Dropped", settings.language, "/", now, notice.subject)

    notice = Notice(server.white.me()["id"], "plan", game["id"], server.clock())
    server.add_notice(notice)
    assert server.work() == []  # nobody can put it into words: it is dropped
    server.notifications.add_writer("plan", write)
    server.add_notice(notice)
    assert server.work() == [("w", "plan")]
