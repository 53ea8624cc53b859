"""Somebody with a browser of their own."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from ..serving import Server
from ..table import Table

ASK = """async ([method, path, body]) => {
    const answer = await fetch('/api/v1' + path, {
        method, body: body && JSON.stringify(body), headers: body ? { 'Content-Type': 'application/json' } : {},
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.status === 204 ? null : answer.json()
}"""
"""A request with the browser's own cookie, from the page itself."""
PASSWORD = "three blue bridges"


class Person(Table):
    """A player, or somebody who looks on: the page before them, and the game that is open on it."""

    def __init__(self, page: Page, server: Server, name: str) -> None:
        super().__init__(page, server)
        self.name = name

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask the API in this person's name."""
        if not self.page.url.startswith(self.server.address):
            self.go("/about")
        return self.page.evaluate(ASK, [method, path, body])

    def go(self, path: str) -> Person:
        """Open a page of the server."""
        self.page.goto(self.server.address + path)
        return self

    def see(self, testid: str) -> Locator:
        """Return something on the page, once it is there."""
        found = self.page.get_by_test_id(testid)
        expect(found).to_be_visible()
        return found

    def press(self, testid: str) -> None:
        """Press a button."""
        self.page.get_by_test_id(testid).click()

    def choose(self, testid: str) -> None:
        """Choose one of several."""
        self.page.get_by_test_id(testid).check(force=True)

    def fill(self, testid: str, words: str) -> None:
        """Type something into a field."""
        self.page.get_by_test_id(testid).fill(words)

    def make_account(self, login: str) -> Person:
        """Make an account, by the page."""
        self.go("/account")
        self.fill("login", login)
        self.fill("password", PASSWORD)
        self.press("enter")
        expect(self.page.get_by_test_id("account-page")).to_have_attribute("data-account", "true")
        self.ask("POST", "/me", {"name": self.name})
        return self

    def log_in(self, login: str, password: str = PASSWORD) -> Person:
        """Log in to an account, by the page."""
        self.go("/account")
        self.choose("way-enter")
        self.fill("login", login)
        self.fill("password", password)
        self.press("enter")
        expect(self.page.get_by_test_id("account-page")).to_have_attribute("data-account", "true")
        return self

    def meet(self, other: Person, **wanted: object) -> None:
        """Play a new game with somebody: it is open before both, and this person has White."""
        self.ask("POST", "/me", {"name": self.name})
        other.ask("POST", "/me", {"name": other.name})
        challenge = self.ask("POST", "/challenges", {"colour": "w", **wanted})
        self.id = other.id = other.ask("POST", f"/challenges/{challenge['id']}/accept")["id"]
        self.open()
        other.open()

    def type(self, turn: str) -> None:
        """Play a turn as it is written, and see it played."""
        self.page.get_by_test_id("typed").fill(turn)
        self.page.get_by_test_id("typed").press("Enter")
        self.sees(turn)

    def sees(self, turn: str) -> None:
        """Wait until a turn is the last one on the board."""
        expect(self.current).to_have_text(turn)

    def hears(self, words: str) -> None:
        """Wait until something has been said."""
        expect(self.page.get_by_test_id("spoken")).to_contain_text(words)

    def arrive(self) -> Person:
        """Wait until the page itself has come to a game."""
        self.page.wait_for_url(re.compile(r"/game/[\w-]+$"))
        self.id = self.page.url.rpartition("/")[2]
        self.ready()
        return self
