"""Three ways to enter a turn: mouse, finger and keyboard. Each takes the same three steps by its own means alone."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from playwright.sync_api import Locator, Page, expect

KINDS = "TCEMLR"
"""In the order of the keys 1 to 6."""
HEADINGS = 6


def space_on(page: Page, name: str) -> Locator:
    """Return a space of the board."""
    return page.locator(f'[data-space="{name}"][role="button"]')


def ghost_on(page: Page) -> Locator:
    """Return the piece that would be laid down."""
    return page.get_by_test_id("ghost")


class Box(NamedTuple):
    """Where something is on the screen."""

    x: float
    y: float
    width: float
    height: float


RECTANGLE = "(element) => element.getBoundingClientRect().toJSON()"
IN_SIGHT = "(element) => (element.scrollIntoViewIfNeeded(), element.getBoundingClientRect().toJSON())"


def place_of(locator: Locator, measured: str = RECTANGLE) -> Box:
    """Return where something is now, without scrolling there. (Playwright's own answer may be a frame old.)"""
    rectangle = locator.evaluate(measured)
    return Box(*(rectangle[side] for side in Box._fields))


def box(locator: Locator) -> Box:
    """Return where something is once it is in sight."""
    return place_of(locator, IN_SIGHT)


def middle(locator: Locator) -> tuple[float, float]:
    """Return where on the screen the middle of something is."""
    x, y, width, height = box(locator)
    return x + width / 2, y + height / 2


class Hand(Protocol):
    """Somebody's way to play."""

    page: Page

    def take(self, colour: str, kind: str) -> None:
        """Choose a piece from the set."""

    def choose(self, space: str) -> None:
        """Choose the piece that shows on a space."""

    def place(self, space: str) -> None:
        """Pick the space of its PÜNCT."""

    def rotate(self) -> None:
        """Turn the piece once, clockwise."""

    def head(self, heading: str) -> None:
        """Turn the ghost to a heading."""

    def confirm(self) -> None:
        """Play what the ghost shows."""


class Mouse:
    """Clicks; headings by their handles."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def take(self, colour: str, kind: str) -> None:
        self.page.get_by_test_id(f"take-{colour}{kind}").click()

    def choose(self, space: str) -> None:
        space_on(self.page, space).click()

    def place(self, space: str) -> None:
        space_on(self.page, space).click()

    def rotate(self) -> None:
        self.page.get_by_test_id("rotate-right").click()

    def head(self, heading: str) -> None:
        ghost = ghost_on(self.page)
        if ghost.get_attribute("data-heading") != heading:
            self.page.mouse.click(*middle(ghost.locator(f'[data-testid="handle"][data-heading="{heading}"]')))
        expect(ghost).to_have_attribute("data-heading", heading)

    def confirm(self) -> None:
        self.page.get_by_test_id("confirm").click()


class Finger:
    """Taps on a page that is touched."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def take(self, colour: str, kind: str) -> None:
        self.page.get_by_test_id(f"take-{colour}{kind}").tap()

    def choose(self, space: str) -> None:
        space_on(self.page, space).tap()

    def place(self, space: str) -> None:
        space_on(self.page, space).tap()

    def rotate(self) -> None:
        self.page.get_by_test_id("rotate-right").tap()

    def head(self, heading: str) -> None:
        ghost = ghost_on(self.page)
        if ghost.get_attribute("data-heading") != heading:
            self.page.touchscreen.tap(*middle(ghost.locator(f'[data-testid="handle"][data-heading="{heading}"]')))
        expect(ghost).to_have_attribute("data-heading", heading)

    def confirm(self) -> None:
        self.page.get_by_test_id("confirm").tap()


class Keys:
    """Keys alone: Tab to the board, arrows over it, Enter, R, and 1 to 6 for the set."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def take(self, colour: str, kind: str) -> None:
        del colour  # the keys take from the set of the player to move
        self.page.keyboard.press(str(KINDS.index(kind) + 1))

    def choose(self, space: str) -> None:
        self.go_to(space)
        self.page.keyboard.press("Enter")

    def place(self, space: str) -> None:
        self.go_to(space)
        self.page.keyboard.press("Enter")

    def rotate(self) -> None:
        self.page.keyboard.press("r")

    def head(self, heading: str) -> None:
        for _ in range(HEADINGS):
            if ghost_on(self.page).get_attribute("data-heading") == heading:
                return
            self.rotate()
        expect(ghost_on(self.page)).to_have_attribute("data-heading", heading)

    def confirm(self) -> None:
        self.page.keyboard.press("Enter")

    def go_to(self, space: str) -> None:
        """Walk over the board with the arrow keys: first to the column, then along it."""
        for _ in range(40):
            here = self._focused() or self._tab_to_the_board()
            if here == space:
                return
            if here[0] != space[0]:
                self.page.keyboard.press("ArrowRight" if here[0] < space[0] else "ArrowLeft")
            else:
                self.page.keyboard.press("ArrowUp" if int(here[1:]) < int(space[1:]) else "ArrowDown")
        raise AssertionError(f"the arrow keys do not lead to {space}")

    def _focused(self) -> str:
        return str(self.page.evaluate("document.activeElement?.dataset?.space ?? ''"))

    def _tab_to_the_board(self) -> str:
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if here := self._focused():
                return here
        raise AssertionError("the Tab key does not lead to the board")
