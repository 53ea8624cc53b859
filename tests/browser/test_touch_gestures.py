"""Fingers on a small board: a lens while they aim, two of them bring the board closer, and the page still scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from .hands import Keys, middle, place_of
from .messages import text
from .played import STACKS
from .screens import PHONES, Fingers, Screens
from .serving import Server
from .table import Table


def lens_on(page: Page) -> Locator:
    """Return the enlarged view of what a finger aims at."""
    return page.get_by_test_id("lens")


def apart(table: Table) -> float:
    """Return how many pixels are between two spaces."""
    return middle(table.space("k11"))[0] - middle(table.space("i10"))[0]


def pinch(table: Table, fingers: Fingers, space: str, *, start: int = 20, end: int = 50) -> None:
    """Part two fingers over a space."""
    x, y = middle(table.space(space))
    fingers.down((x - start, y))
    fingers.down((x - start, y), (x + start, y))
    for reach in range(start, end + 1, 5) if end > start else range(start, end - 1, -5):
        fingers.move((x - reach, y), (x + reach, y))
    fingers.up((x - end, y))
    fingers.up()


def test_a_finger_that_aims_sees_larger_what_it_aims_at(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        finger.choose("k10")
        fingers = Fingers(page)
        x, y = middle(table.space("f10"))
        fingers.down((x, y))
        lens = lens_on(page)
        expect(lens).to_be_visible()
        assert table.ghost.count() == 0
        goal_x, goal_y = middle(table.space("f5"))
        for step in range(1, 6):
            fingers.move((x + (goal_x - x) * step / 5, y + (goal_y - y) * step / 5))
        expect(table.ghost).to_have_attribute("data-space", "f5")  # the ghost is under the finger, and in the lens
        seen = place_of(lens)
        assert seen.x >= 0 and seen.y >= 0  # all of it, and not under the finger
        assert (seen.x + seen.width / 2 - goal_x) ** 2 + (seen.y + seen.height / 2 - goal_y) ** 2 > (
            seen.width / 2
        ) ** 2
        shown = lens.locator("svg").evaluate("(svg) => svg.viewBox.baseVal.width / svg.clientWidth")
        drawn = page.get_by_test_id("board").locator("svg").first
        assert shown < 0.55 * drawn.evaluate("(svg) => svg.viewBox.baseVal.width / svg.clientWidth")
        fingers.up()
        expect(lens).to_have_count(0)
        finger.confirm()
        expect(table.current).to_contain_text("k10-f5")


def test_a_finger_beside_a_landing_aims_too(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        finger.choose("k10")
        fingers = Fingers(page)
        x, y = middle(table.space("f11"))  # empty, and the piece may not go there
        fingers.down((x, y))
        expect(lens_on(page)).to_be_visible()
        goal_x, goal_y = middle(table.space("f10"))
        for step in range(1, 6):
            fingers.move((x + (goal_x - x) * step / 5, y + (goal_y - y) * step / 5))
        expect(table.ghost).to_have_attribute("data-space", "f10")
        fingers.up()
        expect(lens_on(page)).to_have_count(0)
        expect(page.get_by_test_id("confirm")).to_be_enabled()
        assert page.evaluate("scrollY") == 0 and table.game["ply"] == 0


def test_a_quick_tap_shows_no_lens(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        page.evaluate(
            """() => new MutationObserver(() => {
                if (document.querySelector('[data-testid="lens"]')) document.title = 'lens'
            }).observe(document.body, { childList: true, subtree: true })"""
        )
        finger.choose("k10")
        finger.place("f10")
        expect(table.ghost).to_have_attribute("data-space", "f10")
        assert page.title() != "lens"


def test_a_piece_dragged_from_the_set_is_seen_in_the_lens(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin()
        fingers = Fingers(page)
        x, y = middle(page.get_by_test_id("take-wT"))
        goal_x, goal_y = middle(table.space("e4"))
        fingers.down((x, y))
        for step in range(1, 9):  # the piece is held 64 above the finger
            fingers.move((x + (goal_x - x) * step / 8, y + (goal_y + 64 - y) * step / 8))
        expect(lens_on(page)).to_be_visible()
        expect(table.ghost).to_have_attribute("data-space", "e4")
        fingers.up()
        expect(lens_on(page)).to_have_count(0)


@pytest.mark.parametrize("tilted", [False, True])
def test_two_fingers_bring_the_board_closer(screens: Screens, server: Server, tilted: bool) -> None:
    for _, finger in screens.touched(*PHONES, tilted=tilted):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        fingers = Fingers(page)
        whole = apart(table)
        board = place_of(page.get_by_test_id("board"))
        pinch(table, fingers, "i9")
        back = page.get_by_test_id("whole-board")
        expect(back).to_be_visible()
        assert apart(table) > 2 * whole
        assert place_of(page.get_by_test_id("board")) == board  # within the place it has
        expect(page.get_by_test_id("centre")).to_be_hidden()  # the corners are the board's as well
        assert page.evaluate("visualViewport.scale") == 1 and page.evaluate("scrollY") == 0
        expect(page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))  # nothing was tapped
        x, y = middle(table.space("i9"))
        fingers.down((x, y))  # one finger moves what is seen
        for step in range(1, 7):
            fingers.move((x - 8 * step, y + 5 * step))
        fingers.up()
        now_x, now_y = middle(table.space("i9"))
        assert abs(now_x - (x - 48)) < 6 and abs(now_y - (y + 30)) < 6
        assert page.evaluate("scrollY") == 0
        finger.choose("k10")  # and a turn is entered as ever
        expect(page.get_by_test_id("cancel")).to_be_visible()
        back.tap()
        expect(back).to_have_count(0)
        assert abs(apart(table) - whole) < 0.5
        expect(page.get_by_test_id("cancel")).to_be_visible()


def test_fingers_that_close_bring_the_whole_board_back(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        fingers = Fingers(page)
        pinch(table, fingers, "i9")
        expect(page.get_by_test_id("whole-board")).to_be_visible()
        pinch(table, fingers, "i9", start=60, end=15)
        expect(page.get_by_test_id("whole-board")).to_have_count(0)


def test_the_keyboard_never_leaves_what_is_seen(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        pinch(table, Fingers(page), "c4")
        expect(page.get_by_test_id("whole-board")).to_be_visible()
        Keys(page).go_to("p14")
        board, space = place_of(page.get_by_test_id("board")), place_of(table.space("p14"))
        assert board.x < space.x and space.x + space.width < board.x + board.width
        assert board.y < space.y and space.y + space.height < board.y + board.height


def test_a_pinch_keeps_a_turn_in_progress(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        finger.choose("k10")
        finger.place("f10")
        pinch(table, Fingers(page), "f10")
        expect(page.get_by_test_id("whole-board")).to_be_visible()
        expect(table.ghost).to_have_attribute("data-space", "f10")
        finger.head("s")
        finger.confirm()
        table.expect_played("k10-f10s", "move")


def swipe(fingers: Fingers, x: float, y: float) -> None:
    """Slide a finger up; it stays on the glass."""
    fingers.down((x, y))
    for step in range(1, 11):
        fingers.move((x, y - 12 * step))


def test_the_page_scrolls_where_nothing_is_held(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched("phone", "phone with bars"):  # on its side the whole board is in sight anyway
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        fingers = Fingers(page)
        before = page.evaluate("scrollY")
        swipe(fingers, *middle(table.space("k10")))  # a piece that may be dragged is dragged
        expect(page.get_by_test_id("cancel")).to_be_visible()
        fingers.up()
        assert page.evaluate("scrollY") == before
        page.keyboard.press("Escape")
        swipe(fingers, *middle(table.space("n7")))  # an empty space, nothing chosen
        page.wait_for_function("scrollY > 40")
        fingers.up()
        expect(page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))
        page.evaluate("scrollTo(0, 0)")
        finger.choose("k10")
        swipe(fingers, *middle(table.space("n7")))  # nor is anything held far from where the piece may land
        page.wait_for_function("scrollY > 40")
        fingers.up()
        expect(page.get_by_test_id("cancel")).to_be_visible()
        expect(table.ghost).to_have_count(0)
