"""A lost password: the administrator prints a link, which sets a new one, once."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from starlette.testclient import TestClient
from tests.server.online_client import API, PASSWORD, Browser, error_of
from typer.testing import CliRunner

from punct.cli.admin import admin
from punct.server.accounts.links import RESET_LINK_DURATION, create_reset_link
from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.games.store import GameStore

NEW = "four red bridges"


def printed(where: Path | str, player: str, *options: str) -> tuple[int, str]:
    """Return how ``punct admin reset-password`` ended, and what it said."""
    store = ["--database-url", where] if isinstance(where, str) else ["--data", str(where)]
    ran = CliRunner().invoke(admin, ["reset-password", *options, *store, "--", player])  # ids may begin with a hyphen
    return ran.exit_code, ran.output


def link(where: Path | str, player: str) -> str:
    code, said = printed(where, player)
    assert code == 0, said
    return said.strip().removeprefix("/reset#")


def reset(browser: Browser, secret: str, password: str = NEW) -> tuple[int, str | None]:
    answer = browser.post("/account/reset", {"secret": secret, "password": password})
    return answer.status_code, None if answer.is_success else answer.json()["error"]["code"]


def test_a_link_sets_a_new_password_once(store_url: Path | str) -> None:
    with TestClient(create_app(store_url, workers=1, online=True)) as client:
        anna, phone, eve = (Browser(client) for _ in range(3))
        anna.post("/account", {"login": "anna", "password": PASSWORD, "name": "Anna"})
        older, secret = link(store_url, "anna"), link(store_url, "Anna")
        bearer = {"authorization": f"Bearer {anna.token('play')['secret']}"}
        assert client.get(f"{API}/me", headers=bearer).is_success
        eve.post("/me")
        player_id = anna.me()["id"]
        for guess in (older, secret[:-1], player_id, f"{player_id}/", secret.partition("/")[2], f"x{secret}", "/"):
            assert reset(eve, guess) == (403, "bad_link"), guess
        assert eve.me()["kind"] == "guest"
        assert reset(phone, secret, "short") == (422, "weak_password")  # which uses up nothing
        assert reset(phone, secret) == (200, None)
        assert phone.me()["name"] == "Anna" and anna.me() is None  # every other browser has to log in anew
        assert error_of(client.get(f"{API}/me", headers=bearer)) == (401, "bad_token")  # and every program
        assert phone.get("/tokens").json() == {"tokens": []}
        assert reset(eve, secret, "five green bridges") == (403, "bad_link")
        assert error_of(eve.post("/session", {"login": "anna", "password": PASSWORD})) == (401, "wrong_password")
        assert anna.post("/session", {"login": "anna", "password": NEW}).is_success


def test_a_reset_link_is_valid_for_a_day_and_one_account(store_url: Path | str) -> None:
    now = datetime.now(UTC)
    with TestClient(create_app(store_url, workers=1, online=True)) as client:
        anna, guest = Browser(client), Browser(client)
        anna.post("/account", {"login": "anna", "password": PASSWORD})
        guest.post("/me")
        with contextlib.closing(GameStore(open_database(store_url))) as store:
            late = create_reset_link(
                AccountStore(store.database), anna.me()["id"], now - RESET_LINK_DURATION - timedelta(seconds=1)
            )
            assert late is not None and reset(guest, late.removeprefix("/reset#")) == (403, "bad_link")
            assert create_reset_link(AccountStore(store.database), guest.me()["id"], now) is None
        code, said = printed(store_url, guest.me()["id"])
        assert code == 2 and "no account" in said
        code, said = printed(store_url, "nobody")
        assert code == 2 and "no player nobody" in said
        code, said = printed(store_url, "anna", "--server", "https://punct.example.org/")
        assert said.startswith("https://punct.example.org/reset#")
        anna.delete("/me", {"password": PASSWORD})
        assert reset(guest, said.strip().partition("/reset#")[2]) == (403, "bad_link")
        with contextlib.closing(open_database(store_url)) as database:
            assert {name for (name,) in database.fetch_all("SELECT name FROM secrets")} <= {"cookies", "push"}
