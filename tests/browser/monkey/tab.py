"""A page in the monkey's hands: what it presses there, what it saw, and what it laid on the board itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

import punct

from ..hands import HEADINGS, KINDS
from .gate import Gate, Passed
from .sight import Sight, look

PRESSABLE = """(selector) => {
    for (const element of document.querySelectorAll(selector)) {
        for (const block of ['nearest', 'center']) {
            element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' })
            const { left, top, width, height } = element.getBoundingClientRect()
            const [x, y] = [left + width / 2, top + height / 2]
            const hit = width && height ? document.elementFromPoint(x, y) : null
            const svg = element instanceof SVGElement ? element.ownerSVGElement : element
            if (hit && svg.contains(hit)) return [x, y]
        }
    }
    return null
}"""
"""Where something can be pressed; nowhere if it is not there, or something lies over it."""


@dataclass
class Tab:
    """One window of the page."""

    page: Page
    name: str
    touched: bool
    steps: list[str]
    """What was done so far, in all tabs."""
    gate: Gate = field(init=False)
    laid: str | None = None
    """The piece that lies on the board to be confirmed: only the monkey itself may change that, or the game."""
    laid_at_hint: str | None = None
    """The same when a hint was asked for."""

    def __post_init__(self) -> None:
        self.gate = Gate(self.page)

    def note(self, step: str) -> None:
        self.steps.append(f"{self.name}: {step}")

    def look(self) -> Sight:
        return look(self.page)

    # ---------------------------------------------------------------- hands

    def press(self, selector: str) -> bool:
        """Press something by mouse or finger; returns whether it was there to be pressed."""
        place = self.page.evaluate(PRESSABLE, selector)
        if place is None:
            return False
        (self.page.touchscreen.tap if self.touched else self.page.mouse.click)(*place)
        return True

    def button(self, testid: str) -> bool:
        return self.press(f'[data-testid="{testid}"]')

    def space(self, name: str) -> bool:
        return self.press(f'circle[data-space="{name}"]')

    def key(self, key: str) -> None:
        self.page.keyboard.press(key)

    def lay(self, move: punct.Move, colour: str) -> None:
        """Lay a piece down as a move has it, ready to be confirmed."""
        if self.look().in_hand:
            self.key("Escape")
        if move.origin is not None:
            self.space(str(move.origin))
        elif not self.button(f"take-{colour}{move.text[0]}"):
            self.key(str(KINDS.index(move.text[0]) + 1))
        if not move.is_rotation:
            self.space(str(move.space))
        for _ in range(HEADINGS):
            seen = self.look()
            if seen.ghost == where(move.text) or (seen.ghost is None and not move.is_rotation):
                return
            self.key("r")

    # ---------------------------------------------------------------- what was laid

    def acted(self) -> None:
        """The monkey did something here: what lies on the board now lies there by its will."""
        seen = self.look()
        if not seen.picture:
            self.laid = seen.ghost

    def answered(self, passed: list[Passed]) -> str:
        """Something came by itself; returns what is wrong with what it did to the piece that was laid down."""
        seen = self.look()
        if seen.picture or seen.ghost == self.laid:
            return ""
        before, self.laid = self.laid, seen.ghost
        if any(one.news and not one.is_hint for one in passed) or any(one.is_look for one in passed):
            return ""
        if any(one.is_hint for one in passed) and before == self.laid_at_hint:
            return ""
        came = ", ".join(map(str, passed)) or "time"
        return f"the monkey had laid {before or 'nothing'}, and by {came} there lies {seen.ghost or 'nothing'}"


def where(text: str) -> str:
    """Return the space and the heading of a move: what one sees of it on the board."""
    return text.rpartition("-")[2] if "-" in text else text[1:]
