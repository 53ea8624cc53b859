"""What players are told of dates: at once, before them, and if nobody came; in their language and time zone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from tests.server.appointments.meeting import Meeting
from tests.server.online_client import PROOF, Browser
from tests.server.two_player_games import json_of

from punct.server.db.database import Connection
from punct.server.db.outbox import NoticeKind
from punct.server.mail.model import AT_ONCE
from punct.server.notifications.model import Channel, Delivered, Delivery, Failed, SendResult
from punct.server.notifications.service import Notifications

EVENING = datetime(2027, 3, 28, 18, 30, tzinfo=UTC)
"""In Warsaw summer time has begun that morning: 20:30. In New York it is 14:30, in Tokyo the next day."""


class ListChannel(Channel):
    """Delivers to a list: one target a player."""

    name = "list"

    def __init__(self) -> None:
        self.sent: list[Delivery] = []
        self.is_down = False

    def targets(self, connection: Connection, player_id: str, kind: NoticeKind) -> list[str]:
        return [player_id]

    async def send(self, delivery: Delivery) -> SendResult:
        await asyncio.sleep(0)
        if self.is_down:
            return Failed("down")
        self.sent.append(delivery)
        return Delivered()

    async def forget(self, target: str) -> None:
        raise AssertionError(target)


class Post:
    """Delivers what is due when a test wants it."""

    def __init__(self, meeting: Meeting) -> None:
        self.meeting, self.channel = meeting, ListChannel()
        services = meeting.client.app.state.services  # type: ignore[attr-defined]
        self.notifications: Notifications = services.get(Notifications)
        self.notifications.add_channel(self.channel)

    def told(self) -> dict[str, list[tuple[str, str, str]]]:
        """Send what is due; return by player what they are told: kind, title and body."""
        self.channel.sent.clear()
        assert self.meeting.client.portal is not None
        self.meeting.client.portal.call(self.notifications.work)
        names = {browser.me()["id"]: name for name, browser in self.players.items() if browser.me()}
        told: dict[str, list[tuple[str, str, str]]] = {}
        for delivery in self.channel.sent:
            content = delivery.payload
            told.setdefault(names[delivery.player_id], []).append((delivery.kind, content["title"], content["body"]))
        return told

    @property
    def players(self) -> dict[str, Browser]:
        return {"Anna": self.meeting.anna, "Ben": self.meeting.ben}


@pytest.fixture
def post(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)
    meeting.clock.time = EVENING.replace(day=20)
    for browser, zone, language in ((meeting.anna, "Europe/Warsaw", "de"), (meeting.ben, "America/New_York", "en")):
        json_of(browser.send("PATCH", "/me/notifications", {"zone": zone, "language": language}))
    yield Post(meeting)


def test_a_date_from_the_proposal_to_the_reminders(meeting: Meeting, post: Post) -> None:
    made = meeting.propose(dates=[EVENING.isoformat()], words="Fine?")
    when_there, when_here = "Sun 2027-03-28, 14:30 (America/New York)", "So 2027-03-28, 20:30 (Europe/Warsaw)"
    assert post.told() == {"Ben": [("appointment", "Anna proposes a date for a game", when_there)]}
    (delivery,) = post.channel.sent
    assert delivery.payload["path"] == f"/date/{made['id']}" and delivery.subject == made["id"]
    json_of(meeting.ben.post(f"/appointments/{made['id']}/accept", {"date": EVENING.isoformat()}))
    assert post.told() == {
        "Anna": [("appointment", "Ben hat den Termin angenommen", f"Eure Partie: {when_here}")],
        "Ben": [("appointment", "Date agreed with Anna", f"Your game: {when_there}")],
    }
    meeting.go_to({"date": EVENING.isoformat()}, hours=-24, seconds=-1)
    assert post.told() == {}
    meeting.clock.advance(seconds=1)
    assert post.told() == {
        "Anna": [("reminder", "Erinnerung: deine Partie mit Ben", when_here)],
        "Ben": [("reminder", "Reminder: your game with Anna", when_there)],
    }
    meeting.go_to({"date": EVENING.isoformat()}, minutes=-15)
    assert {name: told[0][:2] for name, told in post.told().items()} == {
        "Anna": ("reminder", "Gleich: deine Partie mit Ben"),
        "Ben": ("reminder", "Soon: your game with Anna"),
    }
    meeting.go_to({"date": EVENING.isoformat()}, minutes=-5)
    for _ in range(3):  # she stays there: he is told once
        json_of(meeting.anna.send("PUT", f"/appointments/{made['id']}/here"))
    assert {name: [each[1] for each in told] for name, told in post.told().items()} == {"Ben": ["Anna is there"]}
    json_of(meeting.anna.delete(f"/appointments/{made['id']}/here"))
    json_of(meeting.anna.send("PUT", f"/appointments/{made['id']}/here"))
    assert post.told() == {}
    json_of(meeting.ben.send("PUT", f"/appointments/{made['id']}/here"))
    assert {name: [each[0] for each in told] for name, told in post.told().items()} == {"Anna": ["seat"]}
    meeting.go_to({"date": EVENING.isoformat()}, minutes=15)
    assert post.told() == {}  # it did begin


def test_both_are_told_that_it_did_not_begin(meeting: Meeting, post: Post) -> None:
    agreed = meeting.agree(dates=[EVENING.isoformat()])
    post.told()
    meeting.go_to(agreed, minutes=-15)
    post.told()
    meeting.go_to(agreed)
    json_of(meeting.ben.send("PUT", f"/appointments/{agreed['id']}/here"))
    assert list(post.told()) == ["Anna"]
    meeting.go_to(agreed, minutes=15)
    told = post.told()
    assert told["Ben"] == [
        (
            "appointment",
            "The game with Anna did not begin",
            "Not both of you were there: Sun 2027-03-28, 14:30 (America/New York). Nobody has lost anything.",
        )
    ]
    assert [each[1] for each in told["Anna"]] == ["Die Partie mit Ben hat nicht begonnen"]


def test_a_near_date_has_only_the_reminders_that_are_ahead(meeting: Meeting, post: Post) -> None:
    agreed = meeting.agree(dates=[meeting.date(minutes=40)])
    assert {kind for told in post.told().values() for kind, _, _ in told} == {"appointment"}
    meeting.go_to(agreed, minutes=-15)
    assert {kind for told in post.told().values() for kind, _, _ in told} == {"reminder"}


def test_late_reminders_are_dropped(meeting: Meeting, post: Post) -> None:
    """A server that was down tells nobody tomorrow's date after it, and nobody twice."""
    agreed = meeting.agree(dates=[EVENING.isoformat()])
    post.told()
    meeting.go_to(agreed, minutes=-3)
    assert {name: [each[1] for each in told] for name, told in post.told().items()} == {
        "Anna": ["Gleich: deine Partie mit Ben"],
        "Ben": ["Soon: your game with Anna"],
    }


