"""One server that is online for all tests here; people come with browsers of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from ..profiles import DESKTOP, LOOKS, WAIT
from ..serving import COMMAND, Server
from ..watch import Watch
from .person import Person

Invite = Callable[..., Person]
"""Has somebody come, by name, with options of Playwright's contexts."""


def online_server(data: Path) -> Server:
    """Return a server where people meet."""
    return Server(data, [*COMMAND, "--online"])


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with online_server(tmp_path_factory.mktemp("online")) as server:
        yield server


@pytest.fixture
def invite(browser: Browser, watch: Watch, server: Server) -> Iterator[Invite]:
    contexts = []

    def invite(name: str, at: Server | None = None, **options: Any) -> Person:
        context = browser.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **LOOKS, **options})
        context.set_default_timeout(WAIT)
        contexts.append(context)
        page = context.new_page()
        watch.on(page)
        return Person(page, at or server, name)

    yield invite
    for context in contexts:
        context.close()
