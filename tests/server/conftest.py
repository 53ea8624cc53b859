"""Servers at home and online, one for each test module or each test, on SQLite and on PostgreSQL."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.databases import Postgresql, Redis, run_postgresql, run_redis
from tests.server.lock_order import watch_lock_order
from tests.server.online_client import Browser, NewBrowser

from punct.server.accounts import passwords
from punct.server.app import create_app
from punct.server.db import database
from punct.server.db import postgresql as postgresql_database
from punct.server.db.database import open_database

BOTH = ("sqlite", "postgresql")
PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    with run_postgresql() as service:
        yield service


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    with run_redis() as service:
        yield service


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Make folders with the tables of SQLite, which are empty: one is migrated, then copied, in a fifth of the time."""
    migrated = tmp_path_factory.mktemp("migrated")
    open_database(migrated).close()

    def new_folder() -> Path:
        folder = tmp_path_factory.mktemp("data")
        shutil.copytree(migrated, folder, dirs_exist_ok=True)
        return folder

    return new_folder


@pytest.fixture(params=BOTH)
def store_url(request: pytest.FixtureRequest) -> Path | str:
    """Where an empty store is: a folder for SQLite, and once more an address of PostgreSQL."""
    return _new_store(request)


@pytest.fixture(scope="module")
def client(new_folder: Callable[[], Path]) -> Iterator[TestClient]:
    with TestClient(create_app(new_folder(), workers=1)) as client:
        yield client


@pytest.fixture
def empty_client(new_folder: Callable[[], Path]) -> Iterator[TestClient]:
    with TestClient(create_app(new_folder(), workers=1)) as client:
        yield client


@pytest.fixture(scope="module", params=BOTH)
def client_on_both(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """As ``client``, on SQLite and once more on PostgreSQL."""
    with TestClient(create_app(_new_store(request), workers=1)) as client:
        yield client


@pytest.fixture(scope="module", params=BOTH)
def online(request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A server that is online, on SQLite and once more on PostgreSQL."""
    with TestClient(create_app(_new_store(request), workers=1, online=True)) as client:
        yield client


@pytest.fixture
def new_browser(online: TestClient) -> NewBrowser:
    """Make browsers that nobody has used yet."""
    return lambda: Browser(online)


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Hash passwords at the least cost there is: at the right one they are most of the time of many tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(passwords, "ROUNDS", 1)
        patched.setattr(passwords, "MEMORY_KIB", 8)
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient_stores() -> Iterator[None]:
    """Have changes wait longer for locks and databases: on a busy machine a test may hold a lock for seconds.

    Tests of these limits have their own.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "LOCK_SECONDS", PATIENCE_SECONDS)
        patched.setattr(postgresql_database, "STATEMENT_SECONDS", PATIENCE_SECONDS)
        yield


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


def _new_store(request: pytest.FixtureRequest) -> Path | str:
    """Return a new store in the database that is the fixture's parameter."""
    if request.param == "sqlite":
        new_folder: Callable[[], Path] = request.getfixturevalue("new_folder")
        return new_folder()
    service: Postgresql = request.getfixturevalue("postgresql")
    return service.new_store()
