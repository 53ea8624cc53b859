"""What ``import punct`` offers: all of it there when asked for, and nothing loaded before."""

from __future__ import annotations

import subprocess
import sys

import punct


def test_every_name_is_there_and_listed() -> None:
    for name in punct.__all__:
        assert getattr(punct, name) is not None
    assert set(punct.__all__) <= set(dir(punct))


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    script = "import punct, sys; print([name for name in sys.modules if name.startswith('punct.')])"
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "['punct.lazy']\n"
