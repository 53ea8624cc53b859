"""The kernel's probe program, for the tests of the engine."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "native"

Probe = Callable[[str], list[str]]
"""Takes requests, one per line, and returns the answers (kernel/tests/probe.cpp)."""


@pytest.fixture(scope="session")
def probe() -> Probe:
    """Return the probe of a kernel built with every instruction of this machine.

    The first build takes half a minute; later ones only rebuild what changed.
    """
    fcntl = pytest.importorskip("fcntl", reason="Windows has none")
    options = ["-DPUNCT_PYTHON=OFF", "-DPUNCT_PROBE=ON", "-DPUNCT_NATIVE=ON"]
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:  # tests run in several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        _run(["cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", *options])
        _run(["cmake", "--build", str(BUILD)])
    return lambda requests: _run([str(BUILD / "punct_probe")], requests)


def _run(command: list[str], text: str = "") -> list[str]:
    process = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr or process.stdout
    return process.stdout.splitlines()
