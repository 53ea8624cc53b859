"""Lessons and puzzles: boards with a task, tried, shown and set up again by the monkey."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, zip_longest
from random import Random
from typing import ClassVar

from playwright.sync_api import expect

import punct
from punct.puzzles import Puzzle, shipped

from ..serving import Server
from ..test_learn import PROGRESS, boards
from ..test_puzzles import NOTE
from .scene import Act, Scene
from .sight import Sight
from .tab import Tab, where
from .truth import board_faults, replayed

Line = tuple[str, ...]


class TaskScene(Scene):
    """A board with a task. It is done only if the monkey itself did it, since it was last set up."""

    def __init__(self, server: Server, tab: Tab, rng: Random, path: str) -> None:
        super().__init__([tab], rng)
        self.address = server.address + path
        self.own = False
        """Whether the monkey tried something itself since the board was set up."""
        self.confirmed: str | None = None
        self.earned: set[str] = set()
        """Boards that it has done."""
        self.unearned = ""

    testid: str
    others: tuple[tuple[int, str], ...]
    """Buttons that set the board up anew, or another one."""

    @abstractmethod
    def start(self, board: str) -> str:
        """Return the position a board begins with."""

    @abstractmethod
    def solution(self, board: str) -> Line:
        """Return the moves that solve it, with the answers to them; none if no move does."""

    @abstractmethod
    def kept(self, tab: Tab) -> set[str]:
        """Return the boards that count as done."""

    def open(self, tab: Tab) -> None:
        tab.page.goto(self.address)
        self.stands(tab)

    def stands(self, tab: Tab) -> None:
        expect(tab.page.locator(f'[data-testid="{self.testid}"][data-stage="try"]')).to_be_attached()

    # ---------------------------------------------------------------- what a monkey does

    def acts(self, tab: Tab, seen: Sight) -> Iterator[Act]:
        self.see(seen)
        task = seen.task
        assert task is not None
        if task["stage"] == "try" and task["ply"] == 0 and not seen.ghost:
            yield 14, "lay", lambda: self.lay(tab, task["board"])
        if seen.ghost:
            yield 24, "Enter", lambda: self.confirm(tab, seen)
        yield 4, "tap a space", lambda: self.tap(tab)
        yield 2, "take a piece", lambda: self.trying(lambda: tab.key(str(self.rng.randint(1, 6))))
        yield 2, "Escape", lambda: self.trying(lambda: tab.key("Escape"))
        yield 2, "h", lambda: tab.key("h")
        for key in ("Home", "End", "ArrowLeft"):
            yield 1, key, partial(tab.key, key)
        for weight, name in self.others:
            if seen.buttons.get(name):
                yield weight, name, partial(self.anew, tab, name)
        yield 1, "reload", lambda: self.reload(tab)

    def see(self, seen: Sight) -> None:
        """Note what counts as done by now."""
        if seen.task and seen.task["stage"] == "done":
            if self.own:
                self.earned.add(seen.task["board"])
            elif seen.task["board"] not in self.earned:
                self.unearned = f"{seen.task['board']} is done, and the monkey did not try it since it was set up"

    def lay(self, tab: Tab, board: str) -> None:
        """Lay down what solves it, or anything."""
        position = punct.Position(self.start(board))
        if position.outcome() is not None:
            return
        right = self.solution(board)[:1]
        move = punct.Move.parse(right[0]) if right and self.rng.random() < 0.5 else self.choose(position)
        tab.steps[-1] += f" {move.text}"
        self.own = True
        tab.lay(move, "wb"[position.turn])

    def confirm(self, tab: Tab, seen: Sight) -> None:
        tab.steps[-1] += f" {seen.ghost}"
        self.confirmed = seen.ghost
        self.trying(lambda: tab.key("Enter"))

    def tap(self, tab: Tab) -> None:
        space = str(self.rng.choice(punct.SPACES))
        tab.steps[-1] += f" {space}"
        self.trying(lambda: tab.space(space))

    def trying(self, act: Callable[[], object]) -> None:
        self.own = True
        act()

    def anew(self, tab: Tab, name: str) -> None:
        if tab.button(name):
            self.own = False
            self.confirmed = None

    def reload(self, tab: Tab) -> None:
        tab.page.reload()
        self.stands(tab)
        tab.gate.shut()
        self.own = False
        self.confirmed = None

    # ---------------------------------------------------------------- the truth

    def faults(self, tab: Tab, seen: Sight) -> Iterator[str]:
        self.see(seen)
        if self.unearned:
            yield self.unearned
        for board in self.kept(tab) - self.earned:
            yield f"{board} is noted as done, and the monkey did not do it"
        task = seen.task
        assert task is not None
        found = [list(board_faults(seen, position)) for position in self.possible(task, seen)]
        if found and all(found):
            yield from min(found, key=len)

    def checked(self) -> None:
        pass  # what was tried stays tried until the board is set up again

    def possible(self, task: dict[str, object], seen: Sight) -> Iterator[punct.Position]:
        """Return the positions that may be on the board; none if that is not known."""
        board, stage, ply = str(task["board"]), task["stage"], task["ply"]
        start, solution = self.start(board), self.solution(board)
        first, last = (seen.buttons.get(f"step-{name}") for name in ("first", "last"))
        if (stage == "try" and ply == 0) or first is False:
            yield replayed(start, ())
        elif stage == "shown" and solution and not last:
            yield replayed(start, solution)
        elif stage in ("done", "missed") and ply == 1 and self.confirmed and not (last or stage == "missed"):
            for move in punct.Position(start).legal_moves:
                if where(move.text) == self.confirmed:
                    yield replayed(start, (move.text,))


class LessonScene(TaskScene):
    """A lesson of the course."""

    testid = "lesson"
    others = ((6, "solve"), (4, "again"), (2, "next"), (1, "skip"), (1, "previous"), (1, "board-1"))

    def __init__(self, server: Server, tab: Tab, rng: Random, lesson: str) -> None:
        super().__init__(server, tab, rng, f"/learn/{lesson}")
        self.lesson = lesson
        self.boards = {board["id"]: board for board in boards(lesson)}

    def start(self, board: str) -> str:
        return str(self.boards[board]["position"])

    def solution(self, board: str) -> Line:
        found = self.boards[board]
        if "refused" in found["goal"]:
            return ()
        both = zip_longest(found["solution"], found.get("answers", ()))
        line = [move for move in chain.from_iterable(both) if move]
        return tuple(line)

    def kept(self, tab: Tab) -> set[str]:
        noted = tab.page.evaluate(f"localStorage.getItem('{PROGRESS}')")
        return {name.rpartition(".")[2] for name in json.loads(noted)["done"]} if noted else set()


class PuzzleScene(TaskScene):
    """Puzzles, one after the other."""

    testid = "puzzle"
    others = ((5, "solve"), (4, "again"), (2, "next"), (1, "skip"))
    all: ClassVar = {puzzle.id: puzzle for puzzle in shipped()}

    def __init__(self, server: Server, tab: Tab, rng: Random, puzzle: Puzzle) -> None:
        super().__init__(server, tab, rng, f"/puzzles/{puzzle.id}")

    def start(self, board: str) -> str:
        return self.all[board].position

    def solution(self, board: str) -> Line:
        return tuple(map(str, self.all[board].solution))

    def kept(self, tab: Tab) -> set[str]:
        noted = tab.page.evaluate(f"localStorage.getItem('{NOTE}')")
        return {one["puzzle"] for one in json.loads(noted)["tries"] if one["solved"]} if noted else set()
