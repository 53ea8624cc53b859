"""The server that is robbed: of one process with its own file, and of two that share PostgreSQL and Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.databases import Postgresql, Redis
from tests.server.system.house import House, run_house
from tests.server.two_player_games import run_timekeeper

SHARE_OF_CLUSTER = 8
"""One of so many attempts is made on the two processes."""


@pytest.fixture(scope="module", params=["sqlite", "cluster"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    web = tmp_path_factory.mktemp("web")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("punct.server.notifications.service.POLL_SECONDS", 1e6)  # nothing is sent
        if request.param == "sqlite":
            running = run_house([tmp_path_factory.mktemp("data")], None, web, 1)
        else:
            postgresql: Postgresql = request.getfixturevalue("postgresql")
            redis: Redis = request.getfixturevalue("redis")
            running = run_house([postgresql.new_store()] * 2, redis.address(), web, SHARE_OF_CLUSTER)
        with running as house:
            yield house


@pytest.fixture
def nothing_is_stolen(house: House) -> Iterator[None]:
    """Check that everything is as it was after a test."""
    before, then = house.state(), house.clock.time
    yield
    after = house.state()
    if house.clock.time != then:  # what ends by itself: deleted now, or it would be during a later test
        for client in house.clients:
            run_timekeeper(client)
        for name in ("challenge", "invitation", "dates", "feed", "alerts", "vacations"):
            del before[name], after[name]
    assert after == before
