"""The coach in a real browser: a bad turn is asked about, shown, taken back or played; and what is found afterwards."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .hands import Finger, Hand, Keys, Mouse, place_of
from .messages import LANGUAGES, text
from .played import OPENS
from .screens import Screens
from .serving import Server
from .table import Table
from .test_learn import attempt
from .watch import OpenPage, Watch

COMPUTER = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}
GAME = (
    "Cm8n Co12ne Lj3ne Ea4ne Tn14s Rl8n En15n Li6se To10nw Md4nw Rl5ne Mf6n To15se Ce3n Lq13n Ef5se Eq10n Ld7n "
    "Ci4se Rd3s Tp17s Tl14se Mm11sw Ek14s Tf1nw i6-o12se Td11n f6-k6nw m11-m9sw Tj13nw Ec9n e3-k9n Ef10n Ec5ne "
    "Rf3se Tl10n f10-f3nw j13-j7sw"
)
"""A game that White loses to the computer, after some chances."""
SETTINGS = "punct.settings"
A_REVIEW = 180_000
"""Milliseconds until a test gives up on the coach's looking back; never reached when all is well."""


def with_coach(page: Page, **settings: object) -> Page:
    """Switch the coach on, before the page is loaded."""
    noted = json.dumps(json.dumps({"coach": True, **settings}))
    page.add_init_script(f"localStorage.getItem('{SETTINGS}') ?? localStorage.setItem('{SETTINGS}', {noted})")
    return page


def begin(page: Page, server: Server, *turns: str, **wanted: object) -> Table:
    """Begin a game against the computer, and wait until the coach is there."""
    table = Table(page, server).begin(*turns, seats=COMPUTER, **wanted)
    expect(page.get_by_test_id("coach")).to_be_visible()
    return table


@pytest.fixture(autouse=True)
def new(watch: Watch) -> None:
    """A game that nobody has reviewed has no review: the browser notes that, too."""
    watch.allow("404")


@pytest.fixture
def coached(page: Page) -> Page:
    return with_coach(page)


def question(page: Page) -> Locator:
    return page.get_by_role("alertdialog", name=text("settings.coach"))


def enter(hand: Hand, origin: str, space: str, heading: str) -> None:
    """Enter a move, and confirm it."""
    hand.choose(origin)
    hand.place(space)
    hand.head(heading)
    hand.confirm()


def bad(hand: Hand) -> None:
    """Let Black connect."""
    enter(hand, "g13", "e11", "se")


def test_a_bad_turn_is_asked_about_shown_taken_back_and_played(coached: Page, server: Server) -> None:
    table = begin(coached, server, position=OPENS)
    bad(Mouse(coached))
    asked = question(coached)
    expect(asked).to_contain_text(text("coach.ask.connects", colour=text("colour.b")))
    expect(asked).to_contain_text(text("coach.ask"))
    expect(table.ghost).to_be_visible()
    assert table.game["ply"] == 0

    coached.get_by_test_id("coach-why").click()
    words = text("coach.connects", n=23, colour=text("colour.b"), turn="Th14n")
    expect(coached.get_by_test_id("coach-words")).to_contain_text(words)
    expect(coached.get_by_test_id("coach-words")).to_contain_text(text("coach.through", space="g14"))
    expect(coached.get_by_test_id("spoken")).to_contain_text(words)
    expect(coached.locator('[data-testid="threat-mark"] [data-threat]').first).to_be_attached()
    expect(coached.locator('[data-testid="suggestions"] .threat')).to_be_attached()
    expect(table.ghost).to_have_count(0)
    coached.get_by_test_id("coach-next").click()
    expect(coached.locator('[data-testid="ending"]')).to_be_attached()  # Black's chain, from side to side
    expect(coached.get_by_test_id("coach-next")).to_have_attribute("aria-disabled", "true")
    coached.get_by_test_id("coach-previous").click()
    expect(coached.locator('[data-testid="ending"]')).to_have_count(0)

    coached.get_by_test_id("coach-back").click()
    expect(asked).to_have_count(0)
    expect(table.ghost).to_have_attribute("data-space", "e11")
    expect(table.ghost).to_have_attribute("data-heading", "se")
    assert table.game["ply"] == 0

    coached.get_by_test_id("confirm").click()
    coached.get_by_test_id("coach-play").click()
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")
    expect(asked).to_have_count(0)


def test_a_good_turn_is_not_asked_about(coached: Page, server: Server) -> None:
    table = begin(coached, server, position=OPENS)
    enter(Mouse(coached), "f9", "h11", "se")
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("f9-h11se")
    expect(question(coached)).to_have_count(0)
    assert table.game["ply"] >= 1


