"""Dates for live games: proposed, accepted, declined, answered with others, cancelled; and who sees and may do what."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import icalendar
import pytest
from tests.server.appointments.meeting import Meeting
from tests.server.online_client import PROOF, Browser, block_player, error_of
from tests.server.two_player_games import json_of, run_timekeeper

from punct.server.appointments import service
from punct.server.appointments.events import AppointmentsChanged
from punct.server.appointments.service import MAX_PROPOSALS, MAX_PROPOSALS_TO_ONE
from punct.server.relations.service import Relations


def test_a_date_is_proposed_and_accepted(meeting: Meeting) -> None:
    anna, ben = meeting.anna, meeting.ben
    dates = [meeting.date(days=3), meeting.date(days=1), meeting.date(days=2)]
    made = meeting.propose(dates=dates, words=" In the\nevening? ", colour="w", rated=True, zone="Europe/Warsaw")
    assert made["state"] == "proposed" and made["dates"] == sorted(dates) and made["words"] == "In the evening?"
    assert (made["proposer"]["name"], made["to"]["name"], made["rated"]) == ("Anna", "Ben", True)
    assert made["expires"] == max(dates) and made["date"] is made["opens"] is made["game"] is None
    assert made["link"] == f"/date/{made['id']}"
    assert meeting.own(anna) == meeting.own(ben) == [(made["id"], "proposed")]
    path = f"/appointments/{made['id']}"
    agreed = json_of(ben.post(f"{path}/accept", {"date": dates[2], "zone": "Asia/Tokyo"}))
    assert (agreed["state"], agreed["date"]) == ("agreed", dates[2])
    assert agreed["zones"] == {"proposer": "Europe/Warsaw", "to": "Asia/Tokyo"}
    assert json_of(anna.get(path)) == json_of(ben.get(path)) == agreed
    assert meeting.own(anna) == meeting.own(ben) == [(made["id"], "agreed")]
    # The answer got lost, and is asked for again.
    assert json_of(ben.post(f"{path}/accept", {"date": dates[2]})) == agreed
    assert error_of(ben.post(f"{path}/accept", {"date": dates[1]})) == (409, "appointment_changed")
    assert error_of(ben.post(f"{path}/decline")) == (409, "appointment_changed")
    assert error_of(anna.delete(path)) == (409, "appointment_changed")


def test_only_the_two_see_it_and_each_does_their_part(meeting: Meeting) -> None:
    made = meeting.propose()
    path = f"/appointments/{made['id']}"
    eve = meeting.account("Eve")
    for answer in (
        eve.get(path),
        eve.get(f"{path}/calendar.ics"),
        eve.post(f"{path}/accept", {"date": made["dates"][0]}),
        eve.post(f"{path}/decline"),
        eve.post(f"{path}/cancel"),
        eve.delete(path),
        eve.send("PUT", f"{path}/here"),
        eve.delete(f"{path}/here"),
    ):
        assert error_of(answer) == (404, "unknown_appointment")
    replacing = {**meeting.proposal(), "to": meeting.anna.me()["id"], "replaces": made["id"]}
    assert error_of(eve.post("/appointments", replacing)) == (404, "unknown_appointment")
    assert error_of(Browser(meeting.client).get(path)) == (401, "stranger")
    assert meeting.own(eve) == []
    for forbidden in (
        meeting.anna.post(f"{path}/accept", {"date": made["dates"][0]}),
        meeting.anna.post(f"{path}/decline"),
        meeting.ben.delete(path),
    ):
        assert error_of(forbidden) == (403, "not_your_seat")
    assert json_of(meeting.anna.get(path)) == made


def test_tokens_need_the_scope(meeting: Meeting) -> None:
    made = meeting.propose()
    program, path = Browser(meeting.client), f"/appointments/{made['id']}"
    for scope, is_seen, may_answer in (("play", False, False), ("read", True, False), ("challenge", True, True)):
        header = {"Authorization": f"Bearer {meeting.ben.token(scope)['secret']}"}
        assert program.get(path, **header).status_code == (200 if is_seen else 403)
        assert program.get("/me/appointments", **header).status_code == (200 if is_seen else 403)
        answer = program.post(f"{path}/accept", {"date": made["dates"][0]}, **header)
        assert answer.status_code == (200 if may_answer else 403)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"dates": []}, (422, "malformed")),
        ({"dates": ["2026-12-05T19:00:00"]}, (422, "malformed")),
        ({"dates": [{"minutes": 5}]}, (422, "unsuitable_date")),
        ({"dates": [{"days": 61}]}, (422, "unsuitable_date")),
        ({"dates": [{"days": 1}, {"days": -1}]}, (422, "unsuitable_date")),
        ({"dates": [{"days": 1}] * 4}, (422, "malformed")),
        ({"time": "3d"}, (409, "not_possible")),
        ({"time": "none"}, (422, "invalid_time")),
        ({"time": "0+0"}, (422, "invalid_time")),
        ({"zone": "Europe/Nowhere"}, (422, "unknown_zone")),
        ({"zone": "../etc/passwd"}, (422, "malformed")),
        ({"words": "x" * 201}, (422, "malformed")),
        ({"to": "nobody-there-at-all"}, (404, "unknown_player")),
        ({"replaces": "c0ffee-Punct-c0ffee-42"}, (404, "unknown_appointment")),
    ],
)
def test_what_cannot_be_proposed(meeting: Meeting, wrong: dict[str, Any], error: tuple[int, str]) -> None:
    if "dates" in wrong:
        wrong = {"dates": [meeting.date(**each) if isinstance(each, dict) else each for each in wrong["dates"]]}
    assert error_of(meeting.anna.post("/appointments", meeting.proposal(**wrong))) == error
    assert meeting.own(meeting.anna) == meeting.own(meeting.ben) == []


def test_who_can_be_met(meeting: Meeting) -> None:
    guest = Browser(meeting.client)
    guest.post("/me", {"name": "Guest"})
    assert error_of(guest.post("/appointments", meeting.proposal())) == (403, "no_account")
    to_guest = meeting.proposal(to=guest.me()["id"])
    assert error_of(meeting.anna.post("/appointments", to_guest)) == (409, "takes_no_challenges")
    to_self = meeting.proposal(to=meeting.anna.me()["id"])
    assert error_of(meeting.anna.post("/appointments", to_self)) == (409, "not_possible")
    block_player(meeting.ben)
    assert error_of(meeting.anna.post("/appointments", meeting.proposal())) == (409, "takes_no_challenges")


def test_a_date_is_declined_with_a_word(meeting: Meeting) -> None:
    made = meeting.propose()
    path = f"/appointments/{made['id']}"
    words = {"words": "Not this\u202e week."}
    declined = json_of(meeting.ben.post(f"{path}/decline", words, Idempotency_Key="no"))
    assert (declined["state"], declined["reply"]) == ("declined", "Not this week.")
    assert declined["ended_by"] == meeting.ben.me()["id"]
    assert json_of(meeting.ben.post(f"{path}/decline", words, Idempotency_Key="no")) == declined
    assert meeting.own(meeting.ben) == [] and meeting.own(meeting.anna) == [(made["id"], "declined")]
    assert error_of(meeting.ben.post(f"{path}/accept", {"date": made["dates"][0]})) == (409, "appointment_changed")
    assert meeting.anna.delete(path).status_code == 204  # she has read it
    assert meeting.own(meeting.anna) == []
    assert error_of(meeting.anna.get(path)) == (404, "unknown_appointment")


def test_a_date_is_answered_with_others(meeting: Meeting) -> None:
    made = meeting.propose()
    answer = {
        **meeting.proposal(time="15+10", dates=[meeting.date(days=4)]),
        "to": meeting.anna.me()["id"],
        "replaces": made["id"],
    }
    changed = json_of(meeting.ben.post("/appointments", answer, Idempotency_Key="other"), 201)
    assert changed["replaces"] == made["id"] and changed["proposer"]["name"] == "Ben"
    before = json_of(meeting.anna.get(f"/appointments/{made['id']}"))
    assert (before["state"], before["replaced_by"]) == ("declined", changed["id"])
    assert meeting.own(meeting.anna) == meeting.own(meeting.ben) == [(changed["id"], "proposed")]
    assert json_of(meeting.ben.post("/appointments", answer, Idempotency_Key="other"), 201) == changed
    assert error_of(meeting.ben.post("/appointments", answer)) == (404, "unknown_appointment")
    # Nobody answers their own proposal.
    own = meeting.proposal(replaces=changed["id"], to=meeting.ben.me()["id"])
    assert error_of(meeting.ben.post("/appointments", own)) == (409, "not_possible")
    accept = meeting.anna.post(f"/appointments/{changed['id']}/accept", {"date": changed["dates"][0]})
    assert json_of(accept)["state"] == "agreed"


def test_a_proposal_is_withdrawn(meeting: Meeting) -> None:
    made = meeting.propose()
    path = f"/appointments/{made['id']}"
    assert meeting.anna.delete(path, Idempotency_Key="gone").status_code == 204
    assert meeting.anna.delete(path, Idempotency_Key="gone").status_code == 204
    assert error_of(meeting.anna.delete(path)) == (404, "unknown_appointment")
    answer = meeting.ben.post(f"{path}/accept", {"date": made["dates"][0]})
    assert error_of(answer) == (404, "unknown_appointment")
    assert meeting.own(meeting.ben) == []


@pytest.mark.parametrize("canceller", ["anna", "ben"])
def test_either_cancels_until_it_begins(meeting: Meeting, canceller: str) -> None:
    agreed = meeting.agree()
    path = f"/appointments/{agreed['id']}"
    one, other = (meeting.anna, meeting.ben) if canceller == "anna" else (meeting.ben, meeting.anna)
    cancelled = json_of(one.post(f"{path}/cancel", {"words": "Sorry!"}, Idempotency_Key="off"))
    assert (cancelled["state"], cancelled["reply"], cancelled["ended_by"]) == ("cancelled", "Sorry!", one.me()["id"])
    assert json_of(one.post(f"{path}/cancel", {"words": "Sorry!"}, Idempotency_Key="off")) == cancelled
    assert error_of(other.post(f"{path}/cancel")) == (409, "appointment_changed")
    assert meeting.own(one) == [] and meeting.own(other) == [(agreed["id"], "cancelled")]
    meeting.go_to(agreed)
    assert error_of(one.send("PUT", f"{path}/here")) == (409, "appointment_changed")
    assert error_of(one.delete(path)) == (409, "appointment_changed")
    assert other.delete(path).status_code == 204  # they have read it
    assert meeting.own(other) == []


def test_a_lost_answer_is_asked_for_again_however_late(meeting: Meeting) -> None:
    terms = meeting.proposal(dates=[meeting.date(minutes=11)])
    made = json_of(meeting.anna.post("/appointments", terms, Idempotency_Key="once"), 201)
    meeting.clock.advance(minutes=9)
    assert json_of(meeting.anna.post("/appointments", terms, Idempotency_Key="once"), 201) == made
    assert error_of(meeting.anna.post("/appointments", meeting.proposal(), Idempotency_Key="once")) == (
        422,
        "key_reused",
    )
    assert len(meeting.own(meeting.ben)) == 1


def test_everything_expires(meeting: Meeting) -> None:
    made = meeting.propose(dates=[meeting.date(hours=1), meeting.date(hours=2)])
    path = f"/appointments/{made['id']}"
    meeting.clock.advance(hours=1, minutes=1)
    assert error_of(meeting.ben.post(f"{path}/accept", {"date": made["dates"][0]})) == (422, "unsuitable_date")
    other = meeting.date(minutes=30)
    assert error_of(meeting.ben.post(f"{path}/accept", {"date": other})) == (422, "unsuitable_date")
    meeting.clock.advance(hours=1)
    assert json_of(meeting.anna.get(path))["state"] == "expired"
    assert meeting.own(meeting.anna) == meeting.own(meeting.ben) == []
    late = meeting.ben.post(f"{path}/accept", {"date": made["dates"][1]})
    assert error_of(late) == (409, "appointment_changed")
    meeting.clock.advance(days=15)
    run_timekeeper(meeting.client)
    assert error_of(meeting.anna.get(path)) == (404, "unknown_appointment")


def test_how_many_there_may_be(meeting: Meeting) -> None:
    for _ in range(MAX_PROPOSALS_TO_ONE):
        meeting.propose()
    assert error_of(meeting.anna.post("/appointments", meeting.proposal())) == (409, "not_possible")
    others = [meeting.account(f"Player {number}").me()["id"] for number in range(4)]
    for number in range(MAX_PROPOSALS - MAX_PROPOSALS_TO_ONE):
        meeting.propose(to=others[number % 3])
    assert error_of(meeting.anna.post("/appointments", meeting.proposal(to=others[3]))) == (409, "not_possible")
    for _ in range(MAX_PROPOSALS_TO_ONE):
        assert meeting.anna.delete(f"/appointments/{meeting.own(meeting.anna)[0][0]}").is_success
    meeting.propose(to=others[3])


def test_on_how_many_dates_one_may_agree(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_LIMITS", replace(service._LIMITS, agreed=2))
    for hours in (1, 2):
        meeting.agree(dates=[meeting.date(hours=hours)])
    third = meeting.propose(dates=[meeting.date(hours=3)])
    accept = f"/appointments/{third['id']}/accept"
    assert error_of(meeting.ben.post(accept, {"date": third["dates"][0]})) == (409, "not_possible")
    meeting.clock.advance(hours=1, minutes=16)  # the first has lapsed
    assert json_of(meeting.ben.post(accept, {"date": third["dates"][0]}))["state"] == "agreed"


def test_nobody_is_at_two_games_at_a_time(meeting: Meeting) -> None:
    eve = meeting.account("Eve")
    evening, later = meeting.date(days=1), meeting.date(days=1, minutes=45)
    for_ben = meeting.propose(dates=[evening])
    for_eve = meeting.propose(dates=[evening, later], to=eve.me()["id"])
    json_of(meeting.ben.post(f"/appointments/{for_ben['id']}/accept", {"date": evening}))
    path = f"/appointments/{for_eve['id']}/accept"
    assert error_of(eve.post(path, {"date": evening})) == (409, "date_taken")
    assert json_of(eve.post(path, {"date": later}))["state"] == "agreed"


def test_a_block_ends_what_two_have_arranged(meeting: Meeting) -> None:
    anna, ben = meeting.anna, meeting.ben
    agreed = meeting.agree()
    hers = meeting.propose(dates=[meeting.date(days=2)])
    answer = {**meeting.proposal(dates=[meeting.date(days=3)]), "to": anna.me()["id"]}
    his = json_of(ben.post("/appointments", answer), 201)
    assert anna.send("PUT", f"/players/{ben.me()['id']}/relation", {"kind": "block"}).is_success
    # The date is cancelled as any other; what she proposed is withdrawn, what he proposed hidden from her.
    assert meeting.own(anna) == []
    assert meeting.own(ben) == [(agreed["id"], "cancelled"), (his["id"], "proposed")]
    assert json_of(ben.get(f"/appointments/{hers['id']}"))["state"] == "withdrawn"
    again = ben.post("/appointments", answer)
    assert error_of(again) == (409, "takes_no_challenges")
    assert error_of(anna.post("/appointments", meeting.proposal())) == (409, "you_blocked")
    accept = anna.post(f"/appointments/{his['id']}/accept", {"date": his["dates"][0]})
    assert error_of(accept) == (409, "you_blocked")
    accept = ben.post(f"/appointments/{hers['id']}/accept", {"date": hers["dates"][0]})
    assert error_of(accept) == (409, "appointment_changed")


def test_the_other_player_does_not_notice_a_relation(meeting: Meeting) -> None:
    told: list[tuple[str, ...]] = []
    relations: Relations = meeting.client.app.state.services.get(Relations)  # type: ignore[attr-defined]
    relations._bus.subscribe(AppointmentsChanged, lambda event: told.append(event.player_ids))
    anna, ben = meeting.anna.me()["id"], meeting.ben.me()["id"]
    for kind in ("follow", "block"):
        assert meeting.anna.send("PUT", f"/players/{ben}/relation", {"kind": kind}).is_success
    assert meeting.anna.delete(f"/players/{ben}/relation").is_success
    assert {player for players in told for player in players} == {anna}


def test_deleting_an_account_ends_what_it_has_arranged(meeting: Meeting) -> None:
    agreed, proposed = meeting.agree(), meeting.propose(dates=[meeting.date(days=2)])
    assert meeting.anna.delete("/me", PROOF).status_code == 204
    assert meeting.own(meeting.ben) == []
    for made in (agreed, proposed):
        assert error_of(meeting.ben.get(f"/appointments/{made['id']}")) == (404, "unknown_appointment")


def test_a_guest_who_logs_in_brings_no_dates_and_finds_those_of_the_account(meeting: Meeting) -> None:
    made = meeting.agree()
    guest = Browser(meeting.client)
    guest.post("/me", {"name": "Guest"})
    assert guest.post("/session", {"login": meeting.logins["Anna"], **PROOF}).is_success
    assert meeting.own(guest) == [(made["id"], "agreed")]


def test_the_calendar_file_of_a_date(meeting: Meeting) -> None:
    made = meeting.propose(zone="America/New_York")
    path = f"/appointments/{made['id']}/calendar.ics"
    assert error_of(meeting.ben.get(path)) == (409, "appointment_changed")
    json_of(meeting.ben.post(f"/appointments/{made['id']}/accept", {"date": made["dates"][0]}))
    for browser, opponent in ((meeting.anna, "Ben"), (meeting.ben, "Anna")):
        response = browser.get(path)
        assert response.headers["content-type"] == "text/calendar; charset=utf-8"
        assert f"punct-{made['id']}.ics" in response.headers["content-disposition"]
        (event,) = icalendar.Calendar.from_ical(response.content).walk("VEVENT")
        assert f"DTSTART:{made['dates'][0].replace('-', '').replace(':', '')}".encode() in response.content
        assert str(event["SUMMARY"]) == f"PÜNCT: game with {opponent}" and event["STATUS"] == "CONFIRMED"
        assert f"/date/{made['id']}" in str(event["URL"])
        (alarm,) = event.walk("VALARM")
        assert alarm.decoded("TRIGGER") == timedelta(minutes=-15)


def test_calendar_feeds_have_the_dates(meeting: Meeting) -> None:
    agreed = meeting.agree()
    meeting.propose(dates=[meeting.date(days=5)])
    feed = json_of(meeting.ben.send("PUT", "/calendar"))["path"]

    def events() -> list[Any]:
        meeting.client.cookies.clear()
        return list(icalendar.Calendar.from_ical(meeting.client.get(feed).content).walk("VEVENT"))

    (event,) = events()
    assert str(event["SUMMARY"]) == "PÜNCT: game with Anna" and event["STATUS"] == "CONFIRMED"
    before = event["SEQUENCE"]
    json_of(meeting.anna.post(f"/appointments/{agreed['id']}/cancel"))
    (event,) = events()
    assert event["STATUS"] == "CANCELLED" and event["SEQUENCE"] > before
    assert not event.walk("VALARM")  # nobody is woken for it
    meeting.go_to(agreed, days=2)
    assert events() == []
