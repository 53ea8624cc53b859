"""What players who are away are told of challenges, and of seats as they want them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import Browser, create_account, error_of
from tests.server.two_player_games import ManualClock, json_of

from punct.server.app import create_app
from punct.server.challenges import alerts
from punct.server.db.database import Connection
from punct.server.db.outbox import NoticeKind
from punct.server.notifications.model import Channel, Delivered, Delivery, SendResult
from punct.server.notifications.service import Notifications
from punct.server.timekeeping.heartbeat import Heartbeat


class ListChannel(Channel):
    """Delivers to a list: one target a player."""

    name = "list"

    def __init__(self) -> None:
        self.sent: list[Delivery] = []

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        return [player_id]

    async def send(self, delivery: Delivery) -> SendResult:
        await asyncio.sleep(0)
        self.sent.append(delivery)
        return Delivered()

    async def forget(self, target: str) -> None:
        raise AssertionError(target)


class Server:
    """A server whose notifications a test sends by hand, at the times it wants."""

    def __init__(self, client: TestClient, clock: ManualClock) -> None:
        self.client, self.clock, self.channel = client, clock, ListChannel()
        self.notifications: Notifications = client.app.state.services.get(Notifications)  # type: ignore[attr-defined]
        self.notifications.add_channel(self.channel)

    def account(self, name: str) -> Browser:
        return create_account(lambda: Browser(self.client), name=name)[0]

    def work(self, times: int = 1) -> list[Delivery]:
        """Send what is due; return what was sent."""
        self.channel.sent.clear()
        assert self.client.portal is not None
        for _ in range(times):
            self.client.portal.call(self.notifications.work)
        return self.channel.sent[:]


@pytest.fixture
def server(store_url: Path | str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield Server(client, clock)


def test_challenges_and_their_answers_are_told(server: Server) -> None:
    anna, ben = server.account("Anna"), server.account("Ben")
    ben.send("PATCH", "/me", {"settings": {"language": "de"}})
    made = json_of(anna.post("/challenges", {"to": ben.me()["id"], "time": "3d"}), 201)
    (told,) = server.work()
    assert (told.player_id, told.kind, told.subject) == (ben.me()["id"], "challenge", made["id"])
    assert told.payload["title"] == "Anna lädt dich zu einer Partie ein"
    assert told.payload["path"] == f"/join/{made['id']}"
    ben.post(f"/challenges/{made['id']}/decline", {"words": "Maybe in June."})
    (told,) = server.work()
    assert (told.player_id, told.kind, told.payload["title"]) == (anna.me()["id"], "declined", "Ben has declined")
    assert told.payload["body"] == "Maybe in June."
    made = json_of(anna.post("/challenges", {"to": ben.me()["id"], "time": "3d"}), 201)
    server.work()
    answer = json_of(ben.post("/challenges", {"to": anna.me()["id"], "replaces": made["id"], "time": "7d"}), 201)
    (told,) = server.work()
    assert (told.player_id, told.kind, told.subject) == (anna.me()["id"], "declined", answer["id"])
    assert told.payload["title"] == "Ben proposes other terms"


def test_who_is_blocked_is_heard_no_more(server: Server) -> None:
    """Neither by a challenge that is on its way, nor by the words of an answer, nor by a seat."""
    anna, ben = server.account("Anna"), server.account("Ben")
    to_ben, to_anna = {"to": ben.me()["id"], "time": "3d"}, {"to": anna.me()["id"], "time": "3d"}
    sent, unread = json_of(anna.post("/challenges", to_ben), 201), json_of(anna.post("/challenges", to_ben), 201)
    assert len(server.work()) == 2
    json_of(ben.post(f"/challenges/{unread['id']}/decline", {"words": "Coward!"}))
    json_of(ben.post("/challenges", to_anna), 201)
    anna.send("PUT", f"/players/{ben.me()['id']}/relation", {"kind": "block"})
    declined = json_of(ben.post(f"/challenges/{sent['id']}/decline", {"words": "Coward!"}))
    assert declined["declined"] and declined["words"] == "Coward!"  # nothing tells Ben that nobody hears it
    assert server.work() == []
    shown = {each["id"]: each["words"] for each in json_of(anna.get("/me/challenges"))["sent"]}
    assert shown[sent["id"]] is None and sent["id"] in shown


def test_nobody_is_told_of_a_challenge_that_is_gone(server: Server) -> None:
    anna, ben = server.account("Anna"), server.account("Ben")
    for answer in ("withdraw", "decline", "accept"):
        made = json_of(anna.post("/challenges", {"to": ben.me()["id"], "time": "3d"}), 201)
        if answer == "withdraw":
            anna.delete(f"/challenges/{made['id']}")
        else:
            assert ben.post(f"/challenges/{made['id']}/{answer}").is_success
        assert "challenge" not in [delivery.kind for delivery in server.work()]


def test_players_are_told_of_seats_as_they_want_them(server: Server) -> None:
    anna, ben, cara, dan, eve = map(server.account, ("Anna", "Ben", "Cara", "Dan", "Eve"))
    guest = Browser(server.client)
    guest.post("/me", {"name": "Guest"})
    json_of(ben.post("/me/seat-alerts", {"speed": "days"}), 201)
    json_of(ben.post("/me/seat-alerts", {"rules": "basic"}), 201)
    json_of(cara.post("/me/seat-alerts", {"speed": "live"}), 201)
    json_of(dan.post("/me/seat-alerts", {}), 201)
    json_of(anna.post("/me/seat-alerts", {}), 201)
    json_of(guest.post("/me/seat-alerts", {}), 201)
    json_of(eve.post("/me/seat-alerts", {"rated": True}), 201)
    dan.send("PUT", f"/players/{anna.me()['id']}/relation", {"kind": "block"})
    names = {browser.me()["id"]: browser.me()["name"] for browser in (anna, ben, cara, dan, eve, guest)}

    def offered(**terms: object) -> list[str]:
        json_of(anna.post("/challenges", {"listed": True, **terms}), 201)
        sent = server.work(2)
        assert {delivery.kind for delivery in sent} <= {"wanted"}
        return sorted(names[delivery.player_id] for delivery in sent)

    assert offered(time="3d", rules="basic") == ["Ben", "Guest"]
    assert offered(time="3d", rated=True) == ["Eve"]  # Ben was told already; guests play no rated games
    assert offered(time="5+3") == ["Cara"]
    assert offered(time="3d") == []
    server.clock.advance(hours=4, minutes=1)
    assert offered(time="3d") == ["Ben", "Guest"]
    json_of(anna.post("/challenges", {"time": "7d"}), 201)  # by link alone
    server.clock.advance(hours=5)
    assert server.work(2) == []
    server.clock.advance(days=31)
    assert offered(time="3d") == []
    assert json_of(ben.get("/me/seat-alerts")) == {"alerts": []}


def test_many_are_told_in_slices(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alerts, "SLICE", 2)
    anna = server.account("Anna")
    guests = [Browser(server.client) for _ in range(7)]
    for guest in guests:
        guest.post("/me", {"name": "Guest"})
        json_of(guest.post("/me/seat-alerts", {}), 201)
    json_of(anna.post("/challenges", {"listed": True}), 201)
    sent = server.work(2)
    assert sorted(delivery.player_id for delivery in sent) == sorted(guest.me()["id"] for guest in guests)


def test_alerts_are_few_and_their_owners(server: Server) -> None:
    anna, ben = server.account("Anna"), server.account("Ben")
    wishes = [{"speed": speed} for speed in ("live", "days", "none")] + [{"rules": "basic"}, {"rules": "standard"}]
    first, *_ = [json_of(anna.post("/me/seat-alerts", wish), 201) for wish in wishes]
    for wish in wishes[1:]:
        json_of(anna.post("/me/seat-alerts", wish), 201)  # the same once more: it begins anew
    assert error_of(anna.post("/me/seat-alerts", {"rated": True})) == (409, "too_many_alerts")
    assert len(json_of(anna.get("/me/seat-alerts"))["alerts"]) == 5
    assert json_of(ben.get("/me/seat-alerts")) == {"alerts": []}
    assert ben.delete(f"/me/seat-alerts/{first['id']}").status_code == 204  # not his: nothing happens
    assert len(json_of(anna.get("/me/seat-alerts"))["alerts"]) == 5
    assert anna.delete(f"/me/seat-alerts/{first['id']}").status_code == 204
    assert len(json_of(anna.get("/me/seat-alerts"))["alerts"]) == 4
    program = Browser(server.client)
    header = {"Authorization": f"Bearer {anna.token('play')['secret']}"}
    assert error_of(program.get("/me/seat-alerts", **header)) == (403, "not_in_scope")
    assert error_of(program.post("/me/seat-alerts", {}, **header)) == (403, "not_in_scope")
    assert error_of(program.get("/me/seat-alerts")) == (401, "stranger")
