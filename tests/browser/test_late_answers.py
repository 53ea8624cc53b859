"""Answers that come late: what they were asked for has gone by then, and nothing of them is shown or played."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from .hands import Keys, Mouse, box
from .messages import text
from .screens import Screens
from .serving import Server
from .table import FOLLOW, Table
from .test_analysis import analysis, current, play

AGAINST_LEVEL_1 = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}
TURNS = ("Ed5ne", "Tl10n", "Em5ne", "Tc3n")
SCREENS = ("desktop", "phone with bars")
KEYS_AT_ONCE = """(keys) => {
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}"""
"""Keys pressed with nothing between them, not even an answer."""
FRAMES = """async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame)
}"""
"""What came before has been shown."""


class Held:
    """Requests of a page that are let through when a test says so."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._address = address
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route))

    def wait(self, count: int = 1) -> None:
        """Wait until so many were asked."""
        while len(self.routes) < count:
            self._page.evaluate("1")

    def answer(self, number: int = 0) -> None:
        """Let one through, unless it was withdrawn, and wait until the page has made of it what it will."""
        if self.routes[number].request.failure:
            return
        with self._page.expect_response(self.routes[number].request.url):
            self.routes[number].continue_()
        self._page.evaluate(FRAMES)


def test_end_leads_to_the_reply_that_waits(screens: Screens, server: Server) -> None:
    page = screens.open({}, fresh=True, reduced_motion="no-preference")  # its clock is this test's
    page.clock.install()
    heard: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda news: heard.append(news)))
    table = Table(page, server).begin(seats=AGAINST_LEVEL_1)
    keys = Keys(page)
    keys.take("w", "E")
    keys.place("d5")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # from here on the reply waits
    keys.confirm()
    while not any('"type":"game"' in str(news) and '"ply":2,' in str(news) for news in heard):
        page.evaluate("1")
    page.keyboard.press("End")
    expect(page.locator('[data-testid="moves"] [data-ply]')).to_have_count(2)
    page.evaluate("1")
    expect(page.get_by_test_id("looking-back")).to_have_count(0)
    expect(table.current).to_have_attribute("data-ply", "2")
    expect(page.get_by_test_id("prompt")).to_be_visible()


def test_a_hint_for_the_game_is_not_laid_on_an_earlier_position(screens: Screens, server: Server) -> None:
    page = screens.open({})
    hint = Held(page, "**/hint")
    for _ in screens.of(page, *SCREENS):
        table = Table(page, server).begin(*TURNS)
        before = len(hint.routes)
        page.keyboard.press("h")
        hint.wait(before + 1)
        page.keyboard.press(",")
        expect(table.current).to_have_text(TURNS[-2])
        hint.answer(before)
        expect(table.ghost).to_have_count(0)
        page.keyboard.press("Enter")
        page.evaluate(FRAMES)
        expect(table.current).to_have_text(TURNS[-2])
        assert table.game["ply"] == len(TURNS)
        page.keyboard.press("End")
        expect(table.current).to_have_text(TURNS[-1])
        expect(page.get_by_test_id("hint")).to_be_enabled()
        page.keyboard.press("h")  # asked again, it comes
        hint.wait(before + 2)
        hint.answer(before + 1)
        expect(table.ghost).to_have_count(1)


def test_a_hint_leaves_alone_what_was_laid_meanwhile(page: Page, server: Server) -> None:
    table = Table(page, server).begin(*TURNS)
    hint = Held(page, "**/hint")
    page.keyboard.press("h")
    hint.wait()
    mouse = Mouse(page)
    mouse.take("w", "T")
    mouse.place("o8")
    expect(table.ghost).to_have_attribute("data-space", "o8")
    laid = table.ghost.get_attribute("data-heading")
    hint.answer()
    expect(table.ghost).to_have_attribute("data-space", "o8")
    expect(table.ghost).to_have_attribute("data-heading", str(laid))


def test_a_move_stays_where_it_was_played_in_the_tree(screens: Screens, server: Server) -> None:
    page = screens.open({})
    for _ in screens.of(page, *SCREENS):
        table = analysis(page, server)
        play(table, "E", "d5", "w")
        expect(current(page)).to_have_attribute("data-path", "0")
        mouse = Mouse(page)
        mouse.take("b", "T")
        mouse.place("l10")
        expect(table.ghost).to_be_visible()
        page.evaluate(KEYS_AT_ONCE, ["Enter", "ArrowLeft"])
        expect(page.locator('[data-testid="tree"] [data-path="0.0"]')).to_contain_text("Tl10")
        expect(current(page)).to_have_attribute("data-path", "0")
        expect(page.get_by_test_id("variation")).to_have_count(0)
        expect(table.ghost).to_have_count(0)
        page.keyboard.press(".")
        expect(current(page)).to_have_attribute("data-path", "0.0")
        expect(table.space("l10")).not_to_have_accessible_name(re.compile(text("space.empty", space="l10")))


