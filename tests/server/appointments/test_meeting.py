"""Two players come to a date: the game begins when both are there, once; nobody loses anything if one does not come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis
from tests.server.appointments.meeting import Meeting
from tests.server.live_client import connect_to_lobby, message_where
from tests.server.online_client import Browser, error_of
from tests.server.two_player_games import ManualClock, json_of, play_moves, run_timekeeper

from punct.server.app import create_app
from punct.server.appointments.service import Appointments
from punct.server.timekeeping.heartbeat import Heartbeat

TIMEOUT_SECONDS = 60
ROUNDS = 3
"""Of each race: who comes first is chance."""


def arrive(browser: Browser, appointment: dict[str, Any]) -> Any:
    return browser.send("PUT", f"/appointments/{appointment['id']}/here")


def test_the_second_who_comes_begins_the_game(meeting: Meeting) -> None:
    agreed = meeting.agree(colour="b", rated=True, rules="basic")
    anna, ben = meeting.anna, meeting.ben
    meeting.go_to(agreed, minutes=-11)
    early = arrive(anna, agreed)
    assert error_of(early) == (409, "not_open_yet")
    assert early.json()["error"]["detail"] == {"opens": agreed["opens"]}
    meeting.go_to(agreed, minutes=-10)
    waiting = json_of(arrive(ben, agreed))
    assert (waiting["state"], waiting["here"], waiting["game"]) == ("agreed", {"proposer": False, "to": True}, None)
    meeting.clock.advance(seconds=90)
    assert json_of(arrive(ben, agreed))["game"] is None  # still there
    meeting.clock.advance(seconds=90)
    begun = json_of(arrive(anna, agreed))
    assert begun["state"] == "begun" and meeting.games() == 1
    game = json_of(ben.get(f"/games/{begun['game']}"))
    assert (game["rules"], game["time"], game["rated"]) == ("basic", "10+5", True)
    assert game["seats"]["b"]["player"]["name"] == "Anna" and game["seats"]["w"]["player"]["name"] == "Ben"
    assert game["clock"]["w"] == 600_000
    # Whoever says it again, as the one whose answer got lost, gets the same game.
    assert json_of(arrive(anna, agreed))["game"] == json_of(arrive(ben, agreed))["game"] == begun["game"]
    assert error_of(anna.post(f"/appointments/{agreed['id']}/cancel")) == (409, "appointment_changed")
    assert error_of(ben.delete(f"/appointments/{agreed['id']}")) == (409, "appointment_changed")
    play_moves(game, (ben, "Ed5ne"), (anna, "Tl10n"))
    assert meeting.games() == 1


def test_no_game_begins_without_both(meeting: Meeting) -> None:
    agreed = meeting.agree()
    anna, ben = meeting.anna, meeting.ben
    meeting.go_to(agreed)
    json_of(arrive(anna, agreed))
    meeting.clock.advance(minutes=2)  # she has closed the page
    assert json_of(arrive(ben, agreed))["here"] == {"proposer": False, "to": True}
    left = json_of(ben.delete(f"/appointments/{agreed['id']}/here"))
    assert left["here"] == {"proposer": False, "to": False}
    assert json_of(arrive(anna, agreed))["game"] is None
    meeting.go_to(agreed, minutes=15)
    assert error_of(arrive(anna, agreed)) == (409, "appointment_changed")
    assert json_of(ben.get(f"/appointments/{agreed['id']}"))["state"] == "lapsed"
    assert meeting.own(anna) == meeting.own(ben) == [(agreed["id"], "lapsed")]
    assert meeting.games() == 0
    meeting.clock.advance(days=1)
    assert meeting.own(anna) == meeting.own(ben) == []


def test_both_may_come_late(meeting: Meeting) -> None:
    agreed = meeting.agree()
    meeting.go_to(agreed, minutes=14, seconds=59)
    json_of(arrive(meeting.anna, agreed))
    assert json_of(arrive(meeting.ben, agreed))["state"] == "begun"


def test_who_vanishes_after_it_began_loses_nothing(meeting: Meeting) -> None:
    agreed = meeting.agree(rated=True)
    meeting.go_to(agreed)
    json_of(arrive(meeting.anna, agreed))
    begun = json_of(arrive(meeting.ben, agreed))
    run_timekeeper(meeting.client)
    meeting.clock.advance(minutes=16)
    run_timekeeper(meeting.client)
    assert error_of(meeting.ben.get(f"/games/{begun['game']}")) == (404, "unknown_game")
    assert json_of(meeting.ben.get("/me"))["ratings"] == []


def test_nobody_comes_to_what_is_not_agreed(meeting: Meeting) -> None:
    proposed = meeting.propose(dates=[meeting.date(minutes=10)])
    assert error_of(arrive(meeting.anna, proposed)) == (409, "appointment_changed")
    json_of(meeting.ben.post(f"/appointments/{proposed['id']}/decline"))
    assert error_of(arrive(meeting.ben, proposed)) == (409, "appointment_changed")


def test_the_lobby_tells_of_dates_and_of_who_is_there(meeting: Meeting) -> None:
    with connect_to_lobby(meeting.anna) as hers, connect_to_lobby(meeting.ben) as his:
        agreed = meeting.agree()

        def told(lobby: Any, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
            def has(message: dict[str, Any]) -> bool:
                return any(each["id"] == agreed["id"] and is_so(each) for each in message["appointments"])

            return message_where(lobby, "appointments", has)

        for lobby in (hers, his):
            told(lobby, lambda each: each["state"] == "agreed")
        meeting.go_to(agreed)
        json_of(arrive(meeting.anna, agreed))
        told(his, lambda each: each["here"]["proposer"])
        begun = json_of(arrive(meeting.ben, agreed))
        told(hers, lambda each: each["game"] == begun["game"])
    with connect_to_lobby(meeting.anna) as again:
        told(again, lambda each: each["state"] == "begun")


# ---------------------------------------------------------------------- races


@pytest.fixture(params=["one process", "two processes"])
def pair(
    request: pytest.FixtureRequest, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[TestClient, TestClient]]:
    """Two servers on one database; or the same one twice, on SQLite."""
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})
    if request.param == "one process":
        new_folder: Callable[[], Path] = request.getfixturevalue("new_folder")
        with TestClient(create_app(new_folder(), workers=1, online=True, now=clock)) as client:
            yield client, client
        return
    postgresql: Postgresql = request.getfixturevalue("postgresql")
    redis: Redis = request.getfixturevalue("redis")
    address, broker = postgresql.new_store(), redis.address()
    with (
        TestClient(create_app(address, workers=1, online=True, broker_url=broker, now=clock)) as one,
        TestClient(create_app(address, workers=1, online=True, broker_url=broker, now=clock)) as other,
    ):
        yield one, other


@pytest.fixture
def race(pair: tuple[TestClient, TestClient], clock: ManualClock) -> Iterator[Race]:
    with ThreadPoolExecutor(8) as together:
        yield Race(pair, clock, together)


class Race:
    """Two players, each connected to another process, who do things at once."""

    def __init__(self, pair: tuple[TestClient, TestClient], clock: ManualClock, together: ThreadPoolExecutor) -> None:
        self.meeting, self._together = Meeting(pair[0], clock), together
        self.anna, self.ben = self.meeting.anna, Browser(pair[1], self.meeting.ben.cookie)

    def at_once(self, *asked: Callable[[], Any]) -> list[Any]:
        """Ask all at once, and return the answers in this order."""
        return [future.result(TIMEOUT_SECONDS) for future in [self._together.submit(each) for each in asked]]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_both_come_at_once(race: Race, number: int) -> None:
    meeting = race.meeting
    agreed = meeting.agree()
    meeting.go_to(agreed)
    answers = race.at_once(*[lambda: arrive(race.anna, agreed), lambda: arrive(race.ben, agreed)] * 3)
    games = {answer["game"] for answer in map(json_of, answers)} - {None}
    assert len(games) == 1 and meeting.games() == 1
    assert {json_of(arrive(browser, agreed))["game"] for browser in (race.anna, race.ben)} == games
    game = json_of(race.ben.get(f"/games/{games.pop()}"))
    assert {seat["player"]["name"] for seat in game["seats"].values()} == {"Anna", "Ben"}


@pytest.mark.parametrize("number", range(ROUNDS))
def test_one_comes_while_the_other_cancels(race: Race, number: int) -> None:
    meeting = race.meeting
    agreed, games = meeting.agree(), meeting.games()
    meeting.go_to(agreed)
    json_of(arrive(race.anna, agreed))
    came, cancelled = race.at_once(
        lambda: arrive(race.ben, agreed), lambda: race.anna.post(f"/appointments/{agreed['id']}/cancel")
    )
    assert came.is_success != cancelled.is_success
    late = came if cancelled.is_success else cancelled
    assert error_of(late) == (409, "appointment_changed")
    assert meeting.games() == games + came.is_success
    state = json_of(race.ben.get(f"/appointments/{agreed['id']}"))["state"]
    assert state == ("begun" if came.is_success else "cancelled")


@pytest.mark.parametrize("number", range(ROUNDS))
def test_it_is_accepted_twice_and_withdrawn_at_once(race: Race, number: int) -> None:
    meeting = race.meeting
    dates = [meeting.date(days=number + 1), meeting.date(days=number + 1, hours=1)]
    made = meeting.propose(dates=dates)
    path = f"/appointments/{made['id']}"
    one, other, withdrawn = race.at_once(
        lambda: race.ben.post(f"{path}/accept", {"date": dates[0]}),
        lambda: Browser(meeting.client, race.ben.cookie).post(f"{path}/accept", {"date": dates[1]}),
        lambda: race.anna.delete(path),
    )
    assert [one.is_success, other.is_success, withdrawn.is_success].count(True) == 1
    if withdrawn.is_success:
        assert error_of(race.ben.get(path)) == (404, "unknown_appointment")
    else:
        date = json_of(race.anna.get(path))["date"]
        assert date == dates[0 if one.is_success else 1]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_both_answer_with_other_dates_at_once(race: Race, number: int) -> None:
    meeting, (anna, ben) = race.meeting, (race.anna.me()["id"], race.ben.me()["id"])
    hers = meeting.propose()
    his = json_of(race.ben.post("/appointments", {**meeting.proposal(), "to": anna}), 201)
    from_ben = {**meeting.proposal(dates=[meeting.date(days=2)]), "to": anna, "replaces": hers["id"]}
    from_anna = {**meeting.proposal(dates=[meeting.date(days=3)]), "to": ben, "replaces": his["id"]}
    # Each replaces the other's, from two devices of theirs: of these one is too late.
    answers = race.at_once(
        lambda: race.ben.post("/appointments", from_ben),
        lambda: Browser(meeting.client, race.ben.cookie).post("/appointments", from_ben),
        lambda: race.anna.post("/appointments", from_anna),
    )
    assert [answer.is_success for answer in answers].count(True) == 2 and answers[2].is_success
    late = next(answer for answer in answers if not answer.is_success)
    assert error_of(late) == (404, "unknown_appointment")
    made = [answer.json()["id"] for answer in answers if answer.is_success]
    listed = meeting.own(race.ben)
    assert sorted(listed) == sorted((each, "proposed") for each in made)
    for each, browser in zip(made, (race.ben, race.anna), strict=True):
        assert browser.delete(f"/appointments/{each}").is_success


@pytest.mark.parametrize("number", range(ROUNDS))
def test_one_blocks_while_the_other_comes_or_accepts(race: Race, number: int) -> None:
    meeting, ben = race.meeting, race.ben.me()["id"]
    agreed, games = meeting.agree(), meeting.games()
    made = meeting.propose(dates=[meeting.date(days=3)])
    meeting.go_to(agreed)
    json_of(arrive(race.anna, agreed))
    came, accepted, _ = race.at_once(
        lambda: arrive(race.ben, agreed),
        lambda: race.ben.post(f"/appointments/{made['id']}/accept", {"date": made["dates"][0]}),
        lambda: race.anna.send("PUT", f"/players/{ben}/relation", {"kind": "block"}),
    )
    states = {each: json_of(race.ben.get(f"/appointments/{each}"))["state"] for each in (agreed["id"], made["id"])}
    assert states[agreed["id"]] == ("begun" if came.is_success else "cancelled")
    assert states[made["id"]] == ("cancelled" if accepted.is_success else "withdrawn")
    assert meeting.games() == games + came.is_success
    assert race.anna.delete(f"/players/{ben}/relation").is_success


def test_a_process_that_was_killed_after_it_stored_the_game(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after the transaction is lost; whoever asks again gets the game."""
    agreed = meeting.agree()
    meeting.go_to(agreed)
    json_of(arrive(meeting.anna, agreed))

    async def die(*_: object) -> None:
        raise SystemError

    appointments: Appointments = meeting.client.app.state.services.get(Appointments)  # type: ignore[attr-defined]
    with monkeypatch.context() as patched:
        patched.setattr(appointments._games, "publish_new", die)
        assert arrive(meeting.ben, agreed).status_code == 500
    games = {json_of(arrive(browser, agreed))["game"] for browser in (meeting.anna, meeting.ben)}
    assert len(games) == 1 and meeting.games() == 1
    assert json_of(meeting.anna.get(f"/games/{games.pop()}"))["time"] == "10+5"


