"""Words where something is wrong, and words that keep count: in the player's language, never the server's."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from .hands import Mouse, box, place_of
from .messages import LANGUAGES, text
from .screens import Screens
from .serving import Server
from .table import Table
from .test_one_screen import cramped
from .watch import Watch

REFUSED = "status of 422"
"""The browser logs an answer that is an error; here it is what the test wants."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_is_said_in_the_players_language_and_has_room(
    screens: Screens, server: Server, watch: Watch, language: str
) -> None:
    watch.allow(REFUSED)
    page = screens.open({}, locale=language)

    def is_seen(told: Locator) -> None:
        for screen in screens.of(page):
            assert screen.holds(box(told))

    page.goto(f"{server.address}/position?text={quote('standard w wTa9n')}")
    trouble = page.get_by_test_id("position-trouble")
    expect(trouble).to_contain_text(text("error.invalid_position", language))
    expect(trouble).to_contain_text(text("wrong.space", language, token="a9"))
    is_seen(trouble)
    page.goto(server.address)
    page.get_by_test_id("record-text").fill("1. Ed5ne\nEd5ne *")
    page.get_by_test_id("take-in").click()
    broken = page.get_by_test_id("record-trouble")
    expect(broken).to_contain_text(text("error.invalid_record", language))
    why = f"Ed5ne: {text('reason.SPACE_TAKEN', language)}"
    expect(broken).to_contain_text(text("wrong.line", language, line=2, fault=why))
    is_seen(broken)
    table = Table(page, server).begin()
    for typed in ("a9", "Ta9n", "d5-a9n"):
        page.get_by_test_id("typed").fill(typed)
        page.get_by_test_id("typed").press("Enter")
        expect(table.saying).to_have_text(text("wrong.space", language, token="a9"))
    is_seen(table.saying)


def test_a_broken_record_is_explained_in_the_game_too(table: Table, watch: Watch) -> None:
    watch.allow(REFUSED)
    table.begin()
    table.page.get_by_test_id("record-file").set_input_files(
        {"name": "game.punct", "mimeType": "text/plain", "buffer": b"1. hello *"}
    )
    expect(table.saying).to_contain_text(text("error.invalid_record"))
    expect(table.saying).to_contain_text(text("wrong.line", line=1, fault=text("wrong.turn", token="hello")))


def test_the_position_page_always_says_who_is_to_move(screens: Screens, server: Server) -> None:
    page = screens.open({})
    page.goto(f"{server.address}/position?text={quote('standard b wEd5ne')}")
    told = page.get_by_test_id("to-move")
    for screen in screens.of(page):
        expect(told).to_contain_text(text("game.turn_of", colour=text("colour.b")))
        assert screen.holds(box(told))
    mouse = Mouse(page)
    mouse.take("b", "T")
    mouse.place("l10")
    mouse.confirm()
    for screen in screens.of(page):
        expect(told).to_contain_text(text("game.turn_of", colour=text("colour.w")))  # beside what was played
        expect(page.get_by_test_id("position-page")).to_contain_text("l10")
        assert screen.holds(box(told))


HEADS = [
    [text(key, language) for key in ("home.level", "results.wins", "results.draws", "results.losses")]
    for language in LANGUAGES
]
TORN = """(table, languages) => {
    const heads = [...table.querySelectorAll('thead th')]
    const shown = heads.map(({ textContent }) => textContent)
    const say = (words) => heads.forEach((head, column) => (head.textContent = words[column]))
    const lines = (head) => {
        const words = document.createRange()
        words.selectNodeContents(head)
        return words.getClientRects().length
    }
    const torn = languages.filter((words) => {
        say(words)
        return heads.some((head) => lines(head) > head.textContent.split(' ').length)
    })
    say(shown)
    return torn
}"""
"""The languages in which a word at a table's head is torn apart."""


def test_results_are_kept_level_by_level(screens: Screens, tmp_path: Path) -> None:
    page = screens.open({})
    with Server(tmp_path) as server:
        page.goto(f"{server.address}/results")
        expect(page.get_by_test_id("no-results")).to_have_text(text("results.none"))
        for rules, level, white in (("standard", 1, True), ("standard", 1, True), ("basic", 3, False)):
            person, engine = {"type": "person"}, {"type": "engine", "level": level}
            seats = {"w": person, "b": engine} if white else {"w": engine, "b": person}
            server.ask(f"/games/{server.begin(rules=rules, seats=seats)}/resign", {})
        server.ask(f"/games/{server.begin('Ed5ne')}/resign", {})  # two people: nobody's level
        page.goto(server.address)
        page.wait_for_load_state("networkidle")  # nothing is on its way when this server ends
        page.get_by_test_id("results").click()
        expect(page).to_have_title(f"{text('results.title')} · PÜNCT")
        for screen in screens.of(page):
            row = page.get_by_test_id("result-standard-1")
            expect(row.get_by_role("cell")).to_have_text(["0", "0", "2"])
            expect(row.get_by_role("rowheader")).to_contain_text(text("level.1.name"))
            other = page.get_by_test_id("result-basic-3")
            expect(other.get_by_role("cell")).to_have_text(["0", "0", "1"])
            expect(page.get_by_role("row")).to_have_count(4)
            assert screen.holds(box(row)) and screen.holds(box(other))
            assert not page.get_by_test_id("results-standard").evaluate(TORN, HEADS)


def test_why_the_computer_could_not_move_is_said_in_ones_language_and_has_room(
    screens: Screens, server: Server
) -> None:
    game = server.ask("/games", {"record": "Ed5ne", "seats": {"b": {"type": "engine", "level": 1}}})
    game["thinking"] |= {"state": "failed", "code": "store_failed", "message": "in English"}
    page = screens.open({}, locale="pl")
    page.route(f"**/api/v1/games/{game['id']}", lambda route: route.fulfill(json=game))
    page.route_web_socket("**/live*", lambda _: None)  # nor does anybody else tell how the game goes on
    table = Table(page, server)
    table.id = game["id"]
    table.open()
    told = text("game.thinking_failed", "pl", message=text("error.store_failed", "pl"))
    said = [
        words
        for language in LANGUAGES
        for words in (
            text("error.engine_failed", language),
            text("game.thinking_failed", language, message=text("error.store_failed", language)),
        )
    ]
    failure = page.get_by_test_id("failure")
    for screen in screens.of(page):
        expect(failure).to_have_text(told)
        assert screen.holds(place_of(failure))
        expect(page.get_by_test_id("thinking")).to_have_count(0)
        assert not cramped(failure, said)
