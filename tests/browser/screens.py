"""The screens people play on, from a desktop to a phone on its side, light and dark, and pages that are touched."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from playwright.sync_api import CDPSession, Page

from .hands import Box, Finger, Hand, Mouse
from .watch import OpenPage

SCREENS = {
    "desktop": (1440, 900),
    "laptop": (1024, 768),
    "phone": (390, 844),
    "phone with bars": (390, 664),
    "phone on its side": (844, 390),
}
"""A phone's browser takes some of its height for itself."""
PHONES = tuple(name for name in SCREENS if name.startswith("phone"))
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
ARRANGEMENTS = ("desktop", "phone with bars", "phone on its side")
"""One screen of each way in which the page arranges itself: hands do the same on the others."""
EVERY_SCREEN = bool(os.environ.get("PUNCT_EVERY_SCREEN"))
"""Whether everything is done on every screen, in both themes on each (`make screens`), also what depends on neither."""
FOR_HANDS = tuple(SCREENS) if EVERY_SCREEN else ARRANGEMENTS
TOUCHED = {"has_touch": True, "is_mobile": True}

SETTLED = """async (theme) => {
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    while ((document.documentElement.dataset.theme ?? theme) !== theme) await frame()
    await frame()
}"""


class Screen(NamedTuple):
    """One of the screens, and how its system is set."""

    name: str
    width: int
    height: int
    theme: Theme

    def __str__(self) -> str:
        return f"{self.name} ({self.width}×{self.height}), {self.theme}"

    @property
    def wide(self) -> bool:
        """Whether everything is side by side, as on a desk."""
        return self.name not in PHONES

    def holds(self, box: Box) -> bool:
        """Whether something is wholly on it, but for a part of a pixel: pages are scrolled by whole ones."""
        return self.spans(box) and box.y > -1 and box.y + box.height < self.height + 1

    def spans(self, box: Box) -> bool:
        """Whether something is within its width, be it further down the page."""
        return box.x >= 0 and box.x + box.width <= self.width


class Screens:
    """Every screen in the light and in the dark, in pages that stay open: loading is dear, another size is cheap."""

    def __init__(self, open_page: OpenPage) -> None:
        self._open = open_page
        self.shown: Screen | None = None
        """Where a test is; it says so when it fails."""

    def of(self, page: Page, *names: str, both: bool = False) -> Iterator[Screen]:
        """Show a page on every screen, or on those named, in the light and in the dark by turns; or each in both."""
        both = both or EVERY_SCREEN
        themes = THEMES
        for name in names or SCREENS:
            for theme in themes if both else themes[:1]:
                screen = self.shown = Screen(name, *SCREENS[name], theme)
                page.set_viewport_size({"width": screen.width, "height": screen.height})
                page.emulate_media(color_scheme=theme)
                page.evaluate(SETTLED, theme)
                yield screen
            themes = themes[::-1]  # in both, the theme stays when the size changes
        self.shown = None

    def open(self, settings: Mapping[str, object], **options: Any) -> Page:
        """Open a page that finds settings when it is loaded."""
        page = self._open(**options)
        if settings:
            page.add_init_script(f"localStorage.setItem('punct.settings', {json.dumps(json.dumps(settings))})")
        return page

    def at_hand(self, *names: str, **settings: object) -> Iterator[tuple[Screen, Hand]]:
        """Show a page on screens as people use it there: phones are touched, elsewhere there is a mouse.

        What hands do depends little on the size: if none are named, on one screen of each arrangement.
        """
        for hand, group in ((Mouse, [name for name in SCREENS if name not in PHONES]), (Finger, PHONES)):
            wanted = [name for name in group if name in (names or FOR_HANDS)]
            if not wanted:
                continue
            page = self.open(settings, **(TOUCHED if hand is Finger else {}))
            for screen in self.of(page, *wanted):
                yield screen, hand(page)

    def clicked(self, *names: str, **settings: object) -> Iterator[tuple[Screen, Mouse]]:
        """Show a page on such screens, with a mouse and a keyboard on each: a window may be as small as a phone."""
        page = self.open(settings)
        for screen in self.of(page, *(names or FOR_HANDS)):
            yield screen, Mouse(page)

    def touched(self, *names: str, **settings: object) -> Iterator[tuple[Screen, Finger]]:
        """Show a page on such screens, each of them touched."""
        page = self.open(settings, **TOUCHED)
        for screen in self.of(page, *(names or FOR_HANDS)):
            yield screen, Finger(page)


Place = tuple[float, float]


class Fingers:
    """One finger or two on the glass, which may move before they leave it."""

    def __init__(self, page: Page) -> None:
        self._glass: CDPSession = page.context.new_cdp_session(page)

    def down(self, *places: Place) -> None:
        """Touch the glass here; with the fingers that are on it already, each is named again."""
        self._touch("touchStart", places)

    def move(self, *places: Place) -> None:
        """Slide on the glass, each finger to its next place."""
        self._touch("touchMove", places)

    def up(self, *left: Place) -> None:
        """Leave the glass, but for the fingers left."""
        self._touch("touchEnd", left)

    def _touch(self, kind: str, places: tuple[Place, ...]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
