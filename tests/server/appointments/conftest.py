"""A server with two players who arrange to meet, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.server.appointments.meeting import Meeting
from tests.server.two_player_games import ManualClock

from punct.server.app import create_app
from punct.server.timekeeping.heartbeat import Heartbeat


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def meeting(store_url: Path | str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meeting]:
    monkeypatch.setattr(Heartbeat.__init__, "__kwdefaults__", {"min_outage": timedelta.max})  # time is advanced by hand
    with TestClient(create_app(store_url, workers=1, online=True, now=clock)) as client:
        yield Meeting(client, clock)
