"""Connections break, servers are killed, nobody is there: nothing is lost, and time runs out all the same."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from playwright.sync_api import expect

from ..messages import text
from ..test_server_gone import GONE
from ..watch import Watch
from .conftest import Invite, online_server

TIMEOUT_MILLISECONDS = 60_000


def test_a_killed_server_is_there_again_and_a_correspondence_game_goes_on(
    invite: Invite, watch: Watch, tmp_path: Path
) -> None:
    watch.allow(GONE)
    with online_server(tmp_path) as server:
        ada, kim = invite("Ada", at=server), invite("Kim", at=server)
        ada.meet(kim, time="3d")
        ada.type("Ed5ne")
        kim.sees("Ed5ne")
        server.kill()
        for person in (ada, kim):
            expect(person.page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        server.start()
        for person in (ada, kim):
            person.hears(text("notice.resumed"))
        kim.type("Tl10n")
        ada.sees("Tl10n")
        assert [turn["text"] for turn in ada.game["turns"]] == ["Ed5ne", "Tl10n"]


def test_a_line_that_breaks_is_taken_up_where_it_was(invite: Invite, watch: Watch) -> None:
    watch.allow(f"{GONE}|ERR_INTERNET_DISCONNECTED")
    ada, kim = invite("Ada"), invite("Kim")
    ada.meet(kim)
    ada.type("Ed5ne")
    kim.sees("Ed5ne")
    ada.page.context.set_offline(True)
    kim.type("Tl10n")
    expect(ada.page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    ada.page.context.set_offline(False)
    ada.hears(text("notice.resumed"))
    ada.sees("Tl10n")


def test_time_runs_out_with_nobody_there(invite: Invite, tmp_path: Path) -> None:
    with online_server(tmp_path) as server:
        ada, kim = invite("Ada", at=server), invite("Kim", at=server)
        ada.meet(kim, time="1+0")
        ada.type("Ed5ne")
        kim.sees("Ed5ne")
        kim.type("Tl10n")
        ada.sees("Tl10n")
        for person in (ada, kim):
            person.page.goto("about:blank")  # both are gone
        server.kill()
        _hurry(tmp_path, ada.id)
        server.start()
        eve = invite("Eve", at=server)
        eve.id = ada.id
        eve.open()
        expect(eve.see("end")).to_contain_text(text("end.time"), timeout=TIMEOUT_MILLISECONDS)
        assert eve.game["outcome"] == {"winner": "b", "reason": "time"}


def _hurry(data: Path, game_id: str) -> None:
    """Leave White a second: nobody waits a minute for a test. (The server is not running.)"""
    with sqlite3.connect(data / "punct.sqlite3") as store:
        deadline = "strftime('%Y-%m-%d %H:%M:%f', ticking, '+1 second')"
        store.execute(f"UPDATE games SET left_w = 1000, deadline = {deadline} WHERE id = ?", (game_id,))
