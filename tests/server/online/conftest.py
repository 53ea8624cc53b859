"""A server that is online, one for each test module, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.services import Postgresql

from punct.server.app import create_app

from ..lock_order import watched
from .helpers import Browser


@pytest.fixture(autouse=True)
def _lock_order() -> Iterator[None]:
    """Whatever a test has stored, no change locks players out of order: two processes could wait for each other."""
    with watched() as wrong:
        yield
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def online(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """On either database."""
    where: Path | str = tmp_path_factory.mktemp("data")
    if request.param == "postgresql":
        service: Postgresql = request.getfixturevalue("postgresql")
        where = service.new_database()
    with TestClient(create_app(where, workers=1, online=True)) as client:
        yield client


@pytest.fixture
def browser(online: TestClient) -> Callable[[], Browser]:
    """Make browsers that nobody has used yet."""
    return lambda: Browser(online)
