"""From the smallest phone to the desktop: nothing sticks out, and the board is seen whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .hands import box
from .messages import LANGUAGES
from .serving import Server
from .table import Table
from .watch import OpenPage

SIZES = {
    "small phone": (320, 568),
    "phone": (390, 780),
    "phone on its side": (844, 390),
    "tablet": (768, 1024),
    "laptop": (1024, 640),
    "desktop": (1440, 900),
}


def test_the_board_is_seen_whole(table: Table) -> None:
    table.begin("Ed5ne", "Tl10n")
    board = table.page.get_by_test_id("board")
    for size, (width, height) in SIZES.items():
        table.page.set_viewport_size({"width": width, "height": height})
        for tilted in (False, True):
            expect(table.page.get_by_test_id("tilt")).to_have_attribute("aria-pressed", str(tilted).lower())
            seen = box(board)
            assert seen.width <= width and seen.height <= height, size
            assert seen.width >= min(300, width - 24), size  # and is not lost on the screen either
            table.page.get_by_test_id("tilt").click()


PAGES = {
    "/": "begin",
    "/learn": "course",
    "/learn/pin": "task",
    "/puzzles": "mode-day",
    "/puzzles/day": "task",
    "/puzzles/streak": "score",
    "/puzzles/clock": "start",
    "/how-to-play": "legend",
    "/settings": "settings",
    "/about": "about-page",
    "/results": "results-page",
}
"""Every page, and what is there when it is complete."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_sticks_out_of_a_small_phone(open_page: OpenPage, server: Server, language: str) -> None:
    page = open_page(viewport={"width": 320, "height": 568}, locale=language)
    table = Table(page, server)
    for path, part in PAGES.items():
        page.goto(server.address + path)
        expect(page.get_by_test_id(part)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    table.begin("Ed5ne", "Tl10n")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
