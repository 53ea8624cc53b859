"""Servers at home and online, one for each test module or each test, on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis, run_postgresql, run_redis
from tests.server.lock_order import watch_lock_order
from tests.server.online_client import Browser, NewBrowser

from punct.server.app import create_app

BOTH = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    with run_postgresql() as service:
        yield service


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    with run_redis() as service:
        yield service


@pytest.fixture(params=BOTH)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where an empty store is: a folder for SQLite, and once more an address of PostgreSQL."""
    return tmp_path if request.param == "sqlite" else _new_database(request)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path_factory.mktemp("data"), workers=1)) as client:
        yield client


@pytest.fixture
def empty_client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path, workers=1)) as client:
        yield client


@pytest.fixture(scope="module", params=BOTH)
def client_on_both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """As ``client``, on SQLite and once more on PostgreSQL."""
    where = tmp_path_factory.mktemp("data") if request.param == "sqlite" else _new_database(request)
    with TestClient(create_app(where, workers=1)) as client:
        yield client


@pytest.fixture(scope="module", params=BOTH)
def online(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server that is online, on SQLite and once more on PostgreSQL."""
    where = tmp_path_factory.mktemp("data") if request.param == "sqlite" else _new_database(request)
    with TestClient(create_app(where, workers=1, online=True)) as client:
        yield client


@pytest.fixture
def new_browser(online: TestClient) -> NewBrowser:
    """Make browsers that nobody has used yet."""
    return lambda: Browser(online)


@pytest.fixture(autouse=True)
def _lock_order() -> Iterator[None]:
    """Whatever a test has stored, no change locks players out of order: two processes could wait for each other."""
    with watch_lock_order() as wrong:
        yield
    assert not wrong, "\n".join(sorted(set(wrong)))


@pytest.fixture
def record_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[object, str], set[int]]:
    """Have it noted in which threads a function runs."""

    def note(owner: object, name: str) -> set[int]:
        threads: set[int] = set()
        function: Callable[..., Any] = getattr(owner, name)

        def noted(*args: Any, **options: Any) -> Any:
            threads.add(threading.get_ident())
            return function(*args, **options)

        monkeypatch.setattr(owner, name, noted)
        return threads

    return note


def _new_database(request: pytest.FixtureRequest) -> str:
    service: Postgresql = request.getfixturevalue("postgresql")
    return service.new_database()
