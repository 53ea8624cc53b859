"""The documentation's site, as the server serves it: guides, reference and search, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from .messages import text
from .serving import Server
from .watch import OpenPage, Watch

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(params=["page", "phone"])
def reader(request: pytest.FixtureRequest, server: Server) -> Iterator[Page]:
    """A page that may ask this server alone; whatever its policy forbids is an error in the log."""
    page: Page = request.getfixturevalue(request.param)
    foreign: list[str] = []
    page.on("request", lambda asked: foreign.append(asked.url) if not asked.url.startswith(server.address) else None)
    yield page
    assert foreign == []


def test_the_footer_leads_to_the_guides_and_the_site_back_to_the_board(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_role("link", name=text("page.documentation")).click()
    expect(page).to_have_url(f"{server.address}/docs/")
    page.locator(".content").get_by_role("link", name="Rules", exact=True).click()
    expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
    page.get_by_role("link", name="To the board").click()
    expect(page.get_by_test_id("begin")).to_be_visible()


def test_a_guide_and_the_reference_open_within_the_screen(reader: Page, server: Server) -> None:
    for path, heading in (
        ("", "PÜNCT"),
        ("rules.html", "Rules"),
        ("hosting.html", "Host a server"),
        ("http-api.html", "HTTP API"),
        ("reference/punct/", "punct"),
        ("reference/punct/kernel/", "punct.kernel"),
    ):
        reader.goto(f"{server.address}/docs/{path}")
        expect(reader.get_by_role("heading", name=re.compile(f"^{re.escape(heading)}"), level=1)).to_be_visible()
        assert reader.evaluate(WIDER) == 0, path
    pictures = "Array.from(document.images).every(image => image.complete && image.naturalWidth > 0)"
    reader.goto(f"{server.address}/docs/rules.html")
    assert reader.evaluate(pictures)


def test_the_search_finds_bridges(reader: Page, server: Server) -> None:
    reader.goto(f"{server.address}/docs/search.html?q=bridge")
    results = reader.locator("#search-results ul.search li")
    expect(results.filter(has_text="Bridges").first).to_be_visible()
    results.get_by_role("link", name=re.compile("Bridges")).first.click()
    expect(reader.get_by_role("heading", name=re.compile("^Bridges"))).to_be_visible()


def test_light_and_dark_are_chosen_and_kept(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/docs/rules.html")
    colour = "getComputedStyle(document.body).backgroundColor"
    expect(page.locator("body")).to_have_attribute("data-theme", "auto")
    before = page.evaluate(colour)
    toggle = page.locator(".theme-toggle:visible").first
    while page.locator("body").get_attribute("data-theme") != "dark":  # by the system, light, dark
        toggle.click()
    assert page.evaluate(colour) != before
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(colour) != before


def test_the_service_worker_leaves_the_documentation_to_the_server(
    open_page: OpenPage, server: Server, watch: Watch
) -> None:
    watch.allow("404")  # the browser itself logs it
    page = open_page(fresh=True, service_workers="allow")
    page.goto(server.address)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    answer = page.goto(f"{server.address}/docs/rules.html")
    assert answer is not None and answer.status == 200 and not answer.from_service_worker
    expect(page.get_by_role("heading", name="Rules", level=1)).to_be_visible()
    page.goto(f"{server.address}/docs/reference/gone.html")  # and not the page that the worker keeps
    expect(page.get_by_role("heading", name="There is nothing here", level=1)).to_be_visible()
    expect(page.locator(".sidebar-tree").get_by_role("link", name="Rules")).to_be_attached()
