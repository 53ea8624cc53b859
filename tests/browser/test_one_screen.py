"""A turn on one screen: choosing, rotating and playing without scrolling, and a bar that neither jumps nor covers."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .hands import place_of
from .messages import LANGUAGES, messages, text
from .played import STACKS
from .screens import PHONES, SCREENS, Screens
from .serving import Server
from .table import Table

NAMES = [text("game.level", language, level=8) for language in LANGUAGES]
CUT = """(element, names) => {
    const shown = element.textContent
    const room = element.closest('header').getBoundingClientRect()
    const cut = names.filter((name) => {
        element.textContent = name
        const { top, bottom } = element.getBoundingClientRect()
        return element.scrollWidth > element.clientWidth || top < room.top - 1 || bottom > room.bottom + 1
    })
    element.textContent = shown
    return cut
}"""
"""Which names of a player are not seen whole."""


def test_a_turn_needs_no_scrolling(screens: Screens, server: Server) -> None:
    for screen, hand in screens.at_hand(*SCREENS):
        page = hand.page
        table = Table(page, server).begin(position=STACKS, seats={"b": {"type": "engine", "level": 1}})
        assert not page.get_by_test_id("player-b").locator("bdi").evaluate(CUT, NAMES)
        bar = page.get_by_test_id("turn-bar")
        before = place_of(bar)
        board = place_of(page.get_by_test_id("board"))
        hand.choose("l14")
        expect(table.saying).to_be_visible()
        seen = [place_of(bar), place_of(page.get_by_test_id("board"))]
        hand.choose("k10")
        expect(page.get_by_test_id("cancel")).to_be_visible()
        seen += [place_of(bar), place_of(page.get_by_test_id("board"))]
        hand.place("n9")
        expect(table.saying).to_contain_class("refusal")
        seen += [place_of(bar), place_of(page.get_by_test_id("board"))]
        hand.place("f10")
        expect(table.ghost).to_be_visible()
        seen += [place_of(bar), place_of(page.get_by_test_id("board"))]
        assert seen == [before, board] * 4  # nothing jumps, and nothing lies over the board
        assert page.evaluate("scrollY") == 0
        for name in ("board", "set-w", "rotate-left", "rotate-right", "cancel", "confirm"):
            part = page.get_by_test_id(name)
            assert screen.holds(place_of(part)), name
            expect(part).to_be_enabled()
        covered = board.y < before.y + before.height and before.y < board.y + board.height
        assert not covered or board.x + board.width <= before.x
        if screen.name == "phone on its side":
            assert board.height > screen.height - 20  # the board has the height to itself
        page.evaluate("scrollTo(0, 10_000)")
        if screen.height > screen.width:
            expect(page.get_by_test_id("confirm")).to_be_in_viewport()  # the bar is at hand wherever one looks


def test_no_button_is_there_that_does_nothing(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        page = hand.page
        Table(page, server).begin(position=STACKS)
        left, right, play = (page.get_by_test_id(name) for name in ("rotate-left", "rotate-right", "confirm"))
        hand.take("w", "R")
        for button in (left, right, play):
            expect(button).to_be_hidden()
        hand.place("g4")
        for button in (left, right, play):
            expect(button).to_be_enabled()
        page.keyboard.press("Escape")
        hand.choose("k10")  # may rotate where it lies
        expect(right).to_be_enabled()
        expect(play).to_be_hidden()


SAID = ("reason", "notice", "entry", "hint")


def cramped(words: Locator, said: list[str]) -> list[str]:
    """Return what has no room in the bar under the board, of all that may stand there."""
    found = words.evaluate(
        """(element, said) => {
            const bar = element.closest('[data-testid="turn-bar"]')
            const shown = element.textContent
            const cramped = said.filter((words) => {
                element.textContent = words
                const above = element.getBoundingClientRect().top < bar.getBoundingClientRect().top
                return above || bar.scrollHeight > bar.clientHeight
            })
            element.textContent = shown
            return cramped
        }""",
        said,
    )
    assert isinstance(found, list)
    return found


def test_whatever_is_said_has_room(screens: Screens, server: Server) -> None:
    said = [
        message
        for language in LANGUAGES
        for key, message in messages(language).items()
        if key.partition(".")[0] in SAID and isinstance(message, str)
    ]
    for _, hand in screens.at_hand():
        Table(hand.page, server).begin(position=STACKS)
        hand.choose("k10")
        hand.place("f10")
        assert not cramped(hand.page.get_by_test_id("prompt"), said)


def test_two_who_share_a_phone_have_the_set_to_play_from_at_hand(screens: Screens, server: Server) -> None:
    for screen, finger in screens.touched(*PHONES):
        page = finger.page
        table = Table(page, server).begin()
        for colour, other in (("w", "b"), ("b", "w")):
            mine, theirs = (place_of(page.get_by_test_id(f"set-{side}")) for side in (colour, other))
            board = place_of(page.get_by_test_id("board"))
            if screen.height > screen.width:
                assert theirs.y < board.y < mine.y
            else:
                assert board.x < theirs.x and theirs.y < mine.y  # beside the board, the larger one below
            assert mine.height >= 44 > theirs.height
            if colour == "w":
                server.play(table.id, "Ed5ne")
                expect(table.current).to_have_text("Ed5ne")
