"""Seven languages: each loads by the browser's wish or by choice, tells screen readers, and leaves nothing unsaid."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .messages import LANGUAGES, messages, text
from .played import BEFORE_THE_END, WINNING
from .serving import Server
from .table import Table
from .watch import OpenPage, Watch

KINDS = {key.partition(".")[0] for key in messages("en")}
UNSAID = re.compile(rf"\{{\w+\}}|undefined|\bNaN\b|\b(?:{'|'.join(sorted(KINDS))})\.[a-z_]+\b")
"""What shows when a message is missing or its places stay empty."""


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    """A game that is over: whoever looks at it first reviews it, and the others find that."""
    return server.begin(*BEFORE_THE_END.split(), WINNING)


def is_said(page: Page) -> None:
    """Check that everything on a page is said in words."""
    assert not (found := UNSAID.search(page.locator("body").inner_text())), found[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_loads_by_the_browsers_wish(open_page: OpenPage, server: Server, language: str) -> None:
    page = open_page(locale=language)
    page.goto(server.address)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.get_by_role("heading", level=1)).to_have_text(text("home.title", language))
    is_said(page)
    page.get_by_test_id("how-to-play").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    is_said(page)
    Table(page, server).begin("Ed5ne")
    expect(page.get_by_test_id("prompt")).to_have_text(text("entry.choose_add", language))
    is_said(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_analysis_review_and_play_in_the_browser_are_said_too(
    open_page: OpenPage, server: Server, watch: Watch, finished: str, language: str
) -> None:
    watch.allow("404|ERR_FAILED")  # nobody has reviewed the game yet; and at the end the server cannot be reached
    page = open_page(locale=language)
    page.goto(f"{server.address}/analysis?game={finished}&ply=37")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_contain_text(text("analysis.wins_in", language, n=1))
    page.get_by_test_id("threat-view").click()
    expect(page.get_by_test_id("explorer").get_by_role("status")).to_have_text(text("explorer.none", language))
    is_said(page)
    page.get_by_test_id("edit").click()
    page.get_by_test_id("edit-text").fill("standard w wTd5n")
    page.get_by_test_id("edit-text").press("Enter")
    expect(page.get_by_test_id("impossible")).to_contain_text(text("impossible.black_missed", language))
    is_said(page)
    page.goto(f"{server.address}/game/{finished}/review?nodes=1")
    expect(page.get_by_test_id("review-summary")).to_contain_text(text("review.accuracy", language))
    is_said(page)
    page.get_by_test_id("learn-begin").click()
    expect(page.get_by_test_id("learn")).to_be_visible()
    is_said(page)
    page.route("**/api/**", lambda route: route.abort())
    page.goto(server.address)
    expect(page.get_by_test_id("plays-here")).to_have_text(text("offline.plays_here", language))
    page.get_by_test_id("begin").click()
    page.wait_for_url(re.compile(r"/local/\w+$"))
    page.get_by_test_id("home").click()
    expect(page.get_by_test_id("in-browser")).to_have_text(text("offline.in_browser", language))
    is_said(page)
    page.evaluate("indexedDB.deleteDatabase('punct')")  # others open this profile, too


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
