"""A clock of rate limits that stands still: windows begin at full minutes, and a slow test would see two of them."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Final

import pytest

_TIME: Final = 1e9

COMMAND: Final = [
    sys.executable,
    "-c",
    "import limits.aio.storage.memory; from types import SimpleNamespace; from punct.cli import main; "
    f"limits.aio.storage.memory.time = SimpleNamespace(time=lambda: {_TIME}); main()",
    "serve",
    "--no-open",
]
"""A server in a process of its own, with that clock."""


def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of the servers in this process."""
    monkeypatch.setattr("limits.aio.storage.memory.time", SimpleNamespace(time=lambda: _TIME))
