"""The monkey: games, analyses, lessons and puzzles, played at random with every answer held up.

`make monkey` plays longer: `SEEDS=100-120` or `SEEDS=7`, `STEPS=200` bursts each.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error

from punct.puzzles import shipped

from ..messages import CLIENT
from ..played import BEFORE_THE_END, OPENS
from ..screens import SCREENS, TOUCHED
from ..serving import Server
from ..test_coach import COMPUTER, with_coach
from ..watch import OpenPage, Watch
from .game import GameScene
from .scene import Scene
from .study import StudyScene
from .tab import Tab
from .task import LessonScene, PuzzleScene

PICTURES = CLIENT.parent / "build" / "monkey"
STEPS = int(os.environ.get("PUNCT_MONKEY_STEPS", 0))
"""Bursts of inputs for each seed; without a wish as many as the suite has time for."""
MOVED = ("aim", "centre", "double", "end", "link", "pieces", "rotate", "threat")
REFUSED = ("add", "bridge", "jump", "move")
"""Lessons whose tasks are moves, and those in which some are to be refused."""


def seeds(*usual: int) -> list[int]:
    """Return the seeds to play with: those asked for as 7, 7,9 or 100-120."""
    asked = os.environ.get("PUNCT_MONKEY_SEEDS")
    if not asked:
        return list(usual)
    ranges = [part.split("-") for part in asked.split(",")]
    return [seed for first, *last in ranges for seed in range(int(first), int(last[0] if last else first) + 1)]


class Monkey:
    """Plays with what is open in its tabs, and tells what it did when something was wrong."""

    def __init__(self, open_page: OpenPage, watch: Watch, name: str, seed: int) -> None:
        self.open_page = open_page
        self.watch = watch
        self.name = name
        self.seed = seed
        self.rng = Random(seed)
        self.steps: list[str] = []

    def tab(self, name: str = "") -> Tab:
        """Open a tab: one seed plays on a wide screen, the next one on a phone."""
        phone = not name and self.seed % 2 == 1
        width, height = SCREENS["phone" if phone else "desktop"]
        looks: dict[str, Any] = {"reduced_motion": "no-preference", **(TOUCHED if phone else {})}
        page = self.open_page(viewport={"width": width, "height": height}, **looks)
        return Tab(page, name or ("phone" if phone else "wide"), phone, self.steps)

    def play(self, scene: Scene, bursts: int) -> None:
        """Play with something, and say what was wrong, after which steps, with pictures of it."""
        scene.problems = self.watch.problems
        try:
            scene.play(STEPS or bursts)
            return
        except (AssertionError, Error) as error:
            fault = str(error)
        self.watch.problems.clear()  # they are told here
        PICTURES.mkdir(parents=True, exist_ok=True)
        pictures = [PICTURES / f"{self.name}-{self.seed}-{tab.name}.png" for tab in scene.tabs]
        for tab, picture in zip(scene.tabs, pictures, strict=True):
            tab.page.screenshot(path=picture)
        steps = "\n".join(f"  {number}. {step}" for number, step in enumerate(self.steps, 1))
        told = f"seed {self.seed}, after these steps:\n{steps}\n{fault}\npictures: {' '.join(map(str, pictures))}"
        pytest.fail(told, pytrace=False)


@pytest.fixture
def monkey(open_page: OpenPage, watch: Watch, seed: int, request: pytest.FixtureRequest) -> Monkey:
    watch.allow("409|404")  # whoever is too late is told so; a game that nobody has reviewed has no review
    return Monkey(open_page, watch, request.node.originalname, seed)


@pytest.mark.parametrize("seed", seeds(4, 5))
def test_with_the_coach(monkey: Monkey, server: Server) -> None:
    """From positions in which most moves deserve a question."""
    tab = monkey.tab()
    with_coach(tab.page)
    if monkey.rng.random() < 0.5:
        scene = GameScene(server, [tab], monkey.rng, coach=True, seats=COMPUTER, position=OPENS)
    else:
        moves = BEFORE_THE_END.split()[:-1]
        scene = GameScene(server, [tab], monkey.rng, *moves, coach=True, seats=COMPUTER)
    monkey.play(scene, 15)


@pytest.mark.parametrize("seed", seeds(82, 95))
def test_against_the_computer(monkey: Monkey, server: Server) -> None:
    moves = BEFORE_THE_END.split()[: monkey.rng.choice([0, 8, 30])]
    scene = GameScene(server, [monkey.tab()], monkey.rng, *moves, hints=False, seats=COMPUTER)
    monkey.play(scene, 25)


@pytest.mark.parametrize("seed", seeds(40, 41))
def test_two_at_one_screen(monkey: Monkey, server: Server) -> None:
    """And in a second tab of the same browser."""
    moves = BEFORE_THE_END.split()[: monkey.rng.choice([0, 8, 36])]
    monkey.play(GameScene(server, [monkey.tab(), monkey.tab("other")], monkey.rng, *moves), 15)


@pytest.mark.parametrize("seed", seeds(3, 20))
def test_an_analysis(monkey: Monkey, server: Server) -> None:
    moves = BEFORE_THE_END.split()[: monkey.rng.choice([0, 3, 30])]
    monkey.play(StudyScene(server, monkey.tab(), monkey.rng, *moves), 20)


@pytest.mark.parametrize("seed", seeds(21, 22))
def test_lessons(monkey: Monkey, server: Server) -> None:
    monkey.watch.allow("422")  # an answer that was meant for another move
    lesson = monkey.rng.choice([*MOVED, *REFUSED])
    monkey.play(LessonScene(server, monkey.tab(), monkey.rng, lesson), 20)


@pytest.mark.parametrize("seed", seeds(1, 2))
def test_puzzles(monkey: Monkey, server: Server) -> None:
    puzzle = monkey.rng.choice([puzzle for puzzle in shipped() if puzzle.turns <= 2])
    monkey.play(PuzzleScene(server, monkey.tab(), monkey.rng, puzzle), 12)
