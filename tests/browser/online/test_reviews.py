"""Where people meet: nobody is helped in a running game, and a review is kept by who played."""

from __future__ import annotations

import re
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect

from ..messages import text
from ..watch import Watch
from .conftest import Invite

TURNS = ("Ed5ne", "Tl10n", "d5-d8n", "Th3n")


KEPT = """async (path) => {
    while (!(await fetch('/api/v1' + path)).ok) await new Promise(requestAnimationFrame)
}"""


def test_a_game_between_people_is_looked_at_when_it_is_over(invite: Invite, watch: Watch) -> None:
    watch.allow("404")  # there is no review yet
    ada, kim, eve = invite("Ada"), invite("Kim"), invite("Eve")
    ada.meet(kim)
    for ply, turn in enumerate(TURNS):
        (kim if ply % 2 else ada).ask("POST", f"/games/{ada.id}/turns", {"text": turn, "ply": ply})
    ada.sees(TURNS[-1])
    ada.press("more")
    expect(ada.page.get_by_test_id("analyse-game")).to_have_count(0)
    eve.go(f"/game/{ada.id}").see("watching")
    eve.press("more")
    eve.see("analyse-game")
    kim.ask("POST", f"/games/{ada.id}/resign", {})

    path = f"/games/{ada.id}/review"
    eve.go(f"/game/{ada.id}/review?nodes=20").see("review-summary")
    expect(eve.page.get_by_test_id("not-kept")).to_have_count(0)  # only shown: she has no part in it
    eve.see("learn-w")
    with pytest.raises(HTTPError, match="404"):
        ada.server.ask(path)

    ada.see("end")
    ada.press("review")
    ada.page.wait_for_url(re.compile(r"/review$"))
    ada.see("review-summary")
    expect(ada.page.get_by_test_id("learn-w")).to_have_count(0)  # hers alone
    expect(ada.page.get_by_test_id("players")).to_contain_text(text("end.wins", colour=text("colour.w")))
    expect(ada.page.get_by_test_id("review-progress")).to_have_count(0)
    ada.page.evaluate(KEPT, path)
    assert len(ada.server.ask(path)["turns"]) == len(TURNS)
