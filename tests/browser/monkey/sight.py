"""What a page shows. See sight.js."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

HEADING = re.compile("[nsew]+$")
SCRIPT = (Path(__file__).parent / "sight.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Sight:
    """One look at a page."""

    language: str
    picture: bool
    """Whether the board is a picture of reasons, and nobody plays on it."""
    spaces: dict[str, str]
    """What is drawn on top of each space: its colour and level; nothing if it is empty."""
    labels: dict[str, str]
    recent: str | None
    """Where the PÜNCT lies of the piece that is set off as the one played last."""
    sets: dict[str, int]
    buttons: dict[str, bool]
    """Those that are there, and whether they can be pressed."""
    in_hand: bool
    ghost: str | None
    """Space and heading of the piece that is laid down to be confirmed."""
    sending: bool
    moves: list[str]
    current: int
    """The ply that is marked in the list of moves."""
    to_move: list[str]
    tree: dict[str, str]
    """The moves of an analysis by their paths."""
    path: str
    task: dict[str, Any] | None
    asked: bool
    """Whether the coach waits for an answer."""
    resigning: bool
    typing: bool
    """Whether keys mean something of their own where the focus is."""
    pressing: bool
    """Whether Enter would press what has the focus."""
    focused: str | None
    """The space that has the focus."""

    @property
    def on_the_game(self) -> bool:
        """Whether the latest move of the game is looked at."""
        return self.current == len(self.moves)

    @property
    def confirms(self) -> bool:
        """Whether Enter plays what is laid down: elsewhere on the board it would choose another space."""
        beside = self.focused is not None and HEADING.sub("", self.ghost or "") != self.focused
        return self.ghost is not None and not (self.typing or self.pressing or self.sending or beside)

    def line(self, path: str | None = None) -> tuple[str, ...]:
        """Return the moves that lead to a place in the tree, or to the one that is shown."""
        steps = (self.path if path is None else path).split(".")
        return tuple(self.tree[".".join(steps[: n + 1])] for n in range(len(steps)) if steps != [""])


def look(page: Page) -> Sight:
    """Look at a page."""
    told = page.evaluate(SCRIPT)
    told["tree"] = dict(told["tree"])
    for name, key in (("in_hand", "inHand"), ("to_move", "toMove")):
        told[name] = told.pop(key)
    return Sight(**told)
