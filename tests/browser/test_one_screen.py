"""A turn on one screen: choosing, rotating and playing without scrolling, and a bar that neither jumps nor covers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .hands import Finger, Hand, Mouse, place_of
from .messages import LANGUAGES, messages
from .played import STACKS
from .screens import PHONES, SCREENS, on_screen
from .serving import Server
from .table import Table
from .watch import OpenPage


def hand_for(page: Page, screen: str) -> Hand:
    """Return a finger for phones, a mouse elsewhere."""
    return Finger(page) if screen in PHONES else Mouse(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_turn_needs_no_scrolling(open_page: OpenPage, server: Server, screen: str, theme: str) -> None:
    width, height = SCREENS[screen]
    page = on_screen(open_page, screen, color_scheme=theme)
    table = Table(page, server).begin(position=STACKS, seats={"b": {"type": "engine", "level": 1}})
    hand = hand_for(page, screen)
    bar = page.get_by_test_id("turn-bar")
    before = place_of(bar)
    board = place_of(page.get_by_test_id("board"))

    def steady() -> None:
        assert place_of(bar) == before  # nothing jumps, and nothing lies over the board
        assert place_of(page.get_by_test_id("board")) == board

    hand.choose("l14")
    expect(table.saying).to_be_visible()
    steady()
    hand.choose("k10")
    expect(page.get_by_test_id("cancel")).to_be_visible()
    steady()
    hand.place("n9")
    expect(table.saying).to_contain_class("refusal")
    steady()
    hand.place("f10")
    expect(table.ghost).to_be_visible()
    steady()
    assert page.evaluate("scrollY") == 0
    for name in ("board", "set-w", "rotate-left", "rotate-right", "cancel", "confirm"):
        part = page.get_by_test_id(name)
        x, y, wide, high = place_of(part)
        assert x >= 0 and y >= 0 and x + wide <= width and y + high <= height, name
        expect(part).to_be_enabled()
    covered = board.y < before.y + before.height and before.y < board.y + board.height
    assert not covered or board.x + board.width <= before.x
    if screen == "phone on its side":
        assert board.height > height - 20  # the board has the height to itself
    page.evaluate("scrollTo(0, 10_000)")
    if height > width:
        expect(page.get_by_test_id("confirm")).to_be_in_viewport()  # the bar is at hand wherever one looks


def test_no_button_is_there_that_does_nothing(table: Table) -> None:
    table.begin(position=STACKS)
    page = table.page
    left, right, play = (page.get_by_test_id(name) for name in ("rotate-left", "rotate-right", "confirm"))
    Mouse(page).take("w", "R")
    for button in (left, right, play):
        expect(button).to_be_hidden()
    Mouse(page).place("g4")
    for button in (left, right, play):
        expect(button).to_be_enabled()
    page.keyboard.press("Escape")
    Mouse(page).choose("k10")  # may rotate where it lies
    expect(right).to_be_enabled()
    expect(play).to_be_hidden()


SAID = ("reason", "notice", "entry", "hint")


@pytest.mark.parametrize("screen", SCREENS)
def test_whatever_is_said_has_room(open_page: OpenPage, server: Server, screen: str) -> None:
    page = on_screen(open_page, screen)
    Table(page, server).begin(position=STACKS)
    hand = hand_for(page, screen)
    hand.choose("k10")
    hand.place("f10")
    said = [
        message
        for language in LANGUAGES
        for key, message in messages(language).items()
        if key.partition(".")[0] in SAID and isinstance(message, str)
    ]
    cramped = page.get_by_test_id("turn-bar").evaluate(
        """(bar, said) => {
            const prompt = bar.querySelector('[data-testid="prompt"]')
            return said.filter((words) => {
                prompt.textContent = words
                const above = prompt.getBoundingClientRect().top < bar.getBoundingClientRect().top
                return above || bar.scrollHeight > bar.clientHeight
            })
        }""",
        said,
    )
    assert not cramped


def test_two_who_share_a_phone_have_the_set_to_play_from_at_hand(phone: Page, server: Server) -> None:
    table = Table(phone, server).begin()
    for colour, other in (("w", "b"), ("b", "w")):
        mine, theirs = (place_of(phone.get_by_test_id(f"set-{side}")) for side in (colour, other))
        board = place_of(phone.get_by_test_id("board"))
        assert theirs.y < board.y < mine.y
        assert mine.height >= 44
        if colour == "w":
            server.play(table.id, "Ed5ne")
            expect(table.current).to_have_text("Ed5ne")
