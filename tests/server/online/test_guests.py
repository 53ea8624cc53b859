"""Guests: known by a cookie alone, made when they first do something."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from punct.server.api.app import create_app
from punct.server.people.players import SESSION

from .helpers import API, COOKIE, Browser, refused

New = Callable[[], Browser]


def test_at_home_nobody_has_a_name(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path)) as client:
        answer = client.get(f"{API}/me")
        assert answer.json() == {"mode": "home", "player": None, "ratings": [], "settings": None}
        assert refused(client.post(f"{API}/me", json={"name": "Anna"})) == (409, "not_offered")
        assert refused(client.patch(f"{API}/me", json={})) == (409, "not_offered")
        made = client.post(f"{API}/games", json={})
        assert made.status_code == 201 and "set-cookie" not in made.headers


def test_watching_needs_no_cookie(browser: New) -> None:
    anna = browser()
    answer = anna.get("/me")
    assert answer.json() == {"mode": "online", "player": None, "ratings": [], "settings": None}
    assert "set-cookie" not in answer.headers


def test_a_guest_is_known_by_a_cookie(browser: New) -> None:
    anna, ben = browser(), browser()
    answer = anna.post("/me", {"name": "  Anna "})
    guest = answer.json()["player"]
    assert (guest["name"], guest["kind"], guest["login"]) == ("Anna", "guest", False)
    cookie = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == "/" and not cookie["secure"]
    assert int(cookie["max-age"]) == SESSION.total_seconds()
    assert anna.me() == guest
    assert ben.post("/me").json()["player"]["id"] != guest["id"]
    assert "set-cookie" not in anna.post("/me").headers


def test_over_an_encrypted_line_the_cookie_stays_on_such(browser: New) -> None:
    client = browser().client
    answer = client.post(f"https://testserver{API}/me", headers={"origin": "https://testserver"})
    client.cookies.clear()
    assert SimpleCookie(answer.headers["set-cookie"])[COOKIE]["secure"]


def test_a_name_can_be_changed_and_given_up(browser: New) -> None:
    anna = browser()
    assert refused(anna.send("PATCH", "/me", {"name": "Anna"})) == (401, "stranger")
    anna.post("/me")
    assert anna.me()["name"] is None
    assert anna.send("PATCH", "/me", {"name": "Anna"}).json()["player"]["name"] == "Anna"
    changed = anna.send("PATCH", "/me", {"settings": {"theme": "dark", "sounds": [1, None]}}).json()
    assert changed["player"]["name"] == "Anna" and changed["settings"] == {"theme": "dark", "sounds": [1, None]}
    assert anna.send("PATCH", "/me", {"name": None}).json()["player"]["name"] is None
    assert anna.get("/me").json()["settings"] == {"theme": "dark", "sounds": [1, None]}


@pytest.mark.parametrize(
    "name", ["", "   ", "\u202eannA", "A\u0000", "a\u200bb", "\u2066x", "x" * 31, "\u0301", "e" + "\u0301" * 9]
)
def test_names_that_mislead_are_refused(browser: New, name: str) -> None:
    anna = browser()
    assert refused(anna.post("/me", {"name": name})) == (422, "invalid_name")


def test_a_cookie_without_our_page_changes_nothing(browser: New) -> None:
    anna = browser()
    anna.post("/me", {"name": "Anna"})
    known = {"cookie": f"{COOKIE}={anna.cookie}"}
    answer = anna.client.post(f"{API}/me", json={"name": "Eve"}, headers=known)
    assert refused(answer) == (403, "foreign_origin")
    for site in ("cross-site", "same-site", "none"):
        answer = anna.client.post(f"{API}/me", json={"name": "Eve"}, headers={**known, "sec-fetch-site": site})
        assert refused(answer) == (403, "foreign_origin")
    answer = anna.client.post(f"{API}/me", json={"name": "Anne"}, headers={**known, "sec-fetch-site": "same-origin"})
    assert answer.json()["player"]["name"] == "Anne"
    answer = anna.post("/me", {"name": "Eve"}, content_type="text/plain")
    assert refused(answer) == (415, "not_json")
    assert anna.me()["name"] == "Anne"
