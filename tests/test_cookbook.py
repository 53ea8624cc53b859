"""The cookbook shows its programs as they are, and they print what it says. Their types are checked with all others."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engine.test_fallback import COUNT

from punct import Game
from punct.engine import Limits

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "cookbook.md").read_text(encoding="utf-8")
SECTIONS = dict(section.split("\n", 1) for section in PAGE.split("\n## ")[1:])
PROGRAMS = sorted((DOCS / "cookbook").glob("*.py"))


def test_there_are_eight() -> None:
    assert len(SECTIONS) == 8


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_is_shown_as_it_is(program: Path) -> None:
    source = program.read_text(encoding="utf-8")
    assert f"[{program.name}](cookbook/{program.name})\n\n```python\n{source}```\n" in PAGE
    assert len(source.splitlines()) <= 30, "too long to be taken in at a glance"


def test_the_bot_wins_by_the_count_too() -> None:
    bot = runpy.run_path(str(DOCS / "cookbook" / "bot.py"))
    for position in (COUNT, "basic w wEh1n wEh4n wEh7n wEh10n wCi14n"):
        game = Game(position)
        game.push(bot["choose"](game, Limits()))
        assert game.result() == "1-0"


@pytest.mark.parametrize("title", SECTIONS)
def test_what_is_printed_is_what_the_page_says(title: str, tmp_path: Path) -> None:
    (block,) = re.findall(r"```console\n(.*?)```", SECTIONS[title], re.DOTALL)
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    expected = [line for line in block.splitlines() if not line.startswith("$ ")]
    for program in PROGRAMS:
        shutil.copy(program, tmp_path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", "\n".join(commands)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    said = done.stdout.splitlines()
    assert len(said) == len(expected), done.stdout + done.stderr
    for line, words in zip(said, expected, strict=True):
        assert re.fullmatch(".+".join(map(re.escape, words.split("…"))), line), f"{line!r} is not {words!r}"
