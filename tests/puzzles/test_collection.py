"""The puzzles that come with the program: enough of every sort, and a sample of them proven anew."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from punct.kernel import Position
from punct.puzzles import Goal, Puzzle, Theme, name_of, of_the_day, shipped
from punct.puzzles.checking import faults_of
from punct.puzzles.collection import SHIPPED
from punct.puzzles.finding import kind_of
from punct.puzzles.statistics import as_markdown, count
from punct.symmetry import SYMMETRIES

DAYS: Final = Path(__file__).parents[2] / "web" / "tests" / "fixtures" / "days.json"
SAMPLE: Final = 60


def test_there_are_thousands_of_every_sort() -> None:
    puzzles = shipped()
    kinds = Counter(map(kind_of, puzzles))
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    assert len(puzzles) >= 2000
    assert kinds["win-1"] >= 300 and kinds["win-2"] >= 500
    assert kinds["win-3"] >= 200 and kinds["win-4"] >= 30
    assert themes[Theme.DEFENCE] >= 300
    assert themes[Theme.CENTRE] >= 100 and themes[Theme.COUNT] >= 100
    assert min(themes[theme] for theme in Theme) >= 20
    assert sum(1200 <= puzzle.rating <= 1800 for puzzle in puzzles) >= 500  # puzzles of the day


def test_the_documentation_tells_how_many_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "puzzles.md").read_text("utf-8")
    assert as_markdown(count(shipped())) in page
    assert f"{len(shipped()):,} puzzles" in page
    assert f"({SHIPPED.stat().st_size:,} bytes)" in page


def test_no_two_are_images_of_each_other() -> None:
    puzzles = shipped()
    assert [puzzle.id for puzzle in puzzles] == sorted({name_of(puzzle.position, puzzle.goal) for puzzle in puzzles})


@pytest.mark.parametrize("puzzle", random.Random("a sample").sample(shipped(), SAMPLE), ids=lambda puzzle: puzzle.id)
def test_a_sample_is_proven(puzzle: Puzzle) -> None:
    assert faults_of(puzzle) == []


def test_a_name_is_the_same_for_every_image() -> None:
    position = Position(shipped()[0].position)
    assert len({name_of(position.transformed(symmetry), Goal.WIN) for symmetry in SYMMETRIES}) == 1
    assert name_of(position, Goal.WIN) != name_of(position, Goal.HOLD)


def test_each_day_has_its_puzzle_here_and_in_the_page() -> None:
    days = json.loads(DAYS.read_bytes())
    many = [replace(shipped()[0], id=str(number), rating=rating) for number, rating in enumerate(days["ratings"])]
    for day, name in days["days"].items():
        found = of_the_day(date.fromisoformat(day), many)
        assert found is not None and found.id == name
    assert of_the_day(date(2026, 11, 17), [replace(shipped()[0], rating=2600)]) is None


def test_every_puzzle_of_middling_strength_has_its_day() -> None:
    medium = {puzzle.id for puzzle in shipped() if 1200 <= puzzle.rating <= 1800}
    first = date(2026, 11, 17).toordinal()
    days = [of_the_day(date.fromordinal(first + day)) for day in range(len(medium))]
    assert {puzzle.id for puzzle in days if puzzle is not None} == medium
