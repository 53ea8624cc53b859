"""Puzzles with an account: what was tried is handed over, once each, and is there on every device."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from ..hands import Mouse
from ..messages import text
from ..test_puzzles import found, solve, wait_for
from ..test_server_gone import GONE
from ..watch import Watch
from .conftest import Invite, online_server
from .person import Person

TAKEN = """(tries) => {
    const noted = JSON.parse(localStorage.getItem('punct.puzzles') ?? '{}')
    return noted.tries?.length === 0 && Object.keys(noted.known?.tried ?? {}).length === tries
}"""
"""Whether the browser owes nothing, and was told of so many tries."""


def handed_over(somebody: Person, tries: int) -> dict[str, bool]:
    """Wait until the account knows of so many tries, and return which."""
    somebody.page.wait_for_function(TAKEN, arg=tries)
    tried = somebody.ask("GET", "/puzzles/standing")["tried"]
    assert isinstance(tried, dict)
    return tried


def test_what_was_tried_is_on_the_account(invite: Invite) -> None:
    first, second, *_ = found("win", 1)
    ada = invite("Ada")
    ada.go(f"/puzzles/{first.id}")
    solve(Mouse(ada.page), first)  # before there is an account
    ada.make_account("ada.puzzles")
    ada.go(f"/puzzles/{second.id}")
    assert handed_over(ada, 1) == {first.id: True}
    wait_for(ada.page, second, "try")
    ada.press("solve")
    assert handed_over(ada, 2) == {first.id: True, second.id: False}

    elsewhere = invite("Ada")
    elsewhere.log_in("ada.puzzles")
    elsewhere.go("/puzzles")
    expect(elsewhere.page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=1, all=2))
    rating = elsewhere.ask("GET", "/puzzles/standing")["rating"]
    expect(elsewhere.page.get_by_test_id("rating")).to_contain_text(str(rating))
    elsewhere.go("/account")
    elsewhere.press("log-out")
    elsewhere.go("/puzzles")  # what is the account's stays with it
    expect(elsewhere.page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=0, all=0))


def test_without_the_server_it_waits(invite: Invite, watch: Watch, tmp_path: Path) -> None:
    watch.allow(GONE)
    (puzzle, *_) = found("hold")
    with online_server(tmp_path) as server:
        kim = invite("Kim", at=server)
        kim.make_account("kim.puzzles")
        kim.go(f"/puzzles/{puzzle.id}")
        wait_for(kim.page, puzzle, "try")
        server.kill()
        solve(Mouse(kim.page), puzzle)
        expect(kim.page.get_by_test_id("change")).to_contain_text("(+")
        server.start()
        assert handed_over(kim, 1) == {puzzle.id: True}
