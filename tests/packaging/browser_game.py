"""A real browser plays a move on an installed server: ``python -m tests.packaging.browser_game PUNCT``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright
from tests.browser.chromium import launch
from tests.browser.hands import Mouse
from tests.browser.profiles import WAIT
from tests.browser.serving import Server
from tests.browser.table import Table
from tests.polling import wait_until


def play_in_browser(program: Path, data: Path) -> None:
    """Start a server with the program ``punct`` of some environment, and play against the computer by mouse."""
    with (
        Server(data, [program, "serve", "--no-open"]) as server,
        sync_playwright() as playwright,
        launch(playwright) as browser,
    ):
        expect.set_options(timeout=WAIT)
        assert "missing" not in server.greeting
        table = Table(browser.new_page(locale="en-GB"), server)
        table.begin(seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 1}})
        mouse = Mouse(table.page)
        mouse.take("w", "E")
        mouse.place("d5")
        mouse.head("ne")
        mouse.confirm()
        expect(table.page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("Ed5ne")
        wait_until(lambda: table.game["ply"] == 2)  # the computer's answer: the kernel and its network are there


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        play_in_browser(Path(sys.argv[1]), Path(folder) / "data")
