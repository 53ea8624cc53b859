"""``punct puzzles``: checked, shown and counted. How they are made is told in tests/puzzles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.running import run, shell

from punct.puzzles import Theme, shipped, write_puzzles


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Return a file of two puzzles that are proven quickly."""
    path = tmp_path / "few.puzzles"
    path.write_bytes(write_puzzles([puzzle for puzzle in shipped() if puzzle.turns == 1][:2]))
    return path


def test_what_is_proven_is_said(few: Path) -> None:
    result = shell("puzzles", "check", few)
    assert (result.returncode, result.stdout) == (0, "2 of 2 puzzles are proven\n")


def test_what_is_wrong_is_said(few: Path) -> None:
    first, second = [puzzle for puzzle in shipped() if puzzle.turns == 1][:2]
    few.write_bytes(write_puzzles([replace(first, themes=tuple(Theme)), second, second]))
    result = shell("puzzles", "check", few, "--jobs", "1")
    assert result.returncode == 1
    assert f"{first.id}: its themes are not what happens in it" in result.stdout
    assert "1 puzzles have the name of another" in result.stdout


def test_a_puzzle_is_drawn_with_its_solution() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.also and puzzle.turns == 2)
    shown = run("puzzles", "show", puzzle.id).output
    assert "to move wins in 2" in shown
    assert f"Solution: {' '.join(map(str, puzzle.solution))}" in shown
    assert f"As good: {' '.join(map(str, puzzle.also))}" in shown
    assert "Solution" not in run("puzzles", "show", puzzle.id, "--no-solution").output
    assert "Puzzle" in run("puzzles", "show", "day", "--ascii").output


def test_puzzles_are_counted(few: Path) -> None:
    *_, last = run("puzzles", "stats", few).output.splitlines()
    assert last.split()[-2] == "2"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "nobody"), "there is no puzzle 'nobody'"),
        (("stats", "none.puzzles"), "none.puzzles cannot be read"),
        (("check", __file__), "this is not a file of puzzles"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], told: str) -> None:
    result = shell("puzzles", *words)
    assert result.returncode == 2
    assert told in result.stderr
    assert result.stderr.count("\n") == 1
