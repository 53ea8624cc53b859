"""One browser and one server for all tests here; for each test a page of its own, on which no error may be logged."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from .chromium import launch
from .profiles import WAIT, Profiles
from .screens import TOUCHED, Screens
from .serving import Server
from .table import Table
from .watch import OpenPage, Watch

PHONE = {"width": 390, "height": 780}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture(scope="package")
def profiles(browser: Browser) -> Profiles:
    return Profiles(browser)


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
def open_page(profiles: Profiles, watch: Watch) -> Iterator[OpenPage]:
    pages = []

    def open_page(**options: Any) -> Page:
        page = profiles.open(**options)
        pages.append(page)
        watch.on(page)
        return page

    yield open_page
    for page in pages:
        profiles.close(page)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(viewport=PHONE, **TOUCHED)


@pytest.fixture
def screens(open_page: OpenPage) -> Screens:
    return Screens(open_page)


@pytest.fixture
def table(page: Page, server: Server) -> Table:
    return Table(page, server)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that goes through several screens says on which of them it failed."""
    screens = getattr(item, "funcargs", {}).get("screens")
    if call.excinfo and isinstance(screens, Screens) and screens.shown:
        call.excinfo.value.add_note(f"on the screen: {screens.shown}")
    return (yield)
