"""The course in a real browser: every board by mouse, lessons by finger and by keyboard, and what is kept of it."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from playwright.sync_api import Locator, Page, expect

from .hands import HEADINGS, Finger, Hand, Keys, Mouse, ghost_on, middle, place_of, space_on
from .messages import CLIENT, text
from .screens import Screens
from .serving import Server
from .test_accessibility import AXE, violations

PROGRESS = "punct.lessons"
LESSONS = CLIENT / "src" / "pages" / "lessons" / "course"
ALL = sum(len(json.loads(file.read_text(encoding="utf-8"))["boards"]) for file in LESSONS.glob("*.json"))


@cache
def boards(lesson: str) -> list[dict[str, Any]]:
    """Return the boards of a lesson, as the page has them."""
    told = json.loads((LESSONS / f"{lesson}.json").read_text(encoding="utf-8"))
    return list(told["boards"])


def attempt(hand: Hand, tried: str, colour: str) -> None:
    """Enter a turn; or, where a refusal is the goal, tap what is to be refused."""
    found = re.fullmatch(r"(?:([TCEMLR])|([a-q]\d+)-?)([a-q]\d+)?(n|ne|se|s|sw|nw)?", tried)
    assert found, tried
    kind, origin, space, heading = found.groups()
    if kind and not space:  # there is none left: the page says so, and nobody waits for one
        hand.page.mouse.click(*middle(hand.page.get_by_test_id(f"take-{colour}{kind}")))
    elif kind:
        hand.take(colour, kind)
    else:
        hand.choose(origin)
    if not space:
        return
    if heading and origin == space:
        hand.rotate()
        for _ in range(HEADINGS):
            if ghost_on(hand.page).get_attribute("data-heading") == heading:
                break
            hand.rotate()
    else:
        hand.place(space)
        if heading:
            hand.head(heading)
    if heading:
        hand.confirm()


def solve(hand: Hand, lesson: str, board: dict[str, Any]) -> None:
    """Do what a board asks for, and be told that it was right."""
    page, colour = hand.page, board["position"].split()[1]
    wait_for(page, board["id"], "try")
    for number, tried in enumerate(board["solution"]):
        if number and "answers" in board:
            expect(page.get_by_test_id("lesson")).to_have_attribute("data-ply", str(2 * number))
            wait_for(page, board["id"], "try")
        attempt(hand, tried, colour)
    wait_for(page, board["id"], "done")
    expect(page.get_by_test_id("verdict")).to_have_text(text(f"lesson.{lesson}.{board['id']}.done"))


def wait_for(page: Page, board: str, stage: str) -> None:
    expect(page.locator(f'[data-testid="lesson"][data-board="{board}"][data-stage="{stage}"]')).to_be_attached()


def course(hand: Hand, server: Server) -> None:
    """Do every lesson, one after the other, up to the guided game."""
    page, lesson = hand.page, "aim"
    page.goto(f"{server.address}/learn")
    press = Locator.tap if isinstance(hand, Finger) else Locator.click
    press(page.get_by_test_id("go-on"))
    while lesson != "game":
        for number, board in enumerate(boards(lesson)):
            if number:
                press(page.get_by_test_id("next"))
            solve(hand, lesson, board)
        press(page.get_by_test_id("next-lesson"))
        page.wait_for_url(lambda url, before=lesson: not url.endswith(before))  # type: ignore[misc]
        lesson = page.url.rpartition("/")[2]
    wait_for(page, "first", "try")


def test_every_lesson_by_mouse(page: Page, server: Server) -> None:
    hand = Mouse(page)
    course(hand, server)
    # The guided game: it says something, is answered, gives hints, and may be left at any time.
    expect(page.get_by_test_id("remark")).to_have_text(text("lesson.game.first.begin"))
    attempt(hand, "Ei14n", "w")
    expect(page.get_by_test_id("remark")).to_have_text(text("lesson.game.first.second"))
    before = place_of(page.get_by_test_id("hint"))
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("hint-words")).to_be_visible()
    assert place_of(page.get_by_test_id("hint")) == before  # below the pointer, for the next press
    page.get_by_test_id("all-lessons").click()
    expect(page.get_by_test_id("progress")).to_have_text(text("learn.progress", n=ALL - 1, all=ALL))


def test_wrong_ways_hints_and_the_solution(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/learn/pieces")
    hand = Mouse(page)
    wait_for(page, "punct", "try")
    attempt(hand, "f8-b8n", "w")
    expect(page.get_by_test_id("verdict")).to_have_text(text("lesson.pieces.punct.carried"))
    page.get_by_test_id("again").click()
    wait_for(page, "punct", "try")
    hints = page.get_by_test_id("hint-words")
    for words in ("learn.hint_piece", "learn.hint_space", "learn.hint_heading"):
        page.get_by_test_id("hint").click()
        expect(hints).to_contain_text(text(words, space="i10", kind=text("kind.L"), heading=text("heading.se")))
    expect(page.get_by_test_id("suggestions")).to_be_attached()
    page.get_by_test_id("solve").click()
    wait_for(page, "punct", "shown")
    page.get_by_test_id("next").click()
    page.get_by_test_id("skip").click()
    page.get_by_test_id("previous").click()
    wait_for(page, "flip", "try")
    page.goto(f"{server.address}/learn")  # what was shown or skipped is not done
    expect(page.get_by_test_id("progress")).to_contain_text(text("learn.progress", n=0, all=ALL))
    page.goto(f"{server.address}/learn/chess")
    expect(page.get_by_role("heading", name=text("learn.unknown"))).to_be_visible()


def test_every_lesson_by_finger(phone: Page, server: Server) -> None:
    course(Finger(phone), server)
    phone.goto(f"{server.address}/learn/bridge")  # all are done: it begins with the first again
    wait_for(phone, "build", "try")
    expect(phone.get_by_role("button", name=text("learn.board_done", n=5))).to_be_visible()


def test_looking_beneath_tells_which_piece_to_move(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/learn/end")
    page.get_by_test_id("board-3").click()
    wait_for(page, "beneath", "try")
    layers = page.get_by_test_id("peek").get_by_role("listitem")
    for space, colour in (("h5", "colour.w"), ("m14", "colour.b")):
        space_on(page, space).hover()
        expect(page.get_by_test_id("peek")).to_contain_text(text("peek.title", space=space))
        expect(layers).to_have_count(2)
        expect(layers.last).to_contain_text(text(colour))
    attempt(Mouse(page), "l13-h9s", "w")
    expect(page.get_by_test_id("verdict")).to_have_text(text("lesson.end.beneath.hole"))
    page.get_by_test_id("again").click()
    space_on(page, "m14").focus()
    page.keyboard.press("p")
    expect(layers.last).to_contain_text(text("colour.b"))
    page.keyboard.press("p")
    solve(Mouse(page), "end", boards("end")[2])


def test_by_keyboard_and_ear(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/learn/jump")
    hand, spoken = Keys(page), page.get_by_role("log")
    for number, board in enumerate(boards("jump")):
        if number:
            page.keyboard.press("Enter")  # the focus is on what comes next
            expect(page.get_by_test_id("task")).to_be_focused()
        expect(page.get_by_text(text(f"lesson.jump.{board['id']}.task"), exact=True)).to_be_visible()
        wait_for(page, board["id"], "try")
        page.keyboard.press("h")
        expect(spoken).to_contain_text(re.compile(r"It is about the piece on \w+"))
        solve(hand, "jump", board)
        expect(spoken).to_contain_text(text(f"lesson.jump.{board['id']}.done"))
        onward = text("learn.next_lesson", title=text("lesson.bridge.title")) if number == 4 else text("learn.next")
        expect(page.get_by_role("link" if number == 4 else "button", name=onward, exact=True)).to_be_focused()


def test_broken_progress_is_put_aside(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/about")
    page.evaluate(f"localStorage.setItem('{PROGRESS}', '{{\"done\": 7')")
    page.goto(f"{server.address}/learn")
    expect(page.get_by_test_id("broken-progress")).to_have_text(text("learn.broken"))
    page.get_by_test_id("lesson-aim").click()
    solve(Mouse(page), "aim", boards("aim")[0])
    page.goto(f"{server.address}/learn")
    expect(page.get_by_test_id("progress")).to_contain_text(text("learn.progress", n=1, all=ALL))
    expect(page.get_by_test_id("broken-progress")).to_have_count(0)
    assert page.evaluate(f"localStorage.getItem('{PROGRESS}.broken')") == '{"done": 7'
    page.get_by_test_id("anew").click()
    expect(page.get_by_test_id("progress")).to_contain_text(text("learn.progress", n=0, all=ALL))


def test_axe_finds_nothing(screens: Screens, server: Server) -> None:
    page = screens.open({})
    page.goto(f"{server.address}/learn")
    expect(page.get_by_test_id("course")).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for _ in screens.of(page, "desktop", "phone", both=True):
        assert not violations(page)
    page.get_by_test_id("lesson-aim").click()
    solve(Mouse(page), "aim", boards("aim")[0])
    for screen in screens.of(page, "desktop", "phone", both=True):
        assert not violations(page, *(["color-contrast"] if screen.theme == "dark" else []))
