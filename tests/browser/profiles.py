"""Browser profiles that are kept from test to test, and pages in them that know nothing of each other."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

DESKTOP = {"width": 1120, "height": 760}
WAIT = 120_000
"""Milliseconds until a test gives up; never reached when all is well, however busy the machine."""
LOOKS: dict[str, Any] = {"color_scheme": "light", "reduced_motion": "reduce", "forced_colors": "none"}
"""What an open page can be shown in; everything else belongs to its profile."""


class Profiles:
    """Opens pages. A new profile has everything to load and compile anew, which takes longer than most tests do."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[tuple[tuple[str, Any], ...], BrowserContext] = {}

    def open(self, *, fresh: bool = False, viewport: dict[str, int] = DESKTOP, **options: Any) -> Page:
        """Open a page that remembers nothing; `fresh` if not even the browser may have seen it before."""
        looks = {name: options.pop(name, usual) for name, usual in LOOKS.items()}
        # A page that keeps itself would be one more thing to load with every profile.
        wanted = {"locale": "en-GB", "service_workers": "block", **options}
        page = (self._new(wanted) if fresh else self._keep(wanted)).new_page()
        forget = page.context.new_cdp_session(page)
        forget.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "local_storage"})
        forget.detach()
        page.set_viewport_size({"width": viewport["width"], "height": viewport["height"]})
        page.emulate_media(**looks)
        return page

    def close(self, page: Page) -> None:
        """Close a page, and its profile if nobody else is to have that."""
        if page.context in self._kept.values():
            page.close()
        else:
            page.context.close()

    def _keep(self, wanted: dict[str, Any]) -> BrowserContext:
        key = tuple(sorted(wanted.items()))
        if key not in self._kept:
            self._kept[key] = self._new(wanted)
        return self._kept[key]

    def _new(self, wanted: dict[str, Any]) -> BrowserContext:
        context = self._browser.new_context(**wanted)
        context.set_default_timeout(WAIT)
        return context