def test_it_is_off_until_somebody_wants_it(page: Page, server: Server) -> None:
    """Nothing of it is loaded before; it can be switched on while a game is played, and off again."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    table = Table(page, server).begin(position=OPENS, seats=COMPUTER)
    bad(Mouse(page))
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")
    assert not any(url.endswith(".wasm") for url in loaded)

    table.begin(position=OPENS, seats=COMPUTER)
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("setting-coach").check()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("coach")).to_be_visible()
    bad(Mouse(page))
    expect(question(page)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("setting-coach").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("coach")).to_have_count(0)
    page.get_by_test_id("confirm").click()
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")


def test_two_at_one_screen_have_none(coached: Page, server: Server) -> None:
    Table(coached, server).begin(position=OPENS)
    bad(Mouse(coached))
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")
    expect(coached.get_by_test_id("coach")).to_have_count(0)


def test_by_keyboard(coached: Page, server: Server) -> None:
    """What a hasty key does is harmless, and the focus is where it was."""
    table = begin(coached, server, position=OPENS)
    keys = Keys(coached)
    bad(keys)
    expect(coached.get_by_test_id("coach-back")).to_be_focused()
    expect(question(coached)).to_have_accessible_description(re.compile(re.escape(text("coach.ask"))))
    coached.keyboard.press("Escape")
    expect(question(coached)).to_have_count(0)
    expect(table.space("e11")).to_be_focused()
    expect(table.ghost).to_have_attribute("data-space", "e11")
    coached.keyboard.press("Enter")  # on the ghost: it is played, or would be
    expect(coached.get_by_test_id("coach-back")).to_be_focused()
    coached.keyboard.press("Enter")
    expect(question(coached)).to_have_count(0)

    coached.keyboard.press("Enter")
    expect(coached.get_by_test_id("coach-back")).to_be_focused()
    coached.keyboard.press("Tab")
    expect(coached.get_by_test_id("coach-why")).to_be_focused()
    coached.keyboard.press("Enter")
    expect(coached.get_by_test_id("coach-next")).to_be_focused()
    coached.keyboard.press(".")
    expect(coached.get_by_test_id("spoken")).to_contain_text(text("end.wins", colour=text("colour.b")))
    coached.keyboard.press("ArrowLeft")
    expect(coached.get_by_test_id("coach-previous")).to_be_disabled()
    coached.get_by_test_id("coach-play").focus()
    coached.keyboard.press("Enter")
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")


def test_typed_turns_and_one_tap_are_asked_about_too(open_page: OpenPage, server: Server) -> None:
    page = with_coach(open_page(), confirm=False)
    table = begin(page, server, position=OPENS)
    page.get_by_test_id("typed").fill("g13-e11se")
    page.keyboard.press("Enter")
    expect(question(page)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("typed")).to_have_value("g13-e11se")
    expect(page.get_by_test_id("typed")).to_be_focused()
    mouse = Mouse(page)
    mouse.choose("g13")
    table.space("e11").hover()
    page.keyboard.press("r")
    page.keyboard.press("r")
    expect(table.ghost).to_have_attribute("data-heading", "se")
    mouse.place("e11")  # one tap plays
    expect(question(page)).to_be_visible()
    page.get_by_test_id("coach-back").click()
    expect(table.ghost).to_have_attribute("data-space", "e11")
    assert table.game["ply"] == 0


def test_the_question_goes_when_the_game_goes_on_elsewhere(coached: Page, server: Server) -> None:
    table = begin(coached, server, position=OPENS)
    bad(Mouse(coached))
    coached.get_by_test_id("coach-why").click()
    server.play(table.id, "f9-h11se")
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("f9-h11se")
    expect(question(coached)).to_have_count(0)


def test_on_phones_everything_is_in_sight(screens: Screens, server: Server) -> None:
    for language in LANGUAGES:
        page = with_coach(screens.open({}, has_touch=True, is_mobile=True, locale=language))
        table = begin(page, server, position=OPENS)
        hand = Finger(page)
        for screen in screens.of(page, "phone with bars", "phone on its side"):
            bad(hand)
            before = place_of(page.get_by_test_id("board"))
            for name in ("board", "coach-question", "coach-back", "coach-why", "coach-play"):
                assert screen.holds(place_of(page.get_by_test_id(name))), (language, name)
            page.get_by_test_id("coach-why").tap()
            expect(page.get_by_test_id("coach-next")).to_be_visible()
            for name in ("board", "coach-words", "coach-next", "coach-back", "coach-play"):
                assert screen.holds(place_of(page.get_by_test_id(name))), (language, name)
            board, said = place_of(page.get_by_test_id("board")), place_of(page.get_by_test_id("coach-question"))
            assert board == before
            assert said.y >= board.y + board.height or said.x >= board.x + board.width, (language, "covers the board")
            page.get_by_test_id("coach-back").tap()
            page.get_by_test_id("cancel").tap()
        assert table.game["ply"] == 0
        page.close()


def test_moments_worth_a_look(coached: Page, server: Server) -> None:
    """Found after the game, shown on the board, and reviewed at that very turn; next time they are there at once."""
    table = begin(coached, server, *GAME.split())
    moments = coached.locator('[data-testid="moments"] button')
    expect(moments).to_have_count(3, timeout=A_REVIEW)
    expect(coached.get_by_test_id("moments")).to_contain_text(text("coach.moments", n=3))
    expect(coached.get_by_test_id("spoken")).to_contain_text(text("coach.moments", n=3))
    plies = [int(str(moment.get_attribute("data-testid")).rpartition("-")[2]) for moment in moments.all()]
    assert plies == sorted(plies) and all(ply % 2 == 0 for ply in plies)  # White's turns
    assert server.ask(f"/games/{table.id}/review")["nodes"] == 2000

    moments.first.click()
    expect(coached.get_by_test_id("moment-bar")).to_contain_text(GAME.split()[plies[0]])
    expect(coached.locator('[data-testid="suggestions"] [data-rank="0"]')).to_be_attached()
    expect(table.current).to_have_text(GAME.split()[plies[0] - 1])
    coached.get_by_test_id("next-moment").click()
    expect(moments.nth(1)).to_have_attribute("aria-current", "step")
    coached.get_by_test_id("to-game").click()
    expect(coached.get_by_test_id("end")).to_be_visible()
    moments.nth(2).click()
    expect(coached.get_by_test_id("next-moment")).to_have_count(0)
    coached.get_by_test_id("moment-review").click()
    coached.wait_for_url(re.compile(rf"/game/{table.id}/review\?ply={plies[2] + 1}$"))
    expect(coached.get_by_test_id("turn-remark")).to_contain_text(GAME.split()[plies[2]])
    expect(coached.locator('[data-testid="turn-remark"] [data-testid="coach-words"]')).to_have_text(re.compile(r"\.$"))
    coached.go_back()
    expect(moments).to_have_count(3, timeout=A_REVIEW)


def test_a_short_game_has_nothing_to_find_fault_with(coached: Page, server: Server) -> None:
    table = begin(coached, server, "Ed5ne", "Tl10n")
    server.ask(f"/games/{table.id}/resign", {})
    expect(coached.get_by_test_id("moments-none")).to_have_text(text("coach.nothing"), timeout=A_REVIEW)


@pytest.mark.parametrize("missing", ["wasm", "bin"])
def test_without_a_kernel_or_its_network_the_turn_is_simply_played(coached: Page, server: Server, missing: str) -> None:
    coached.route(re.compile(rf"\.{missing}$"), lambda route: route.fulfill(status=404))
    Table(coached, server).begin(position=OPENS, seats=COMPUTER)
    bad(Mouse(coached))
    expect(coached.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("g13-e11se")


def test_the_new_game_card_offers_it(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("new-coach").check()
    page.get_by_test_id("begin").click()
    Table(page, server).arrive()
    expect(page.get_by_test_id("coach")).to_be_visible()
    page.goto(server.address)
    expect(page.get_by_test_id("new-coach")).to_be_checked()


def test_the_course_ends_with_an_offer(page: Page, server: Server) -> None:
    """The guided first game, played by its own hints to its end."""
    page.goto(f"{server.address}/learn/game")
    kinds = {text(f"kind.{kind}"): kind for kind in "TCEMLR"}
    headings = {text(f"heading.{heading}"): heading for heading in ("n", "ne", "se", "s", "sw", "nw")}
    hand, offer = Mouse(page), page.get_by_test_id("lesson-coach")
    hints = page.get_by_test_id("hint-words")
    while True:
        page.locator('[data-testid="lesson"]:is([data-stage="try"], [data-stage="done"])').wait_for()
        if offer.count():
            break
        page.get_by_test_id("hint").click(click_count=3)  # the piece, its space, its heading: every press counts
        expect(hints).to_contain_text(text("learn.hint_heading", heading="").rstrip(" ."))
        told = re.search(
            r"(?:set: (.+?)|piece on (\w+): .+?)\. .*goes to (\w+)\. .*heading: ([\w-]+)\.", hints.inner_text()
        )
        assert told, hints.inner_text()
        kind, origin, space, heading = told.groups()
        attempt(hand, f"{kinds[kind] if kind else f'{origin}-'}{space}{headings[heading]}", "w")
        expect(hints).to_have_count(0)
    expect(offer).not_to_be_checked()
    offer.check()
    page.get_by_test_id("play").click()
    expect(page.get_by_test_id("new-coach")).to_be_checked()
