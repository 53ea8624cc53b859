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


@pytest.mark.parametrize("size", SIZES)
def test_the_board_is_seen_whole(open_page: OpenPage, server: Server, size: str) -> None:
    width, height = SIZES[size]
    table = Table(open_page(viewport={"width": width, "height": height}), server).begin("Ed5ne", "Tl10n")
    board = table.page.get_by_test_id("board")
    for tilted in (False, True):
        expect(table.page.get_by_test_id("tilt")).to_have_attribute("aria-pressed", str(tilted).lower())
        seen = box(board)
        assert seen.width <= width and seen.height <= height
        assert seen.width >= min(300, width - 24)  # and is not lost on the screen either
        table.page.get_by_test_id("tilt").click()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_sticks_out_of_a_small_phone(open_page: OpenPage, server: Server, language: str) -> None:
    page = open_page(viewport={"width": 320, "height": 568}, locale=language)
    game = server.begin("Ed5ne", "Tl10n")
    for path in ("/", "/how-to-play", "/settings", "/about", "/results", f"/game/{game}"):
        page.goto(server.address + path)
        expect(page.get_by_role("main")).not_to_be_empty()
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