def test_quick_steps_go_on_from_each_other(page: Page, server: Server) -> None:
    table = Table(page, server).begin(*TURNS)
    positions = Held(page, "**/positions/*")
    page.evaluate(KEYS_AT_ONCE, [","] * len(TURNS))
    positions.wait(len(TURNS))
    asked = [route.request.url.rpartition("/")[2] for route in positions.routes]
    assert asked == [str(ply) for ply in reversed(range(len(TURNS)))]
    positions.answer(-1)
    expect(page.get_by_test_id("looking-back")).to_have_text(text("moves.start"))
    for number in range(len(TURNS) - 1):
        positions.answer(number)
    expect(page.get_by_test_id("looking-back")).to_have_text(text("moves.start"))
    expect(table.current).to_have_count(0)


def test_a_key_that_bounces_is_one_wish(page: Page, server: Server) -> None:
    table = Table(page, server).begin(*TURNS)
    undo = Held(page, "**/undo")
    page.evaluate(KEYS_AT_ONCE, ["z", "z"])
    undo.wait()
    undo.answer()
    expect(table.current).to_have_text(TURNS[-2])
    expect(page.locator('[data-testid="saying"].refusal')).to_have_count(0)
    assert len(undo.routes) == 1

    explained = Held(page, "**/explain")
    page.get_by_test_id("typed").fill(TURNS[-1])
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    explained.wait()
    explained.answer()
    expect(table.current).to_have_text(TURNS[-1])
    expect(page.get_by_test_id("typed")).to_have_value("")
    expect(page.locator('[data-testid="saying"].refusal')).to_have_count(0)
    assert len(explained.routes) == 1


def test_who_has_gone_elsewhere_is_not_called_to_a_new_game(screens: Screens, server: Server) -> None:
    page = screens.open({})
    new = Held(page, "**/api/v1/games")
    for number, _ in enumerate(screens.of(page, *SCREENS)):
        table = Table(page, server).begin(*TURNS, seats=AGAINST_LEVEL_1)
        server.ask(f"/games/{table.id}/resign", {"colour": "w"})
        rematch = page.get_by_test_id("rematch")
        rematch.dispatch_event("click")
        rematch.dispatch_event("click")
        new.wait(number + 1)
        page.get_by_test_id("step-through").click()
        expect(page.get_by_test_id("looking-back")).to_be_visible()
        page.evaluate(FOLLOW, "/how-to-play")
        new.answer(number)
        assert len(new.routes) == number + 1
        expect(page).to_have_url(f"{server.address}/how-to-play")


def test_who_has_gone_elsewhere_is_not_called_to_a_game_taken_in(page: Page, server: Server) -> None:
    Table(page, server).begin(*TURNS)
    records = Held(page, "**/records")
    page.get_by_test_id("record-file").set_input_files(
        {"name": "a.punct", "mimeType": "text/plain", "buffer": b"1. Ed5ne Tl10n *"}
    )
    records.wait()
    page.evaluate(FOLLOW, "/how-to-play")
    records.answer()
    expect(page).to_have_url(f"{server.address}/how-to-play")


def test_a_question_goes_with_the_game_it_is_about(page: Page, server: Server) -> None:
    table = Table(page, server).begin(*TURNS)
    page.keyboard.press("q")
    expect(page.get_by_test_id("question")).to_contain_text(text("colour.w"))
    server.play(table.id, "Cm14n")  # elsewhere: now Black would be the one to give up
    expect(page.get_by_test_id("question")).to_have_count(0)
    page.keyboard.press("q")
    expect(page.get_by_test_id("question")).to_contain_text(text("colour.b"))
    server.ask(f"/games/{table.id}/resign", {"colour": "b"})
    expect(page.get_by_test_id("end")).to_be_visible()
    expect(page.get_by_test_id("question")).to_have_count(0)


def test_the_end_stays_while_something_is_said(screens: Screens, server: Server) -> None:
    page = screens.open({}, permissions=("clipboard-read", "clipboard-write"))
    table = Table(page, server).begin(*TURNS)
    server.ask(f"/games/{table.id}/resign", {"colour": "w"})
    for screen in screens.of(page):
        expect(page.get_by_test_id("end")).to_be_visible()
        page.get_by_test_id("more").click()
        page.get_by_test_id("copy-position").click()
        expect(table.saying).to_be_visible()
        expect(page.get_by_test_id("end")).to_be_visible()
        expect(page.get_by_test_id("rematch")).to_be_visible()
        assert screen.spans(box(page.get_by_test_id("end")))
        assert screen.spans(box(table.saying))
