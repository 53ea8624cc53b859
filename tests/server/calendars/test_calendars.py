"""Calendar feeds: deadlines, for whoever has the secret address, and nobody else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2 as httpx
import icalendar
import pytest
from prometheus_client import generate_latest
from starlette.testclient import TestClient
from tests.server.online_client import PROOF, Browser, create_account, error_of
from tests.server.two_player_games import ManualClock, json_of, play_moves, start_game

from punct.server.app import create_app
from punct.server.auth.sessions import hash_secret
from punct.server.calendars.service import Calendars
from punct.server.http.rate_limits import BAD_CALENDARS
from punct.server.timekeeping.heartbeat import Heartbeat


class Server:
    """A server with two account holders."""

    def __init__(self, client: TestClient, clock: ManualClock) -> None:
        self.client, self.clock = client, clock
        self.white, _ = create_account(lambda: Browser(client), name="White")
        self.black, _ = create_account(lambda: Browser(client), name="Black")

    def renew(self, browser: Browser) -> str:
        path = json_of(browser.send("PUT", "/calendar"))["path"]
        assert isinstance(path, str)
        return path

    def read(self, path: str, **headers: str) -> httpx.Response:
        """Read a feed, as a calendar program does: without cookies."""
        self.client.cookies.clear()
        return self.client.get(path, headers=headers)

    def events(self, path: str) -> list[icalendar.Event]:
        response = self.read(path)
        assert response.status_code == 200, response.text
        parsed = icalendar.Calendar.from_ical(response.content)
        return [part for part in parsed.walk("VEVENT") if isinstance(part, icalendar.Event)]


@pytest.fixture
def server(store_url: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    clock = ManualClock()
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield Server(client, clock)


def test_deadlines_of_the_games_that_wait_for_the_player(server: Server) -> None:
    path = server.renew(server.black)
    assert path.startswith("/calendar/") and path.endswith(".ics")
    assert server.events(path) == []
    game = start_game(server.white, server.black, time="3d", rules="basic")
    start_game(server.white, server.black, time="5+3")  # nobody needs a calendar for that
    start_game(server.white, server.black)
    assert server.events(path) == []
    server.clock.advance(hours=1)
    game = play_moves(game, (server.white, "Ed5ne"))
    (event,) = server.events(path)
    assert event.decoded("dtstart") == server.clock() + timedelta(days=3)
    assert (str(event["uid"]), event["sequence"]) == (f"game-{game['id']}-1@testserver", game["revision"])
    assert str(event["summary"]) == "PÜNCT: your move against White is due"
    assert str(event["url"]) == f"http://testserver/game/{game['id']}"
    assert event.decoded("last-modified") == server.clock()
    (alarm,) = event.walk("VALARM")
    assert alarm.decoded("trigger") == -timedelta(hours=18)
    play_moves(game, (server.black, "Tl10n"))
    assert server.events(path) == []
    (event,) = server.events(server.renew(server.white))
    assert str(event["uid"]) == f"game-{game['id']}-2@testserver"


def test_a_feed_is_in_the_language_of_its_owner(server: Server) -> None:
    server.black.send("PATCH", "/me", {"settings": {"language": "pl"}})
    server.black.send("PATCH", "/me", {"name": "Ann; a, \\b"})
    game = start_game(server.black, server.white, time="1d", rules="basic")
    (event,) = server.events(server.renew(server.black))
    assert str(event["summary"]) == "PÜNCT: mija czas na ruch przeciwko graczowi White"
    play_moves(game, (server.black, "Ed5ne"))
    (event,) = server.events(server.renew(server.white))
    assert str(event["summary"]) == "PÜNCT: your move against Ann; a, \\b is due"


def test_what_has_not_changed_is_not_sent_again(server: Server) -> None:
    path = server.renew(server.white)
    game = start_game(server.white, server.black, time="3d", rules="basic")
    first = server.read(path)
    assert first.headers["content-type"] == "text/calendar; charset=utf-8"
    assert first.headers["cache-control"].startswith("private") and first.headers["referrer-policy"] == "no-referrer"
    server.clock.advance(hours=2)
    again = server.read(path, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    play_moves(game, (server.white, "Ed5ne"))
    assert server.read(path, **{"If-None-Match": first.headers["etag"]}).status_code == 200
    assert server.client.head(path).status_code == 200


def test_only_the_last_address_works(server: Server) -> None:
    assert json_of(server.white.get("/calendar")) == {"exists": False}
    first = server.renew(server.white)
    assert json_of(server.white.get("/calendar")) == {"exists": True}
    second = server.renew(server.white)
    assert first != second
    assert server.read(first).status_code == 404
    assert server.read(second).status_code == 200
    assert server.black.delete("/calendar").status_code == 204  # somebody else's is not meant
    assert server.read(second).status_code == 200
    assert server.white.delete("/calendar").status_code == 204
    assert server.read(second).status_code == 404
    third = server.renew(server.white)
    assert server.white.delete("/me", PROOF).status_code == 204
    assert server.read(third).status_code == 404


def test_whatever_is_wrong_the_answer_is_the_same(server: Server) -> None:
    path = server.renew(server.white)
    secret = path.removeprefix("/calendar/").removesuffix(".ics")
    wrong = [
        "x", secret[:-1], f"{secret}x", secret.swapcase(), hash_secret(secret), server.white.me()["id"], "0" * 43,
        "a" * 3000, "%00", "..%2f..", "' OR 1=1 --", "é", "*", "%25",
    ]  # fmt: skip
    answers = {(each.status_code, each.text) for each in (server.read(f"/calendar/{name}.ics") for name in wrong[:8])}
    assert len(answers) == 1 and error_of(server.read("/calendar/x.ics")) == (404, "unknown_calendar")
    for name in wrong[8:]:
        assert server.read(f"/calendar/{name}.ics").status_code == 404
    for near in (f"/calendar/{secret}", f"/calendar/{secret}.ICS", f"/calendar/{secret}.ics/", "/calendar/.ics"):
        assert b"BEGIN:VCALENDAR" not in server.read(near).content


def test_only_account_holders_have_a_feed(server: Server) -> None:
    stranger, guest = Browser(server.client), Browser(server.client)
    guest.post("/me", {"name": "Guest"})
    secret = server.white.token("read", "play", "challenge")["secret"]
    for method in ("GET", "PUT", "DELETE"):
        assert error_of(stranger.send(method, "/calendar")) == (401, "stranger")
        assert error_of(guest.send(method, "/calendar")) == (403, "no_account")
        response = Browser(server.client).send(method, "/calendar", Authorization=f"Bearer {secret}")
        assert response.status_code in (401, 403)


def test_the_secret_is_not_stored_and_not_logged(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "punct")
    path = server.renew(server.white)
    secret = path.removeprefix("/calendar/").removesuffix(".ics")
    server.read(path)
    server.read(f"{path}x")
    server.client.post(path)
    assert secret not in caplog.text
    metrics = generate_latest().decode()
    assert secret not in metrics and 'route="/calendar/{secret}.ics"' in metrics
    services = server.client.app.state.services  # type: ignore[attr-defined]
    rows = services.get(Calendars)._games.database.fetch_all("SELECT secret FROM calendars")
    assert rows == [(hash_secret(secret),)]


def test_guesses_are_limited(new_folder: Callable[[], Path]) -> None:
    allowed = int(str(BAD_CALENDARS.address).partition("/")[0])
    with TestClient(create_app(new_folder(), workers=1, online=True), client=("192.0.2.7", 5000)) as client:
        owner, _ = create_account(lambda: Browser(client))
        path = json_of(owner.send("PUT", "/calendar"))["path"]
        statuses = [client.get(f"/calendar/{number}.ics").status_code for number in range(allowed + 2)]
        assert statuses == [404] * allowed + [429] * 2
        assert client.get(path).status_code == 200
