"""One server that is online for all tests here; people come with browsers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from ..profiles import DESKTOP, LOOKS, WAIT
from ..serving import COMMAND, Server
from ..watch import Watch
from .person import Person

Invite = Callable[..., Person]
"""Has somebody come, by name."""


def online_server(data: Path) -> Server:
    """Return a server where people meet."""
    return Server(data, [*COMMAND, "--online"])


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with online_server(tmp_path_factory.mktemp("online")) as server:
        yield server


@pytest.fixture(scope="package")
def idle(browser: Browser) -> Iterator[list[BrowserContext]]:
    """Profiles that nobody uses now. A new one has everything to load and compile anew: the next person takes these."""
    profiles: list[BrowserContext] = []
    yield profiles
    for profile in profiles:
        profile.close()


@pytest.fixture
def invite(browser: Browser, watch: Watch, server: Server, idle: list[BrowserContext]) -> Iterator[Invite]:
    used, own = [], []

    def invite(
        name: str,
        at: Server | None = None,
        viewport: dict[str, int] = DESKTOP,
        *,
        offline: bool = False,
        touch: bool = False,
        zone: str | None = None,
    ) -> Person:
        """Have somebody come with a profile in which nobody was before.

        ``offline`` if the page is to keep itself; ``touch`` if it is touched; ``zone`` is where they are.
        """
        if offline or touch or zone:
            profile = browser.new_context(
                locale="en-GB", has_touch=touch, service_workers="allow" if offline else "block", timezone_id=zone
            )
            own.append(profile)
        else:
            profile = idle.pop() if idle else browser.new_context(locale="en-GB", service_workers="block")
            used.append(profile)
        profile.set_default_timeout(WAIT)
        page = profile.new_page()
        _forget(page)
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        page.emulate_media(**LOOKS)
        watch.on(page)
        return Person(page, at or server, name)

    yield invite
    for profile in own:
        profile.close()
    for profile in used:
        for page in profile.pages:
            page.close()
        profile.set_offline(False)
    idle += used


def _forget(page: Page) -> None:
    """Make the profile of a new page one in which nobody was before; what it has loaded and compiled it keeps."""
    page.context.clear_cookies()
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "local_storage,indexeddb"})
    session.detach()
