"""The rules lessons by somebody who sees nothing: with what the accessibility tree holds, and with keys.

Nothing here knows a lesson. What to do is heard, step by step, from the hints that the page says; where the keys are is
read from what has the focus. (The page's words are known, as anybody who knows the language knows them; and what the
page waits for is read from its attributes, so that no clock decides how long a silence is.)
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

LESSONS = {
    file.stem: json.loads(file.read_text(encoding="utf-8")) for file in CLIENT.glob("src/pages/lessons/course/*.json")
}
RULES = sorted(name for name, lesson in LESSONS.items() if lesson["part"] == "rules")
ALL = sum(len(lesson["boards"]) for lesson in LESSONS.values())
KIND_NAMES = {text(f"kind.{kind}"): str(number) for number, kind in enumerate(KINDS, 1)}
"""By what a piece is called, the key that takes one from the set."""
NEXT = text("learn.next")
NEXT_LESSON = text("learn.next_lesson", title="")
MAX_MOVES = 4
MAX_KEYS = 100
HEARING = """
    globalThis.heard = []
    new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes)
            if (target.role === 'log') for (const line of addedNodes) if (line.textContent) heard.push(line.textContent)
    }).observe(document, { childList: true, subtree: true })
"""
"""A screen reader reads what is added to a log."""
SAID = "([before, words]) => heard.slice(before).find((line) => line.match(words))"
"""Return the first line that matches, of those said after so many."""
ANSWERED = """([ply, held]) => {
    const { stage, ply: now } = document.querySelector('[data-testid=lesson]').dataset
    if (stage === 'try') return (now !== ply || (held && document.querySelector('[data-testid=cancel]'))) && stage
    return ['done', 'missed', 'shown'].includes(stage) && stage
}"""
"""Return the stage once the page has dealt with what was done: the board is settled, or awaits more than before."""

HINTS = ("learn.hint_set", "learn.hint_piece", "learn.hint_space", "learn.hint_heading")


def hint_pattern(key: str) -> str:
    """Return a regular expression of one sentence of a hint."""
    return text(key, kind="([^.]+)", space=r"([a-q]\d+)", heading="([^.]+)")


A_HINT = "|".join(hint_pattern(key) for key in HINTS[:2])
"""Every hint begins with the piece."""


class Advice(NamedTuple):
    """What a hint says, as far as it goes."""

    key: str
    """That takes the piece from the set; nothing if it lies on the board."""
    origin: str
    target: str
    heading: str


def understood(words: str) -> Advice:
    """Understand a hint."""
    parts = [re.search(hint_pattern(key), words) for key in HINTS]
    kind, origin, target, heading = (part.group(1) if part else "" for part in parts)
    assert kind or origin, words
    return Advice(KIND_NAMES[kind] if kind else "", origin, target, heading)


class Listener:
    """Somebody at the keyboard who hears what is said."""

    def __init__(self, page: Page) -> None:
        page.add_init_script(HEARING)
        self.page = page
        self.desk = page.get_by_test_id("lesson")
        self.tree = Tree(page)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, name: str) -> None:
        """Go on until something is read out that begins so."""
        expect(self.page.get_by_text(name).first).to_be_attached()
        for _ in range(MAX_KEYS):
            if self.tree.focused().name.startswith(name):
                return
            self.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {name!r}")

    def press_and_hear(self, key: str, words: str = "") -> str:
        """Press a key; wait for a line that matches, and return it."""
        before = self.page.evaluate("heard.length")
        self.press(key)
        return str(self.page.wait_for_function(SAID, arg=[before, words]).json_value())

    def hint(self) -> str:
        """Ask for hints until there are no more; return the last, which has all of them."""
        last = ""
        for _ in range(MAX_KEYS):
            words = self.press_and_hear("h", A_HINT)
            if words == last:
                return words
            last = words
        raise AssertionError("there is no hint")

    def go_to(self, space: str) -> None:
        """Walk over the board with the arrow keys, by the names of its spaces."""
        for _ in range(MAX_KEYS):
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

    def follow(self, advice: Advice) -> None:
        """Do what a hint says."""
        if advice.key:
            self.press_and_hear(advice.key)
        else:
            self.go_to(advice.origin)
            self.press_and_hear("Enter")
        if not advice.target:
            return
        if advice.heading and advice.target == advice.origin:
            words = self.press_and_hear("r")
        else:
            self.go_to(advice.target)
            words = self.press_and_hear("Enter")
        if advice.heading:
            for _ in range(HEADINGS):
                if words.endswith(advice.heading):
                    break
                words = self.press_and_hear("r")
            assert words.endswith(advice.heading)
            self.press("Enter")

    def finish_board(self, board: str) -> None:
        """Do what is asked for, move after move, until the focus is on what comes next."""
        expect(self.page.locator(f'[data-testid="lesson"][data-board="{board}"][data-stage="try"]')).to_be_attached()
        for _ in range(MAX_MOVES):
            ply = self.desk.get_attribute("data-ply")
            advice = understood(self.hint())
            self.follow(advice)
            stage = self.page.wait_for_function(ANSWERED, arg=[ply, not advice.target]).json_value()
            if stage == "done":
                expect(self.page.get_by_test_id("next").or_(self.page.get_by_test_id("next-lesson"))).to_be_focused()
                assert self.tree.focused().name.startswith((NEXT, NEXT_LESSON))
                return
            assert stage == "try"
        raise AssertionError(f"the board was not done: {self.page.evaluate('heard')}")


@pytest.mark.parametrize("lesson", RULES)
def test_a_lesson_by_ear_and_keys(page: Page, server: Server, lesson: str) -> None:
    listener = Listener(page)
    page.goto(f"{server.address}/learn")
    listener.tab_to(text(f"lesson.{lesson}.title"))
    listener.press("Enter")
    for board in LESSONS[lesson]["boards"]:
        listener.finish_board(board["id"])
        listener.press("Enter")
    listener.tab_to(text("learn.all"))
    listener.press("Enter")
    expect(page).to_have_url(f"{server.address}/learn")
    done = len(LESSONS[lesson]["boards"])
    expect(page.get_by_role("progressbar", name=text("learn.progress", n=done, all=ALL))).to_be_visible()
