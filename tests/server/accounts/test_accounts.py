"""Accounts: signing up, logging in and out, tokens, deletion."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import PASSWORD, PROOF, Browser, NewBrowser, create_account, error_of, log_in

from punct.server.accounts import service as account_service
from punct.server.app import create_app


def test_a_guest_who_signs_up_keeps_their_identity(new_browser: NewBrowser) -> None:
    anna = new_browser()
    guest = anna.post("/me", {"name": "Anna"}).json()["player"]
    before = anna.cookie
    answer = anna.post("/account", {"login": "Anna.First", "password": PASSWORD})
    assert answer.status_code == 201
    assert answer.json()["player"] == {**guest, "kind": "person", "login": True, "password": True}
    assert anna.cookie != before and anna.me() == answer.json()["player"]
    assert Browser(anna.client, before).me() is None  # the guest's old cookie opens nothing
    assert error_of(anna.post("/account", {"login": "second", "password": PASSWORD})) == (409, "has_account")
    elsewhere = new_browser()
    assert elsewhere.post("/session", {"login": " ANNA.first", "password": PASSWORD}).json()["player"] == anna.me()
    anna.delete("/me", {"password": PASSWORD})


def test_misleading_names_are_refused_at_sign_up(new_browser: NewBrowser) -> None:
    anna = new_browser()
    wanted = {"login": "anna.third", "password": PASSWORD}
    assert error_of(anna.post("/account", {**wanted, "name": "Anna\u3164"})) == (422, "invalid_name")
    assert anna.me() is None
    assert anna.post("/account", {**wanted, "name": "Anna"}).json()["player"]["name"] == "Anna"


def test_logins_are_unique(new_browser: NewBrowser) -> None:
    _, login = create_account(new_browser)
    ben = new_browser()
    assert error_of(ben.post("/account", {"login": login.upper(), "password": PASSWORD})) == (409, "login_taken")
    assert ben.me()["kind"] == "guest"


@pytest.mark.parametrize(
    "login", ["ab", "a b c", "-anna", "ännä", "x" * 31, "anna@home", "аnna"]
)  # the last is Cyrillic
def test_misleading_logins_are_refused(new_browser: NewBrowser, login: str) -> None:
    assert error_of(new_browser().post("/account", {"login": login, "password": PASSWORD})) == (422, "invalid_login")


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaa", "benjamin1", "x" * 201, "\ud800abcdefgh"])
def test_weak_passwords_are_refused(new_browser: NewBrowser, password: str) -> None:
    client = new_browser().client
    answer = client.post(
        "/api/v1/account",
        content=b'{"login": "benjamin", "password": %s}' % json.dumps(password).encode(),
        headers={"content-type": "application/json"},
    )
    client.cookies.clear()
    assert answer.status_code == 422 and answer.json()["error"]["code"] in ("weak_password", "malformed")
    assert password not in answer.text or len(password) < 6


def test_wrong_logins_and_wrong_passwords_get_the_same_error(new_browser: NewBrowser) -> None:
    _, login = create_account(new_browser)
    wrong = new_browser().post("/session", {"login": login, "password": "three blue bridge"})
    unknown = new_browser().post("/session", {"login": "nobody-at-all", "password": PASSWORD})
    assert error_of(wrong) == error_of(unknown) == (401, "wrong_password")
    assert wrong.json() == unknown.json()
    assert "set-cookie" not in wrong.headers


def test_passwords_are_normalized(new_browser: NewBrowser) -> None:
    anna = new_browser()
    anna.post("/account", {"login": "umlaut", "password": "Bru\u0308cken bauen"})
    assert log_in(new_browser(), "umlaut", "Br\u00fccken bauen") == (200, None)
    anna.delete("/me", {"password": "Br\u00fccken bauen"})


def test_logging_out_ends_the_session(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    phone = new_browser()
    assert log_in(phone, login) == (200, None)
    kept = phone.cookie
    assert phone.delete("/session").status_code == 204
    assert phone.cookie is None
    assert Browser(phone.client, kept).me() is None
    assert error_of(Browser(phone.client, kept).delete("/session")) == (401, "stranger")
    assert anna.me() is not None


def test_logging_out_everywhere_ends_all_sessions(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    phone = new_browser()
    log_in(phone, login)
    kept = anna.cookie
    assert phone.delete("/sessions").status_code == 204
    assert anna.me() is None and Browser(anna.client, kept).me() is None and phone.me() is None
    assert log_in(anna, login) == (200, None)


def test_changing_the_password_ends_all_other_sessions(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    phone = new_browser()
    log_in(phone, login)
    change = {"old": "wrong wrong", "new": "four red bridges"}
    assert error_of(anna.send("PUT", "/account/password", change)) == (401, "wrong_password")
    assert phone.me() is not None
    assert anna.send("PUT", "/account/password", {**change, "old": PASSWORD}).status_code == 200
    assert anna.me() is not None and phone.me() is None
    assert log_in(phone, login) == (401, "wrong_password")
    assert log_in(phone, login, "four red bridges") == (200, None)


def test_logging_in_merges_the_guest(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    assert anna.me()["name"] is None
    phone = new_browser()
    guest = phone.post("/me", {"name": "Anna on the train"}).json()["player"]["id"]
    kept = phone.cookie
    assert log_in(phone, login) == (200, None)
    assert phone.me() == anna.me() and anna.me()["name"] == "Anna on the train"
    assert Browser(phone.client, kept).me() is None
    assert phone.me()["id"] != guest


def test_an_account_without_settings_gets_those_of_the_guest(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    for settings in ({"theme": "dark", "language": "pl"}, {"theme": "light"}):
        other = new_browser()
        other.post("/me")
        other.send("PATCH", "/me", {"settings": settings})
        assert log_in(other, login) == (200, None)
        assert anna.get("/me").json()["settings"] == {"theme": "dark", "language": "pl"}  # the first ones stay


def test_deleting_an_account_needs_the_password(new_browser: NewBrowser) -> None:
    anna, login = create_account(new_browser)
    assert error_of(anna.delete("/me")) == (401, "wrong_password")
    assert error_of(anna.delete("/me", {"password": "guessing"})) == (401, "wrong_password")
    assert anna.delete("/me", {"password": PASSWORD}).status_code == 204
    assert anna.me() is None
    assert log_in(anna, login) == (401, "wrong_password")


def test_deleting_a_guest_needs_no_password(new_browser: NewBrowser) -> None:
    anna = new_browser()
    anna.post("/me")
    assert anna.delete("/me").status_code == 204
    assert anna.me() is None and error_of(anna.delete("/me")) == (401, "stranger")


# ---------------------------------------------------------------------- tokens and bots


def speaks(browser: Browser, secret: str, method: str, path: str, json: object = None) -> tuple[int, str | None]:
    """Ask with a token, without cookie or Origin."""
    headers = {"authorization": f"Bearer {secret}"}
    answer = browser.client.request(method, f"/api/v1{path}", json=json, headers=headers)
    assert "set-cookie" not in answer.headers
    return answer.status_code, None if answer.is_success else answer.json()["error"]["code"]


def test_a_token_acts_for_its_owner_within_its_scopes(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    made = anna.post("/tokens", {"name": "My bot", "scopes": ["play", "read"], **PROOF})
    assert made.status_code == 201
    secret = made.json()["secret"]
    assert secret.startswith("punct_")
    (listed,) = anna.get("/tokens").json()["tokens"]
    assert listed == {key: value for key, value in made.json().items() if key != "secret"}
    assert listed["scopes"] == ["play", "read"] and listed["used"] is None
    answer = anna.client.get("/api/v1/me", headers={"authorization": f"Bearer {secret}"})
    assert answer.json()["player"] == anna.me()
    assert anna.get("/tokens").json()["tokens"][0]["used"] is not None
    assert speaks(anna, secret, "POST", "/games", {}) == (403, "not_in_scope")
    assert speaks(anna, secret, "GET", "/games") == (200, None)
    for method, path in [
        ("POST", "/tokens"),
        ("GET", "/tokens"),
        ("PATCH", "/me"),
        ("DELETE", "/me"),
        ("POST", "/me/bot"),
        ("PUT", "/account/password"),
        ("DELETE", "/sessions"),
        ("POST", "/session"),
        ("POST", "/account"),
        ("POST", "/admin/adopt"),
        ("DELETE", "/games/x"),
        ("POST", "/records"),
    ]:
        if method == "GET":
            assert speaks(anna, secret, method, path) == (401, "stranger")
        else:
            assert speaks(anna, secret, method, path, {}) == (403, "not_in_scope"), path
    assert anna.delete(f"/tokens/{listed['id']}").status_code == 204
    assert error_of(anna.delete(f"/tokens/{listed['id']}")) == (404, "unknown_token")
    assert speaks(anna, secret, "GET", "/me") == (401, "bad_token")


def test_only_accounts_have_tokens_and_see_only_their_own(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_service, "MAX_TOKENS", 5)
    guest = new_browser()
    guest.post("/me")
    assert error_of(guest.post("/tokens", {"name": "x", "scopes": ["play"]})) == (403, "no_account")
    anna, _ = create_account(new_browser)
    ben, _ = create_account(new_browser)
    token = anna.token("play", days=1)
    assert token["expires"] is not None
    assert error_of(ben.delete(f"/tokens/{token['id']}")) == (404, "unknown_token")
    assert ben.get("/tokens").json() == {"tokens": []}
    assert error_of(anna.post("/tokens", {"name": "x", "scopes": ["everything"], **PROOF})) == (422, "malformed")
    for number in range(4):
        assert anna.post("/tokens", {"name": f"x{number}", "scopes": ["read"], **PROOF}).status_code == 201
    assert error_of(anna.post("/tokens", {"name": "one more", "scopes": ["read"], **PROOF})) == (409, "too_late")


def test_creating_a_token_needs_the_password(new_browser: NewBrowser) -> None:
    anna, _ = create_account(new_browser)
    wanted = {"name": "stolen", "scopes": ["play"]}
    for proof in ({}, {"password": "four red bridges"}):
        assert error_of(anna.post("/tokens", {**wanted, **proof})) == (401, "wrong_password")
    assert anna.get("/tokens").json() == {"tokens": []}


def test_no_password_is_stored_with_an_idempotency_key(tmp_path: Path) -> None:
    """Else whoever steals the store could guess it by a hash that is far quicker than Argon2."""
    with TestClient(create_app(tmp_path, workers=1, online=True)) as client:
        anna, _ = create_account(lambda: Browser(client))
        wanted = {"name": "program", "scopes": ["play"], "days": None}
        assert anna.post("/tokens", {**wanted, **PROOF}, Idempotency_Key="token").status_code == 201
        with sqlite3.connect(tmp_path / "punct.sqlite3") as database:
            (kept,) = database.execute("SELECT wish FROM requests").fetchone()
        said = b"POST /api/v1/tokens\n" + json.dumps(wanted, separators=(",", ":")).encode()
        assert kept == hashlib.sha256(said).hexdigest()[:32]


def test_a_bot_account_stays_a_bot(new_browser: NewBrowser) -> None:
    guest = new_browser()
    guest.post("/me")
    assert error_of(guest.post("/me/bot")) == (403, "no_account")
    anna, _ = create_account(new_browser)
    for wrong in (None, {}, {"password": "four red bridges"}):  # an open browser alone does nothing for good
        assert error_of(anna.post("/me/bot", wrong)) == (401, "wrong_password")
    assert anna.me()["kind"] == "person"
    assert anna.post("/me/bot", PROOF).json()["player"]["kind"] == "bot"
    assert anna.post("/me/bot").json()["player"]["kind"] == "bot"
    assert anna.me()["kind"] == "bot"