# ---------------------------------------------------------------------- repeated, late, and clocks that are set


@pytest.mark.parametrize("number", range(ROUNDS))
def test_an_answer_is_sent_to_two_processes_at_once(race: Race, number: int) -> None:
    """With one key it is one change, and both get its result; not an error about what the other has just done."""
    meeting, anna = race.meeting, race.anna.me()["id"]
    made = meeting.propose()
    other = Browser(meeting.client, race.ben.cookie)
    answer = {**meeting.proposal(dates=[meeting.date(days=2)]), "to": anna, "replaces": made["id"]}
    answers = race.at_once(
        *[
            lambda browser=browser: browser.post("/appointments", answer, Idempotency_Key=f"answer-{number}")
            for browser in (race.ben, other) * 2
        ]
    )
    (proposal,) = {json_of(each, 201)["id"] for each in answers}
    path, date = f"/appointments/{proposal}/accept", answer["dates"][0]
    other = Browser(meeting.client, race.anna.cookie)
    accepted = race.at_once(
        *[
            lambda browser=browser: browser.post(path, {"date": date}, Idempotency_Key=f"yes-{number}")
            for browser in (race.anna, other) * 2
        ]
    )
    assert {json_of(each)["state"] for each in accepted} == {"agreed"}


def test_a_date_is_accepted_from_two_devices_at_once(meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second has read the proposal before the first accepted it: that is no other game around that time."""
    dates = [meeting.date(days=1), meeting.date(days=1, minutes=20)]
    made = meeting.propose(dates=dates)
    path = f"/appointments/{made['id']}/accept"
    appointments: Appointments = meeting.client.app.state.services.get(Appointments)  # type: ignore[attr-defined]
    before = appointments._store.get(made["id"])
    agreed = json_of(meeting.ben.post(path, {"date": dates[0]}))
    read = appointments.get
    for date, expected in ((dates[0], None), (dates[1], (409, "appointment_changed"))):
        stale = [before]

        async def get(appointment_id: str, player_id: str | None, stale: list[Any] = stale) -> Any:
            return stale.pop() if stale else await read(appointment_id, player_id)

        with monkeypatch.context() as patched:
            patched.setattr(appointments, "get", get)
            answer = meeting.ben.post(path, {"date": date})
        if expected is None:
            assert json_of(answer) == agreed
        else:
            assert error_of(answer) == expected
    assert json_of(meeting.anna.get(f"/appointments/{made['id']}"))["date"] == dates[0]


def test_nobody_stays_because_a_clock_is_set_back(meeting: Meeting) -> None:
    agreed = meeting.agree()
    meeting.go_to(agreed, minutes=5)
    json_of(arrive(meeting.anna, agreed))
    meeting.go_to(agreed)
    assert json_of(arrive(meeting.ben, agreed))["game"] is None
    json_of(meeting.ben.delete(f"/appointments/{agreed['id']}/here"))
    meeting.clock.advance(seconds=-1)  # another process's clock is a second behind
    assert json_of(arrive(meeting.anna, agreed))["here"] == {"proposer": True, "to": False}
    assert meeting.games() == 0
