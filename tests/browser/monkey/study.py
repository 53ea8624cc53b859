"""An analysis: a tree of variations grown, edited and gone through by the monkey."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import punct

from ..serving import Server
from ..table import Table
from .scene import Act, Scene
from .sight import Sight
from .tab import Tab, where
from .truth import board_faults, last_faults, replayed

Line = tuple[str, ...]
START = "standard w"


class StudyScene(Scene):
    """The analysis of a game, in one tab."""

    def __init__(self, server: Server, tab: Tab, rng: Random, *moves: str) -> None:
        super().__init__([tab], rng)
        self.server = server
        self.path = f"/analysis?game={server.begin(*moves)}&ply={len(moves)}" if moves else "/analysis"
        self.meant: set[tuple[Line, str]] = {(moves[:ply], where(move)) for ply, move in enumerate(moves)}
        """Moves that were confirmed: after which others, and where the piece lay."""
        self.owed: tuple[Line, str] | None = None
        """The move that was confirmed last, if nothing was done since."""
        self.wish: Line | None = None
        """What was asked to be looked at, if nothing was done since that could change it."""

    def open(self, tab: Tab) -> None:
        tab.page.goto(self.server.address + self.path)
        Table(tab.page, self.server).ready()

    def acts(self, tab: Tab, seen: Sight) -> Iterator[Act]:
        here = seen.line()
        if not seen.typing:
            if seen.ghost:
                yield 24, "Enter", lambda: self.confirm(tab, seen)
                yield 2, "r", lambda: tab.key("r")
                yield 1, "Escape", lambda: tab.key("Escape")
            elif replayed(START, here).outcome() is None:
                yield 16, "lay", lambda: self.lay(tab, here)
            yield 6, ",", lambda: self.step(tab, ",", here[:-1])
            yield 3, ".", lambda: self.step(tab, ".", None)
            yield 3, "Home", lambda: self.look_at(tab, "Home", ())
            yield 2, "End", lambda: self.step(tab, "End", None)
            yield 2, "ArrowLeft", lambda: self.step(tab, "ArrowLeft", None)
            yield 1, "ArrowDown", lambda: self.step(tab, "ArrowDown", None)
        if seen.tree:
            yield 4, "a move in the tree", lambda: self.look_in_tree(tab, seen)
        for name in ("undo-edit", "redo-edit", "promote", "remove-turn", "mark-!?"):
            yield 1, name, partial(self.edit, tab, name)
        yield 1, "tap a space", lambda: tab.space(str(self.rng.choice(punct.SPACES)))

    def lay(self, tab: Tab, here: Line) -> None:
        position = replayed(START, here)
        move = self.choose(position)
        tab.steps[-1] += f" {move.text}"
        tab.lay(move, "wb"[position.turn])

    def confirm(self, tab: Tab, seen: Sight) -> None:
        assert seen.ghost
        tab.steps[-1] += f" {seen.ghost} after {' '.join(seen.line()) or 'nothing'}"
        self.meant.add((seen.line(), seen.ghost))
        self.wish = None
        # Somewhere else may be asked for already: then it is that which is shown.
        elsewhere = not seen.confirms or tab.gate.waiting()
        self.owed = None if elsewhere else (seen.line(), seen.ghost)
        tab.key("Enter")

    def step(self, tab: Tab, key: str, line: Line | None) -> None:
        self.owed = None
        self.wish = None if tab.gate.waiting() else line
        tab.key(key)

    def look_at(self, tab: Tab, key: str, line: Line) -> None:
        self.wish = None if self.owed or tab.look().sending else line
        self.owed = None
        tab.key(key)

    def look_in_tree(self, tab: Tab, seen: Sight) -> None:
        path = self.rng.choice(list(seen.tree))
        tab.steps[-1] += f" {' '.join(seen.line(path))}"
        self.owed = None
        self.wish = None if tab.gate.waiting() or seen.sending else seen.line(path)
        if not tab.press(f'[data-path="{path}"]'):
            self.wish = None

    def edit(self, tab: Tab, name: str) -> None:
        self.owed = self.wish = None
        tab.button(name)

    def faults(self, tab: Tab, seen: Sight) -> Iterator[str]:
        for path in seen.tree:
            *before, move = seen.line(path)
            if (tuple(before), where(move)) not in self.meant:
                yield f"the tree: {move} stands after {' '.join(before) or 'nothing'}, and nobody played it there"
        here = seen.line()
        try:
            position = replayed(START, here)
        except punct.PunctError as error:
            yield f"the tree: {' '.join(here)} cannot be played: {error}"
            return
        yield from board_faults(seen, position)
        yield from last_faults(seen, position)
        if self.wish is not None and here != self.wish:
            yield f"looked at: {' '.join(here)}, asked for was {' '.join(self.wish) or 'the start'}"
        if self.owed and (here[:-1], where(here[-1]) if here else "") != self.owed:
            yield f"confirmed was {self.owed[1]} after {' '.join(self.owed[0])}, shown is {' '.join(here)}"

    def checked(self) -> None:
        self.owed = self.wish = None
