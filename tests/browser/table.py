"""A game on the screen: what a test sees of it, and what the server has of it."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from .hands import ghost_on, space_on
from .serving import Server

FOLLOW = """async (path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
    await new Promise(requestAnimationFrame)
}"""
"""From one game to the next as a link or the back button does it, without loading the page again."""


class Table:
    """A page and the game that is open on it."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.id = ""

    def begin(self, *turns: str, **wanted: object) -> Table:
        """Open a new game, some turns of it already played."""
        self.id = self.server.begin(*turns, **wanted)
        return self.open()

    def open(self) -> Table:
        """Open the game, and wait until the board stands."""
        path = f"/game/{self.id}"
        if self.page.url.startswith(f"{self.server.address}/game/"):
            self.page.evaluate(FOLLOW, path)
        else:
            self.page.goto(self.server.address + path)
        return self.ready()

    def arrive(self) -> Table:
        """Wait until the page itself has come to a game."""
        self.page.wait_for_url(re.compile(r"/game/[\w-]+$"))
        self.id = self.page.url.rpartition("/")[2]
        return self.ready()

    def ready(self) -> Table:
        """Wait until the board stands."""
        expect(self.page.locator("[data-space][role]").first).to_be_attached()
        return self

    @property
    def game(self) -> dict[str, Any]:
        """The game as the server has it."""
        return self.server.game(self.id)

    @property
    def ghost(self) -> Locator:
        """The piece that would be laid down."""
        return ghost_on(self.page)

    @property
    def saying(self) -> Locator:
        """What the program has to say below the board."""
        return self.page.get_by_test_id("saying")

    @property
    def peek(self) -> Locator:
        """The stack taken apart."""
        return self.page.get_by_test_id("peek")

    def space(self, name: str) -> Locator:
        """One of the 211 spaces."""
        return space_on(self.page, name)

    @property
    def current(self) -> Locator:
        """The turn on the board, in the list."""
        return self.page.locator('[data-testid="moves"] [aria-current="step"]')

    def expect_played(self, text: str, manner: str) -> None:
        """Check that the last turn is this one: in the list of turns, in words, and in the store."""
        expect(self.current).to_have_text(text)
        expect(self.page.get_by_test_id("spoken")).to_contain_text(re.compile(r"White|Black"))
        last = self.game["view"]["last"]
        assert (last["text"], last["manner"]) == (text, manner)