def test_answers_are_told(meeting: Meeting, post: Post) -> None:
    made = meeting.propose(dates=[EVENING.isoformat()])
    post.told()
    json_of(meeting.ben.post(f"/appointments/{made['id']}/decline", {"words": "No time, sorry."}))
    assert post.told() == {"Anna": [("appointment", "Ben hat den Termin abgelehnt", "No time, sorry.")]}
    made = meeting.propose(dates=[EVENING.isoformat()])
    post.told()
    other = {**meeting.proposal(dates=[EVENING.replace(hour=19).isoformat()]), "to": meeting.anna.me()["id"]}
    json_of(meeting.ben.post("/appointments", {**other, "replaces": made["id"]}), 201)
    told = post.told()
    assert told == {
        "Anna": [("appointment", "Ben schlägt einen anderen Termin vor", "So 2027-03-28, 21:30 (Europe/Warsaw)")]
    }


def test_nobody_is_told_of_what_is_gone(meeting: Meeting, post: Post) -> None:
    made = meeting.propose()
    meeting.anna.delete(f"/appointments/{made['id']}")
    assert post.told() == {}
    made = meeting.agree()
    json_of(meeting.ben.post(f"/appointments/{made['id']}/cancel", {"words": "Ill."}))
    assert post.told() == {"Anna": [("appointment", "Ben hat den Termin abgesagt", "Ill.")]}
    meeting.go_to(made)
    assert post.told() == {}  # neither reminders nor that it lapsed
    meeting.clock.advance(days=1)
    assert post.told() == {}


def test_the_other_is_told_that_an_account_is_deleted_or_blocks(meeting: Meeting, post: Post) -> None:
    meeting.agree(dates=[EVENING.isoformat()])
    post.told()
    json_of(meeting.ben.send("PUT", f"/players/{meeting.anna.me()['id']}/relation", {"kind": "block"}))
    cancelled = [
        ("appointment", "Ben hat den Termin abgesagt", "Keine Partie am So 2027-03-28, 20:30 (Europe/Warsaw).")
    ]
    assert post.told() == {"Anna": cancelled}
    assert meeting.ben.delete(f"/players/{meeting.anna.me()['id']}/relation").is_success
    meeting.agree(dates=[EVENING.isoformat()])
    meeting.propose()
    post.told()
    assert meeting.ben.delete("/me", PROOF).is_success
    assert post.told() == {"Anna": cancelled}


def test_mails_about_dates_do_not_wait_for_the_evening() -> None:
    assert {"appointment", "reminder"} <= AT_ONCE


def test_nobody_hears_of_whom_they_have_blocked(meeting: Meeting, post: Post) -> None:
    made = meeting.propose(dates=[EVENING.isoformat()])
    ben = meeting.ben.me()["id"]
    json_of(meeting.ben.send("PUT", f"/players/{meeting.anna.me()['id']}/relation", {"kind": "block"}))
    assert post.told() == {}
    assert json_of(meeting.anna.get(f"/appointments/{made['id']}"))["state"] == "proposed"
    assert meeting.ben.delete(f"/players/{meeting.anna.me()['id']}/relation").is_success
    json_of(meeting.ben.post(f"/appointments/{made['id']}/decline", {"words": "Go away."}))
    json_of(meeting.anna.send("PUT", f"/players/{ben}/relation", {"kind": "block"}))
    assert post.told() == {}


def test_a_reminder_that_could_not_be_delivered_is_not_sent_when_it_is_over(meeting: Meeting, post: Post) -> None:
    agreed = meeting.agree(dates=[EVENING.isoformat()])
    path = f"/appointments/{agreed['id']}"
    post.told()
    meeting.go_to(agreed, minutes=-15)
    post.channel.is_down = True
    assert post.told() == {}
    meeting.clock.advance(minutes=5)
    post.channel.is_down = False
    assert set(post.told()) == {"Anna", "Ben"}  # it is still ahead
    post.channel.is_down = True
    json_of(meeting.anna.send("PUT", f"{path}/here"))
    assert post.told() == {}
    json_of(meeting.anna.delete(f"{path}/here"))
    meeting.go_to(agreed, minutes=5)
    post.channel.is_down = False
    assert post.told() == {}
