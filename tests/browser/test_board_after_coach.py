"""However the coach's reasons end, the board shows the game again: every space as it is after a reload."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .hands import Finger, Hand, Keys, Mouse
from .played import OPENS
from .screens import Screens
from .serving import Server
from .table import Table
from .test_coach import bad, begin, enter, question, with_coach
from .watch import Watch

GOOD = "f9-h11se"
REPLIED = 2
SPACES = """() => [...document.querySelectorAll('[data-space][role="button"]')].map(
    (space) => space.getAttribute('aria-label')
)"""
"""Every space in words, as those hear it who do not see the board."""


@pytest.fixture(autouse=True)
def new(watch: Watch) -> None:
    """A game that nobody has reviewed has no review: the browser notes that, too."""
    watch.allow("404")


def play_anyway(hand: Hand, _: Table) -> None:
    hand.page.get_by_test_id("coach-play").click()


def take_back(hand: Hand, _: Table) -> None:
    hand.page.get_by_test_id("coach-back").click()
    play_another(hand)


def escape(hand: Hand, _: Table) -> None:
    hand.page.keyboard.press("Escape")
    play_another(hand)


def play_elsewhere(hand: Hand, table: Table) -> None:
    del hand
    table.server.play(table.id, GOOD)


def play_another(hand: Hand) -> None:
    expect(question(hand.page)).to_have_count(0)
    hand.page.get_by_test_id("cancel").click()
    enter(hand, "f9", "h11", "se")


def expect_the_game(page: Page, table: Table) -> None:
    """Check that the board shows the game as it stands."""
    expect(page.locator(f'[data-testid="moves"] [data-ply="{REPLIED}"]')).to_be_attached()
    settled = page.locator('[data-testid="prompt"], [data-testid="end"]')  # the computer may have won
    expect(settled).to_be_visible()
    shown = page.evaluate(SPACES)
    page.reload()
    table.ready()
    expect(settled).to_be_visible()
    truth = page.evaluate(SPACES)
    assert [pair for pair in zip(shown, truth, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("hands", [Mouse, Keys, Finger])
@pytest.mark.parametrize("leave", [play_anyway, take_back, escape, play_elsewhere])
def test_the_board_shows_the_game_again(
    screens: Screens, server: Server, hands: Callable[[Page], Hand], leave: Callable[[Hand, Table], None]
) -> None:
    touched = {"has_touch": True, "is_mobile": True} if hands is Finger else {}
    page = with_coach(screens.open({}, **touched))
    for _ in screens.of(page, "phone with bars" if touched else "desktop"):
        hand = hands(page)
        table = begin(page, server, position=OPENS)
        bad(hand)
        page.get_by_test_id("coach-why").click()
        expect(page.get_by_test_id("coach-next")).to_be_focused()
        leave(hand, table)
        expect_the_game(page, table)
