"""A server used at home goes online: the link it prints makes its reader the administrator, who owns its games."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.online_client import API, PASSWORD, Browser, error_of
from tests.server.two_player_games import play_moves, start_game

from punct.server.accounts.links import create_adoption_link
from punct.server.accounts.store import AccountStore
from punct.server.app import create_app
from punct.server.db.database import open_database
from punct.server.games.store import GameStore


def link(where: Path | str) -> str | None:
    with contextlib.closing(GameStore(open_database(where))) as store:
        found = create_adoption_link(AccountStore(store.database))
    return None if found is None else found.removeprefix("/admin/adopt#")


def test_games_played_at_home_go_to_the_administrator(store_url: Path | str) -> None:
    with TestClient(create_app(store_url, workers=1)) as client:
        at_home = client.post(f"{API}/games", json={}).json()
        assert client.post(f"{API}/games/{at_home['id']}/turns", json={"text": "Ed5ne", "ply": 0}).status_code == 200
    first, secret = link(store_url), link(store_url)
    assert first is not None and secret is not None
    with TestClient(create_app(store_url, workers=1, online=True)) as client:
        anna, ben, carl = (Browser(client) for _ in range(3))
        path = f"/games/{at_home['id']}"
        next_turn = {"text": "Tl10n", "ply": 1}
        assert error_of(ben.post(f"{path}/turns", next_turn)) == (403, "not_your_seat")
        assert error_of(ben.delete(path)) == (403, "not_your_seat")
        assert error_of(anna.post("/admin/adopt", {"secret": secret})) == (401, "stranger")
        anna.post("/me", {"name": "Anna"})
        assert error_of(anna.post("/admin/adopt", {"secret": secret})) == (403, "no_account")
        anna.post("/account", {"login": "anna", "password": PASSWORD})
        assert error_of(anna.post("/admin/adopt", {"secret": first})) == (403, "bad_link")  # another was made since
        bot = Browser(client)
        bot.post("/account", {"login": "bot", "password": PASSWORD})
        bot.post("/me/bot", {"password": PASSWORD})
        assert error_of(bot.post("/admin/adopt", {"secret": secret})) == (409, "too_late")
        assert bot.me()["kind"] == "bot"
        assert anna.post("/admin/adopt", {"secret": secret}).json() == {"games": 1}
        assert anna.me()["kind"] == "admin"
        carl.post("/account", {"login": "carl", "password": PASSWORD})
        assert error_of(carl.post("/admin/adopt", {"secret": secret})) == (403, "bad_link")
        assert link(store_url) is None

        # Both seats of a game that was played at one screen are hers, as they were everybody's.
        assert anna.post(f"{path}/turns", next_turn).json()["ply"] == 2
        # In a game of others she sits nowhere, but she may delete it.
        game = play_moves(start_game(ben, carl), (ben, "Ed5ne"))
        of_others = f"/games/{game['id']}"
        assert error_of(anna.post(f"{of_others}/turns", next_turn)) == (403, "not_your_seat")
        assert error_of(anna.post(f"{of_others}/resign", {"colour": "w"})) == (403, "not_your_seat")
        # All that at a browser: a token of hers sees no more of others than anybody, and deletes nothing.
        bearer = {"authorization": f"Bearer {anna.token('read', 'challenge', 'play')['secret']}"}
        page = f"/players/{ben.me()['id']}/games"
        assert [found["id"] for found in anna.get(page).json()["games"]] == [game["id"]]
        assert client.get(f"{API}{page}", headers=bearer).json()["games"] == []
        assert client.get(f"{API}{of_others}/you", headers=bearer).json()["may"]["delete"] is False
        assert error_of(client.delete(f"{API}{of_others}", headers=bearer)) == (403, "not_in_scope")
        assert anna.delete(of_others).status_code == 204


@pytest.mark.skipif(os.name != "posix", reason="other systems have other rights")
def test_the_store_is_readable_only_by_its_user(tmp_path: Path) -> None:
    """It has the key that cookies are signed with."""
    with TestClient(create_app(tmp_path / "new", online=True)):
        assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new").iterdir()} == {0o600}


def test_the_adoption_link_is_printed_until_there_is_an_administrator(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "punct", "serve", "--no-open", "--port", "0", "--data", str(tmp_path)]
    for options, link in (
        (["--online"], r"opens http://[\d.:]+/admin/adopt#[\w-]{32} first"),
        (["--name", "punct.example.org"], r"opens https://punct\.example\.org/admin/adopt#[\w-]{32} first"),
        ([], None),
    ):
        process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("PÜNCT is at http://")
            line = process.stdout.readline()
            assert re.search(link, line) if link else "adopt" not in line, line
        finally:
            process.terminate()
            process.communicate()
