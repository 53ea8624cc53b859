"""The kernel without Python, for the tests of the engine."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "native"

Probe = Callable[[str], list[str]]
"""Is told requests, one a line, and returns the answers (kernel/tests/probe.cpp)."""


@pytest.fixture(scope="session")
def probe() -> Probe:
    """Return a way to ask a kernel built with every instruction of this machine.

    It takes half a minute to build, then only when something changed.
    """
    options = ["-DPUNCT_PYTHON=OFF", "-DPUNCT_PROBE=ON", "-DPUNCT_NATIVE=ON"]
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:  # tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        _run(["cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", *options])
        _run(["cmake", "--build", str(BUILD)])
    return lambda requests: _run([str(BUILD / "punct_probe")], requests)


def _run(command: list[str], said: str = "") -> list[str]:
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    return done.stdout.splitlines()
