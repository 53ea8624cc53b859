"""The screens people play on, from a desktop to a phone on its side, and pages that are touched there."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import CDPSession, Page

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


def on_screen(open_page: OpenPage, name: str, **options: Any) -> Page:
    """Open a page on one of the screens; phones are touched."""
    width, height = SCREENS[name]
    touched = {"has_touch": True, "is_mobile": True} if name in PHONES else {}
    return open_page(viewport={"width": width, "height": height}, **touched, **options)


def wish(page: Page, **settings: object) -> None:
    """Let the page find these settings when it is opened."""
    page.add_init_script(f"localStorage.setItem('punct.settings', {json.dumps(json.dumps(settings))})")


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
