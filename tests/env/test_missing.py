"""Without the libraries of the extras: what needs none of them works, the rest says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("gymnasium", "pettingzoo", "pyspiel", "open_spiel")))
from punct import env
"""


def run(script: str) -> str:
    return subprocess.run([sys.executable, "-c", WITHOUT + script], text=True, capture_output=True, check=True).stdout


def test_games_and_arrays_need_no_library() -> None:
    script = "games = env.VectorEnv(3, seed=1); games.step(games.sample()); print(env.Episode(seed=1).step(5))"
    assert run(script) == "0\n"


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("PunctEnv", "gymnasium", "env"),
        ("PunctVectorEnv", "gymnasium", "env"),
        ("aec_env", "gymnasium", "env"),
        ("openspiel_game", "pyspiel", "openspiel"),
    ],
)
def test_the_rest_says_what_is_missing(name: str, library: str, extra: str) -> None:
    said = run(f"try: env.{name}\nexcept ImportError as error: print(error)")
    assert said == f"punct.env.{name} needs {library}: pip install 'punct[{extra}]'\n"
    assert run(f"try:\n    from punct.env import {name}\nexcept ImportError as error: print(error)") == said


def test_what_is_not_there_at_all() -> None:
    assert "has no attribute 'nothing'" in run("try: env.nothing\nexcept AttributeError as error: print(error)")
