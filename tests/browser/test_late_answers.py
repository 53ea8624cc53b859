"""Answers that come late: what they were asked for has gone by then, and nothing of them is shown or played."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .hands import Mouse
from .messages import text
from .screens import Screens
from .serving import Server
from .test_analysis import analysis, current, play

SCREENS = ("desktop", "phone with bars")
KEYS_AT_ONCE = """(keys) => {
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}"""
"""Keys pressed with nothing between them, not even an answer."""


def test_a_move_stays_where_it_was_played_in_the_tree(screens: Screens, server: Server) -> None:
    page = screens.open({})
    for _ in screens.of(page, *SCREENS):
        table = analysis(page, server)
        play(table, "E", "d5", "w")
        expect(current(page)).to_have_attribute("data-path", "0")
        mouse = Mouse(page)
        mouse.take("b", "T")
        mouse.place("l10")
        expect(table.ghost).to_be_visible()
        page.evaluate(KEYS_AT_ONCE, ["Enter", "ArrowLeft"])
        expect(page.locator('[data-testid="tree"] [data-path="0.0"]')).to_contain_text("Tl10")
        expect(current(page)).to_have_attribute("data-path", "0")
        expect(page.get_by_test_id("variation")).to_have_count(0)
        expect(table.ghost).to_have_count(0)
        page.keyboard.press(".")
        expect(current(page)).to_have_attribute("data-path", "0.0")
        expect(table.space("l10")).not_to_have_accessible_name(re.compile(text("space.empty", space="l10")))
