"""Guests: created by their first write, and identified by a cookie."""

from __future__ import annotations

import sqlite3
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, COOKIE, Browser, NewBrowser, error_of
from tests.server.two_player_games import ManualClock, json_of, run_timekeeper

from punct.server.app import create_app
from punct.server.auth.sessions import SESSION_DURATION


def test_there_are_no_players_at_home(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path)) as client:
        answer = client.get(f"{API}/me")
        assert answer.json() == {"mode": "home", "player": None, "ratings": [], "settings": None}
        assert error_of(client.post(f"{API}/me", json={"name": "Anna"})) == (409, "not_offered")
        assert error_of(client.patch(f"{API}/me", json={})) == (409, "not_offered")
        made = client.post(f"{API}/games", json={})
        assert made.status_code == 201 and "set-cookie" not in made.headers


def test_reading_creates_no_guest(new_browser: NewBrowser) -> None:
    anna = new_browser()
    answer = anna.get("/me")
    assert answer.json() == {"mode": "online", "player": None, "ratings": [], "settings": None}
    assert "set-cookie" not in answer.headers


def test_a_guest_is_known_by_a_cookie(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    answer = anna.post("/me", {"name": "  Anna "})
    guest = answer.json()["player"]
    assert (guest["name"], guest["kind"], guest["login"]) == ("Anna", "guest", False)
    cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == "/" and not cookie["secure"]
    assert int(cookie["max-age"]) == SESSION_DURATION.total_seconds()
    assert anna.me() == guest
    assert ben.post("/me").json()["player"]["id"] != guest["id"]
    assert "set-cookie" not in anna.post("/me").headers


def test_the_cookie_is_secure_over_https(new_browser: NewBrowser) -> None:
    client = new_browser().client
    answer = client.post(f"https://testserver{API}/me", headers={"origin": "https://testserver"})
    client.cookies.clear()
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert cookie.key == f"__Host-{COOKIE}" and cookie["secure"] and cookie["path"] == "/" and not cookie["domain"]
    who = answer.json()["player"]
    for name, known in ((f"__Host-{COOKIE}", who), (COOKIE, None)):  # a neighbouring site could have set the other
        answer = client.get(f"https://testserver{API}/me", headers={"cookie": f"{name}={cookie.value}"})
        assert answer.json()["player"] == known
    answer = client.get(f"{API}/me", headers={"cookie": f"__Host-{COOKIE}={cookie.value}"})
    assert answer.json()["player"] is None


def test_a_name_can_be_changed_and_removed(new_browser: NewBrowser) -> None:
    anna = new_browser()
    assert error_of(anna.send("PATCH", "/me", {"name": "Anna"})) == (401, "stranger")
    anna.post("/me")
    assert anna.me()["name"] is None
    assert anna.send("PATCH", "/me", {"name": "Anna"}).json()["player"]["name"] == "Anna"
    changed = anna.send("PATCH", "/me", {"settings": {"theme": "dark", "sounds": [1, None]}}).json()
    assert changed["player"]["name"] == "Anna" and changed["settings"] == {"theme": "dark", "sounds": [1, None]}
    assert anna.send("PATCH", "/me", {"name": None}).json()["player"]["name"] is None
    assert anna.get("/me").json()["settings"] == {"theme": "dark", "sounds": [1, None]}


BLANK = ["\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\u034f", "\ufe0f", "\u17b4", "\U0001d159"]
TAILS = [*BLANK, "\u00ad", "\u200b", "\u200c", "\u200d", "\u200dna", "\u180b", "\ufe00", "\U000e0100", "\U000e0061"]


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "\u202eannA", "A\u0000", "a\u200bb", "\u2066x", "x" * 31, "\u0301", "e" + "\u0301" * 9),
        *BLANK,
        *(f"Anna{tail}" for tail in TAILS),
        "\u062f\u200c\u0627",  # a letter that stands apart anyway
        "\u06cc\u200c",
        "\u0915\u200d\u0937",  # nothing that a joiner could join
    ],
)
def test_misleading_names_are_refused(new_browser: NewBrowser, name: str) -> None:
    anna = new_browser()
    assert error_of(anna.post("/me", {"name": name})) == (422, "invalid_name")


