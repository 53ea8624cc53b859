"""One browser and one server for all tests here; for each test a page of its own, on which no error may be logged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from .chromium import launch
from .serving import Server
from .table import Table
from .watch import OpenPage, Watch

DESKTOP = {"width": 1120, "height": 760}
PHONE = {"width": 390, "height": 780}
WAIT = 30_000
"""Milliseconds until a test gives up; never reached when all is well, however busy the machine."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    yield watch
    assert not watch.problems, "\n".join(watch.problems)


@pytest.fixture
def open_page(browser: Browser, watch: Watch) -> Iterator[OpenPage]:
    contexts = []

    def open_page(**options: Any) -> Page:
        wanted: dict[str, Any] = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", **options}
        context = browser.new_context(**wanted)
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        watch.on(page)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(viewport=PHONE, has_touch=True, is_mobile=True)


@pytest.fixture
def table(page: Page, server: Server) -> Table:
    return Table(page, server)
