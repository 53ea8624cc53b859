"""The rules lessons by somebody who sees nothing: with what the accessibility tree holds, and with keys.

Nothing here knows a lesson. What to do is heard, step by step, from the hints that the page says; where the keys are is
read from what has the focus. (The page's words are known, as anybody who knows the language knows them.)
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from .hands import HEADINGS, KINDS
from .messages import CLIENT, text
from .serving import Server
from .tree import Tree

LESSONS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in CLIENT.glob("src/learn/lessons/*.json")}
RULES = sorted(name for name, lesson in LESSONS.items() if lesson["part"] == "rules")
ALL = sum(len(lesson["boards"]) for lesson in LESSONS.values())
KIND_NAMES = {text(f"kind.{kind}"): str(number) for number, kind in enumerate(KINDS, 1)}
"""By what a piece is called, the key that takes one from the set."""
NEXT = text("learn.next")
NEXT_LESSON = text("learn.next_lesson", title="")
MOST_TURNS = 4
HEARING = """
    globalThis.heard = []
    new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes)
            if (target.role === 'log') for (const line of addedNodes) if (line.textContent) heard.push(line.textContent)
    }).observe(document, { childList: true, subtree: true })
"""
"""A screen reader reads what is added to a log."""
PATIENCE = 100
BRIEFLY = 25


HINTS = ("learn.hint_set", "learn.hint_piece", "learn.hint_space", "learn.hint_heading")


class Advice(NamedTuple):
    """What a hint says, as far as it goes."""

    key: str
    """That takes the piece from the set; nothing if it lies on the board."""
    origin: str
    target: str
    heading: str


def understood(words: str) -> Advice:
    """Understand a hint."""
    parts = [re.search(text(key, kind="([^.]+)", space=r"([a-q]\d+)", heading="([^.]+)"), words) for key in HINTS]
    kind, origin, target, heading = (part.group(1) if part else "" for part in parts)
    assert kind or origin, words
    return Advice(KIND_NAMES[kind] if kind else "", origin, target, heading)


class Listener:
    """Somebody at the keyboard who hears what is said."""

    def __init__(self, page: Page) -> None:
        page.add_init_script(HEARING)
        self.page = page
        self.tree = Tree(page)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, name: str) -> None:
        """Go on until something is read out that begins so."""
        for _ in range(PATIENCE):
            if self.tree.focused().name.startswith(name):
                return
            self.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {name!r}")

    def said(self) -> list[str]:
        """Return everything that was said, line by line."""
        return list(self.page.evaluate("heard"))

    def listen(self, before: int) -> str:
        """Return the last that was said after so many lines; nothing if nothing was for a while."""
        for _ in range(BRIEFLY):
            if said := self.said()[before:]:
                return said[-1]
            self.page.wait_for_timeout(20)
        return ""

    def hint(self) -> str:
        """Ask for hints until there are no more; return the last, which has all of them."""
        expect(self.page.get_by_role("log")).to_be_attached()
        last = ""
        for _ in range(PATIENCE):
            said = len(self.said())
            self.press("h")
            words = self.listen(said)
            if words and words == last:
                return words
            last = words
        raise AssertionError("there is no hint")

    def go_to(self, space: str) -> None:
        """Walk over the board with the arrow keys, by the names of its spaces."""
        for _ in range(PATIENCE):
            focused = self.tree.focused()
            found = re.match(r"([a-q])(\d+)\b", focused.name) if focused.role == "button" else None
            if not found:
                self.press("b")
                continue
            column, row = found.groups()
            if column + row == space:
                return
            if column != space[0]:
                self.press("ArrowRight" if column < space[0] else "ArrowLeft")
            else:
                self.press("ArrowUp" if int(row) < int(space[1:]) else "ArrowDown")
        raise AssertionError(f"the arrow keys do not lead to {space}")

    def head(self, heading: str) -> None:
        """Rotate until this heading is said."""
        for _ in range(HEADINGS):
            if self.said()[-1].endswith(heading):
                return
            said = len(self.said())
            self.press("r")
            assert self.listen(said), "rotating was not said"
        assert self.said()[-1].endswith(heading)

    def follow(self, advice: Advice) -> None:
        """Do what a hint says."""
        if advice.key:
            self.press(advice.key)
        else:
            self.go_to(advice.origin)
            self.press("Enter")
        if not advice.target:
            return
        if advice.heading and advice.target == advice.origin:
            self.press("r")
        else:
            self.go_to(advice.target)
            self.press("Enter")
        if advice.heading:
            self.head(advice.heading)
            self.press("Enter")

    def leads_on(self) -> bool:
        """Tell whether the focus comes to what leads on, within a while."""
        for _ in range(PATIENCE):
            if self.tree.focused().name.startswith((NEXT, NEXT_LESSON)):
                return True
            self.page.wait_for_timeout(20)
        return False

    def finish_board(self) -> None:
        """Do what is asked for, turn after turn, until the focus is on what comes next."""
        for _ in range(MOST_TURNS):
            self.follow(understood(self.hint()))
            if self.leads_on():
                return
        raise AssertionError(f"the board was not done: {self.said()}")


@pytest.mark.parametrize("lesson", RULES)
def test_a_lesson_by_ear_and_keys(page: Page, server: Server, lesson: str) -> None:
    listener = Listener(page)
    page.goto(f"{server.address}/learn")
    listener.tab_to(text(f"lesson.{lesson}.title"))
    listener.press("Enter")
    for _ in LESSONS[lesson]["boards"]:
        listener.finish_board()
        listener.press("Enter")
    listener.tab_to(text("learn.all"))
    listener.press("Enter")
    expect(page).to_have_url(f"{server.address}/learn")
    done = len(LESSONS[lesson]["boards"])
    expect(page.get_by_role("progressbar", name=text("learn.progress", n=done, all=ALL))).to_be_visible()
