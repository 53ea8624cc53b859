"""The gate before a page: what it was answered waits there until it is let through. See gate.js."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

SCRIPT = (Path(__file__).parent / "gate.js").read_text(encoding="utf-8")
MAX_ROUNDS = 60
"""So often things are let through, and lead to more of them, before a page is said never to come to rest."""


@dataclass(frozen=True)
class Passed:
    """Something that was let through."""

    channel: str
    what: str
    news: bool
    """Whether it may have told of another state of a game."""

    @property
    def is_hint(self) -> bool:
        return self.channel == "http" and self.what.endswith("/hint")

    @property
    def is_look(self) -> bool:
        """Whether it is a position to be looked at."""
        return "/positions/" in self.what or "of the kernel" in self.what

    def __str__(self) -> str:
        return f"{self.channel}: {self.what}".strip()


class Gate:
    """Holds up what a page waits for."""

    def __init__(self, page: Page) -> None:
        self._page = page
        page.add_init_script(SCRIPT)

    def shut(self) -> None:
        """From now on everything waits, and the clock stands."""
        self._page.evaluate("gate.shut()")

    def waiting(self) -> list[Passed]:
        """Wait until all that was asked for has come, and return it."""
        return [Passed(**told) for told in self._page.evaluate("gate.arrived().then(gate.waiting)")]

    def let(self, index: int) -> Passed:
        """Let one thing through."""
        return Passed(**self._page.evaluate("gate.pass", index))

    def hear(self, revision: int) -> None:
        """Wait until a game as new as this has come, be it to wait here."""
        self._page.evaluate("gate.heard", revision)

    def tick(self) -> int:
        """Let time pass; returns how many timers that set off."""
        return int(self._page.evaluate("gate.tick()"))

    def let_all(self) -> list[Passed]:
        """Let everything through, and what comes of that, until nothing is asked for and no timer runs."""
        told = self._page.evaluate("gate.rest", MAX_ROUNDS)
        passed = [Passed(**one) for one in told["passed"]]
        assert told["atRest"], f"the page does not come to rest: {passed[-6:]}{self._page.evaluate('gate.why()')}"
        return passed
