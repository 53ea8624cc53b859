"""Seven languages: each loads by the browser's wish or by choice, tells screen readers, and leaves nothing unsaid."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .messages import LANGUAGES, messages, text
from .serving import Server
from .table import Table
from .watch import OpenPage

UNSAID = re.compile(
    r"\{\w+\}|undefined|\bNaN\b"
    r"|\b(?:action|end|entry|game|home|level|notice|page|reason|rules|set|settings|turn)\.[a-z_]+\b"
)
"""What shows when a message is missing or its places stay empty."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_loads_by_the_browsers_wish(open_page: OpenPage, server: Server, language: str) -> None:
    page = open_page(locale=language)
    page.goto(server.address)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("heading", level=1)).to_have_text(text("home.title", language))
    assert not UNSAID.search(page.locator("body").inner_text())
    page.get_by_test_id("how-to-play").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not UNSAID.search(page.locator("body").inner_text())
    Table(page, server).begin("Ed5ne")
    expect(page.get_by_test_id("prompt")).to_have_text(text("entry.choose_add", language))
    assert not UNSAID.search(page.locator("body").inner_text())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_message(language: str) -> None:
    assert set(messages(language)) == set(messages("en"))


def test_a_language_chosen_is_remembered(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("language").select_option("pl")
    expect(page.get_by_role("heading", level=1)).to_have_text(text("home.title", "pl"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    expect(page.get_by_role("heading", level=1)).to_have_text(text("home.title", "pl"))
