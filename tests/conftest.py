"""Settings for every test: Hypothesis always tries the same examples, time never decides, and the network is frozen."""

from __future__ import annotations

import os
import secrets
import signal

import pytest
from hypothesis import HealthCheck, settings
from tests.frozen_network import use_frozen_network

from punct.engine.network import NETWORK_VARIABLE

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

# The Ray clusters that tests start have a token of their own, which nobody else knows and which ends with the tests.
os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}

use_frozen_network()


@pytest.fixture
def shipped_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have engines play by the network that comes with the program, for tests of that network."""
    monkeypatch.delenv(NETWORK_VARIABLE)
