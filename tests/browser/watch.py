"""Nothing may go wrong on a page unnoticed."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import ConsoleMessage, Page

OpenPage = Callable[..., Page]
"""Opens a page, with options of Playwright's contexts."""


LATE_TOUCH = "Ignored attempt to cancel a touchstart event"
"""What Chromium says of itself, with no script of the page behind it, if a scroll begins before a busy page answers the
touch. The page cancels a touch only where that is possible, and its own attempt would name its script."""


class Watch:
    """Notes every error a page logs, and every script that breaks."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._allowed: list[re.Pattern[str]] = []

    def allow(self, pattern: str) -> None:
        """Let an error pass that a test provokes."""
        self._allowed.append(re.compile(pattern))

    def on(self, page: Page) -> None:
        """Watch a page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"broken script: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        if message.type != "error" or (not url and message.text.startswith(LATE_TOUCH)):
            return
        if not any(pattern.search(message.text) for pattern in self._allowed):
            self.problems.append(f"{message.text} ({url})")
