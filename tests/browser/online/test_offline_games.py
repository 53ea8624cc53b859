"""A game between two people seen without the server; and what a browser forgets when somebody leaves it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from ..messages import text
from ..test_server_gone import GONE, try_now
from ..test_waiting_moves import KEPT
from ..watch import Watch
from .conftest import Invite, online_server
from .person import Person

PRIVATE = "() => Object.keys(localStorage).filter((key) => key.startsWith('punct.private.')).length"
"""How much this browser has noted about somebody's games."""


def sees_nothing_of(person: Person, game_id: str) -> None:
    """Check that a game is not to be seen without the server."""
    person.go(f"/game/{game_id}")
    expect(person.page.get_by_text(text("notice.offline")).first).to_be_visible()
    expect(person.page.locator("[data-space][role]")).to_have_count(0)


def test_a_game_between_two_is_seen_as_last_known_and_goes_on_by_itself(
    invite: Invite, watch: Watch, tmp_path: Path
) -> None:
    watch.allow(GONE)
    with online_server(tmp_path) as server:
        ada, kim = invite("Ada", at=server, offline=True), invite("Kim", at=server)
        ada.meet(kim, time="3d")
        assert ada.page.evaluate(KEPT) == 1
        ada.type("Ed5ne")
        kim.sees("Ed5ne")
        server.kill()
        ada.page.reload()
        ada.ready()
        ada.see("last-known")
        ada.sees("Ed5ne")
        expect(ada.page.get_by_text("Kim").first).to_be_visible()
        ada.page.evaluate("window.stayed = true")
        server.start()
        kim.hears(text("notice.resumed"))
        kim.type("Tl10n")
        try_now(ada.page)
        ada.sees("Tl10n")
        expect(ada.page.get_by_test_id("last-known")).to_have_count(0)
        assert ada.page.evaluate("window.stayed")  # without a reload
        ada.type("Ta2n")  # and her seat is hers
        kim.sees("Ta2n")


def test_whoever_logs_out_leaves_nothing_to_the_next(invite: Invite, watch: Watch, tmp_path: Path) -> None:
    watch.allow(GONE)
    with online_server(tmp_path) as server:
        ada, kim = invite("Ada", at=server, offline=True), invite("Kim", at=server)
        ada.make_account("ada")
        ada.meet(kim)
        assert ada.page.evaluate(KEPT) == 1
        ada.type("Ed5ne")
        assert ada.page.evaluate(PRIVATE) > 0
        ada.go("/account").press("log-out")
        ada.page.wait_for_url(re.compile(r"/$"))
        assert ada.page.evaluate(PRIVATE) == 0
        eve = Person(ada.page, server, "Eve").make_account("eve")  # at the same screen
        server.kill()
        sees_nothing_of(eve, ada.id)


def test_it_is_forgotten_although_the_server_goes_right_after(invite: Invite, watch: Watch, tmp_path: Path) -> None:
    watch.allow(f"{GONE}|ERR_FAILED")
    with online_server(tmp_path) as server:
        ada, kim = invite("Ada", at=server, offline=True), invite("Kim", at=server)
        ada.make_account("ada")
        ada.meet(kim)
        assert ada.page.evaluate(KEPT) == 1
        assert ada.page.evaluate(PRIVATE) > 0
        ada.go("/account")
        ada.see("log-out")
        ada.page.route("**/api/v1/me", lambda route: route.abort())  # nobody says who is here now
        ada.press("log-out")
        ada.page.wait_for_url(re.compile(r"/$"))
        assert ada.page.evaluate(PRIVATE) == 0
        server.kill()
        sees_nothing_of(ada, ada.id)
