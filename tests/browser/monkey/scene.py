"""What the monkey plays with: a page or several, what may be done there, and what must be so afterwards."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from random import Random

from tests.polling import TIMEOUT_SECONDS

import punct

from .gate import Passed
from .sight import Sight
from .tab import Tab

Act = tuple[int, str, Callable[[], object]]
"""How often it is done, what it is, and how it is done."""
MAX_ACTS = 5
"""Inputs in one burst, before everything that waits is let through."""
LET_ONE = 0.45
"""How often something is let through between two inputs."""


class MonkeyError(AssertionError):
    """The page shows something else than is so."""


class Scene(ABC):
    """Something on the page that can be played with, in one tab or several."""

    def __init__(self, tabs: list[Tab], rng: Random) -> None:
        self.tabs = tabs
        self.rng = rng
        self.problems: Sequence[str] = ()
        """Errors that the page logged."""

    @abstractmethod
    def open(self, tab: Tab) -> None:
        """Open it, and wait until it stands."""

    @abstractmethod
    def acts(self, tab: Tab, seen: Sight) -> Iterator[Act]:
        """Say what may be done now."""

    @abstractmethod
    def faults(self, tab: Tab, seen: Sight) -> Iterator[str]:
        """Compare what is seen with what is so. The page is at rest."""

    def settle(self, tab: Tab) -> list[Passed]:
        """Let everything through until the page is at rest."""
        return tab.gate.let_all()

    @abstractmethod
    def checked(self) -> None:
        """Remember things anew: all tabs show the truth."""

    # ---------------------------------------------------------------- playing

    def play(self, bursts: int) -> None:
        """Play so many bursts, and look at the truth after each."""
        for tab in self.tabs:
            self.open(tab)
            tab.gate.shut()
            self.settle(tab)
        for _ in range(bursts):
            for _ in range(self.rng.randint(1, MAX_ACTS)):
                self._act(self.rng.choice(self.tabs))
            for tab in self.tabs:
                tab.note("— everything comes")
                self._complain(tab, tab.answered(self.settle(tab)))
            for tab in self.tabs:
                self._check(tab)
                self._complain(tab, "\n".join(self.problems))
            self.checked()

    def _act(self, tab: Tab) -> None:
        acts = list(self.acts(tab, tab.look()))
        _, name, act = self.rng.choices(acts, [weight for weight, _, _ in acts])[0]
        tab.note(name)
        act()
        tab.acted()
        while self.rng.random() < LET_ONE:
            self._let(tab)

    def _let(self, tab: Tab) -> None:
        """Let one thing through, or time pass."""
        waiting = tab.gate.waiting()
        if not waiting:
            if tab.gate.tick():
                tab.note("  … time passes")
                self._complain(tab, tab.answered([]))
            return
        passed = tab.gate.let(self.rng.randrange(len(waiting)))
        tab.note(f"  … {passed}")
        self._complain(tab, tab.answered([passed]))

    def _check(self, tab: Tab) -> None:
        """Compare, as long as it takes a busy browser to draw what it knows."""
        until = time.monotonic() + TIMEOUT_SECONDS  # a page at rest may be late to show the truth
        while faults := list(self.faults(tab, tab.look())):
            if time.monotonic() > until:
                self._complain(tab, "\n".join(faults))
            self.settle(tab)

    def _complain(self, tab: Tab, fault: str) -> None:
        if fault:
            raise MonkeyError(f"in tab {tab.name}:\n{fault}")

    # ---------------------------------------------------------------- choosing

    def choose(self, position: punct.Position) -> punct.Move:
        """Choose a move: a new piece, one that moves, or one that climbs, each about as often."""
        moves = list(position.legal_moves)
        added = [move for move in moves if move.is_add]
        moved = [move for move in moves if not move.is_add]
        climbing = [move for move in moved if position.height(move.space)]
        return self.rng.choice(self.rng.choice([some for some in (added, moved, climbing) if some]))
