"""A short form of ``make chaos``: whatever is killed, every acknowledged turn is there, once."""

from __future__ import annotations

import asyncio
import sys

import pytest
from bench import chaos


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_nothing_that_was_acknowledged_is_lost() -> None:
    figures = asyncio.run(chaos.run(rounds=6, players=4, seed=7))
    assert figures.faults == 0, str(figures)
    assert len(figures.killed) == 6, str(figures)