@pytest.mark.parametrize(
    "name, kept",
    [
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u0645\u06cc\u200c\u0646\u0627", "\u0645\u06cc\u200c\u0646\u0627"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("\u05d3\u05bc\u05b8\u05d5\u05b4\u05d3", "\u05d3\u05b8\u05bc\u05d5\u05b4\u05d3"),
        ("I \u2764\ufe0f dots", "I \u2764 dots"),
        ("\U0001f469\u200d\U0001f4bb", "\U0001f469\U0001f4bb"),
        ("\ud55c\uae00", "\ud55c\uae00"),
    ],
)
def test_names_of_every_script_are_accepted(new_browser: NewBrowser, name: str, kept: str) -> None:
    assert new_browser().post("/me", {"name": name}).json()["player"]["name"] == kept


def test_names_in_seats_and_records_are_cleaned(new_browser: NewBrowser) -> None:
    anna = new_browser()
    seats = {"w": {"name": "\u202eBen\u3164 " + "x" * 40}, "b": {"name": "\u2800"}}
    made = anna.post("/games", {"seats": seats}).json()["seats"]
    assert (made["w"]["name"], made["b"]["name"]) == ("Ben " + "x" * 26, None)
    record = '[White "Cleo\u2060"]\n[Black "\u3164"]\n\n1. Ed5ne Tl5s *\n'
    (taken,) = anna.post("/records", {"text": record}).json()["games"]
    assert (taken["seats"]["w"]["name"], taken["seats"]["b"]["name"]) == ("Cleo", None)
    given = anna.get(f"/games/{taken['id']}/record").text
    assert '[White "Cleo"]' in given and "Black" not in given
    (gone_on,) = [anna.post("/games", {"record": record}).json()["seats"]]
    assert (gone_on["w"]["name"], gone_on["b"]["name"]) == ("Cleo", None)


def test_names_are_free_at_home(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path)) as client:
        made = client.post(f"{API}/games", json={"seats": {"w": {"name": "x" * 60}}}).json()
        assert made["seats"]["w"]["name"] == "x" * 60


def test_a_cookie_without_our_origin_cannot_write(new_browser: NewBrowser) -> None:
    anna = new_browser()
    anna.post("/me", {"name": "Anna"})
    known = {"cookie": f"{COOKIE}={anna.cookie}"}
    answer = anna.client.post(f"{API}/me", json={"name": "Eve"}, headers=known)
    assert error_of(answer) == (403, "foreign_origin")
    for site in ("cross-site", "same-site", "none"):
        answer = anna.client.post(f"{API}/me", json={"name": "Eve"}, headers={**known, "sec-fetch-site": site})
        assert error_of(answer) == (403, "foreign_origin")
    answer = anna.client.post(f"{API}/me", json={"name": "Anne"}, headers={**known, "sec-fetch-site": "same-origin"})
    assert answer.json()["player"]["name"] == "Anne"
    answer = anna.post("/me", {"name": "Eve"}, content_type="text/plain")
    assert error_of(answer) == (415, "not_json")
    assert anna.me()["name"] == "Anne"


def test_expired_guests_are_deleted(tmp_path: Path) -> None:
    clock = ManualClock()
    with TestClient(create_app(tmp_path, workers=1, online=True, now=clock)) as client:
        gone, played, back, holder = (Browser(client) for _ in range(4))
        for guest in (gone, played, back):
            guest.post("/me")
        holder.post("/account", {"login": "holder", "password": "three blue bridges"})
        ids = [guest.me()["id"] for guest in (gone, played, back, holder)]
        json_of(played.post("/games", {}), 201)
        clock.advance(days=300)
        assert back.post("/me").status_code == 200
        clock.advance(days=66)
        run_timekeeper(client)
        known = [client.get(f"{API}/players/{player}").status_code for player in ids]
        assert known == [404, 200, 200, 200]
        assert gone.me() is None and back.me()["id"] == ids[2]
        with sqlite3.connect(tmp_path / "punct.sqlite3") as database:
            assert database.execute("SELECT count(*) FROM sessions").fetchone() == (1,)
