"""Settings for every test: Hypothesis always tries the same examples, time never decides, and the network is frozen."""

from __future__ import annotations

import gc
import os
import secrets
import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from tests.built_wheel import BuiltWheel, build_once
from tests.frozen_network import use_frozen_network
from tests.pytorch import MISSING

from punct.engine.network import NETWORK_VARIABLE
from punct.ray_jobs import cores_here

settings.register_profile(
    "punct",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("punct")

# What runs in the background ignores Ctrl-C, and so would every program that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Whoever ends the tests otherwise shall leave no servers and databases behind either: they end as by Ctrl-C.
signal.signal(signal.SIGTERM, signal.default_int_handler)

# The Ray clusters that tests start have a token of their own, which nobody else knows and which ends with the tests.
os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}

use_frozen_network()

LONGEST = (
    "tests/packaging/test_installed.py",
    "tests/test_container.py",
    "tests/training/test_whole.py",
    "tests/puzzles/test_ray.py",
    "tests/training/test_ray.py",
    "tests/server/test_supervisor.py",
    "tests/server/system/",
    "tests/browser/monkey/",
)
"""The tests that take longest, each begun before all others, or the last process would work on one of them alone."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Load the tests without looking for garbage, of which there is none: that would be two fifths of the time.

    What is loaded stays to the end, so no later collection looks at it either.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first; the others keep their order, by which neighbours share servers."""
    ranks = {
        item: next((rank for rank, path in enumerate(LONGEST) if item.nodeid.startswith(path)), len(LONGEST))
        for item in items
    }
    items.sort(key=ranks.__getitem__)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Have one process more than there are cores: tests often wait for what they have started."""
    return cores_here() + 1


@pytest.fixture
def shipped_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have engines play by the network that comes with the program, for tests of that network."""
    monkeypatch.delenv(NETWORK_VARIABLE)


@pytest.fixture(scope="session")
def built_wheel(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> BuiltWheel:
    """The source archive and the wheel made from it; tests on several cores share one build."""
    folder = tmp_path_factory.getbasetemp()
    return build_once(folder.parent if hasattr(request.config, "workerinput") else folder)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to have the tests that were skipped for want of PyTorch, which is a large download."""
    skipped = [report for report in terminalreporter.getreports("skipped") if MISSING in str(report.longrepr)]
    if skipped:
        count = f"{len(skipped)} tests of training were" if len(skipped) > 1 else "1 test of training was"
        terminalreporter.write_line(f"{MISSING}, so {count} skipped: `make torch` installs it")
