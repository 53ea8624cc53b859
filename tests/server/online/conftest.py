"""A server that is online, one for each test module, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from punct.server.api.app import create_app

from .helpers import Browser


@pytest.fixture(scope="module")
def online(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path_factory.mktemp("data"), workers=1, online=True)) as client:
        yield client


@pytest.fixture
def browser(online: TestClient) -> Callable[[], Browser]:
    """Make browsers that nobody has used yet."""
    return lambda: Browser(online)
