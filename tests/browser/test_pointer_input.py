"""Taps and clicks that do what was meant: the space under them, what the preview shows, one heading a notch."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from punct import Heading, Position, Space

from .hands import middle, space_on
from .messages import text
from .played import POSITION, STACKS
from .screens import Fingers, Screens
from .serving import Server
from .table import Table

CHOSEN = "k10"


def lands(position: Position, origin: str) -> set[str]:
    """Return where the PÜNCT of a piece may go."""
    return {str(move.space) for move in position.legal_moves if str(move.origin) == origin}


def neighbours(space: Space) -> list[Space]:
    """Return the spaces around one."""
    return [found for heading in Heading if (found := space.neighbour(heading)) is not None]


def beside(position: Position, origin: str) -> tuple[str, str]:
    """Return an empty space where a piece may not go, and one beside it where it may."""
    allowed = lands(position, origin)
    taken = {str(space) for piece in position.pieces for space in piece.spaces}
    for goal in sorted(allowed - taken):
        for neighbour in neighbours(Space(goal)):
            if str(neighbour) not in allowed | taken:
                return str(neighbour), goal
    raise AssertionError("every space is allowed")


def between(page: Page, start: str, end: str, share: float) -> tuple[float, float]:
    """Return a place on the screen on the way from one space to another."""
    x, y = middle(space_on(page, start))
    to_x, to_y = middle(space_on(page, end))
    return x + (to_x - x) * share, y + (to_y - y) * share


EMPTY, ALLOWED = beside(Position(POSITION), CHOSEN)


def test_a_mouse_means_the_space_under_it(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked(confirm=False):
        page = mouse.page
        table = Table(page, server).begin(position=POSITION)
        mouse.choose(CHOSEN)
        near = between(page, EMPTY, ALLOWED, 0.44)
        page.mouse.click(*near)
        expect(table.saying).to_contain_class("refusal")  # no turn nobody chose, and the refusal is heard
        expect(table.ghost).to_have_count(0)
        page.mouse.move(*middle(table.space(CHOSEN)))  # a drag means the space under it as well
        page.mouse.down()
        page.mouse.move(*near, steps=6)
        expect(table.ghost).to_have_count(0)
        page.mouse.up()
        expect(table.saying).to_contain_class("refusal")
        assert table.game["ply"] == 0
        page.mouse.click(*between(page, EMPTY, ALLOWED, 0.56))  # and a little further on it is the other one
        expect(table.current).to_contain_text(f"{CHOSEN}-{ALLOWED}")


def test_a_finger_beside_a_space_is_asked_first(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(confirm=False):
        page = finger.page
        table = Table(page, server).begin(position=POSITION)
        finger.choose(CHOSEN)
        page.touchscreen.tap(*between(page, EMPTY, ALLOWED, 0.3))  # too far: the space under it is meant
        expect(table.saying).to_contain_class("refusal")
        page.touchscreen.tap(*between(page, EMPTY, ALLOWED, 0.45))
        expect(table.ghost).to_have_attribute("data-space", ALLOWED)
        page.touchscreen.tap(*between(page, EMPTY, ALLOWED, 0.45))  # nor does trying again play it
        expect(table.ghost).to_have_attribute("data-space", ALLOWED)
        assert table.game["ply"] == 0
        finger.confirm()
        expect(table.current).to_contain_text(f"{CHOSEN}-{ALLOWED}")


RIM, INWARDS = "a4", "c5"
"""A space at the left rim, and one straight across from it: the other way leads over the rim."""


def test_a_finger_beyond_the_rim_is_asked_first(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(confirm=False):
        page = finger.page
        table = Table(page, server).begin(position=POSITION)
        finger.take("w", "C")  # which can lie there in one way only: a tap on the space plays it
        for _ in range(2):  # nor does trying again play it
            page.touchscreen.tap(*between(page, RIM, INWARDS, -0.33))
            expect(table.ghost).to_have_attribute("data-space", RIM)
            expect(page.get_by_test_id("confirm")).to_be_enabled()
        assert table.game["ply"] == 0
        page.touchscreen.tap(*between(page, RIM, INWARDS, -0.2))
        expect(table.current).to_contain_text(f"C{RIM}")


def test_a_finger_near_a_handle_turns_and_plays_nothing(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(confirm=False):
        page = finger.page
        table = Table(page, server).begin(position=STACKS)
        finger.choose("k10")
        finger.place("f10")
        page.touchscreen.tap(*between(page, "f10", "f12", 1.27))  # beyond the disc of the handle that points there
        expect(table.ghost).to_have_attribute("data-heading", "n")
        page.touchscreen.tap(*between(page, "f10", "d10", 0.85))  # nearer to a landing than to the handle behind it
        expect(table.ghost).to_have_attribute("data-space", "d10")
        assert table.game["ply"] == 0
        page.touchscreen.tap(*between(page, "d10", "b8", 1.05))  # on a handle it is meant
        expect(table.current).to_have_text("k10-d10sw")


def test_a_finger_on_a_piece_means_that_piece(screens: Screens, server: Server) -> None:
    position = Position(STACKS)
    theirs = next(piece for piece in position.pieces if piece.space == Space("l14"))
    goal, onto = next(
        (str(space), str(dot))
        for dot in theirs.spaces
        for space in neighbours(dot)
        if str(space) in lands(position, "k10") and str(dot) not in lands(position, "k10")
    )
    for _, finger in screens.touched():
        table = Table(finger.page, server).begin(position=STACKS)
        finger.choose("k10")
        finger.page.touchscreen.tap(*between(finger.page, onto, goal, 0.45))
        expect(table.saying).to_contain_class("refusal")
        expect(table.ghost).to_have_count(0)


def test_what_is_dropped_beside_a_space_waits(screens: Screens, server: Server) -> None:
    for _, finger in screens.touched(confirm=False):
        page = finger.page
        table = Table(page, server).begin(position=POSITION)
        fingers = Fingers(page)
        x, y = middle(table.space(CHOSEN))
        goal_x, goal_y = between(page, EMPTY, ALLOWED, 0.45)
        fingers.down((x, y))
        for step in range(1, 9):  # the finger ends 64 below what it means
            fingers.move((x + (goal_x - x) * step / 8, y + (goal_y + 64 - y) * step / 8))
        expect(table.ghost).to_have_attribute("data-space", ALLOWED)
        fingers.up()
        expect(page.get_by_test_id("confirm")).to_be_enabled()
        assert table.game["ply"] == 0


def test_preview_and_click_agree_over_a_pieces_own_punct(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        table = Table(page, server).begin(position=POSITION)
        mouse.choose("d10")
        table.space("d12").hover()
        expect(table.ghost).to_have_attribute("data-space", "d12")
        table.space("d10").hover()
        expect(table.ghost).to_have_count(0)  # nothing would be laid down
        page.mouse.wheel(0, 100)  # but the wheel turns it where it lies
        expect(table.ghost).to_have_attribute("data-space", "d10")
        page.keyboard.press("Escape")
        mouse.choose("d10")
        mouse.choose("d10")
        expect(page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))


def test_another_piece_is_chosen_instead_and_it_is_said(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        table = Table(hand.page, server).begin(position=POSITION)
        hand.choose("k10")
        hand.place("k4")  # where it may land it lands
        expect(table.ghost).to_have_attribute("data-space", "k4")
        hand.choose("d7")
        words = text("notice.chosen_instead", kind=text("kind.T"), space="d7")
        expect(table.saying).to_have_text(words)
        expect(table.saying).to_contain_class("plain")
        expect(hand.page.get_by_test_id("spoken").locator("p").last).to_have_text(words)
        expect(table.ghost).to_have_count(0)


def test_the_wheel_turns_once_a_notch_and_a_trackpad_once_in_a_hundred_pixels(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        table = Table(page, server).begin(position=POSITION)
        mouse.take("w", "E")
        mouse.place("g4")
        table.space("g4").hover()
        for heading in ("ne", "se", "s"):
            page.mouse.wheel(0, 120)
            expect(table.ghost).to_have_attribute("data-heading", heading)
        page.mouse.wheel(0, -120)
        expect(table.ghost).to_have_attribute("data-heading", "se")
        # Many small events in a row, as two fingers on a trackpad make them.
        table.page.get_by_test_id("board").locator("svg").first.evaluate(
            """(board) => {
                for (let times = 0; times < 8; times++)
                    board.dispatchEvent(new WheelEvent("wheel", { deltaY: 30, bubbles: true, cancelable: true }))
            }"""
        )
        expect(table.ghost).to_have_attribute("data-heading", "sw")  # 240 pixels: two headings
