"""Nobody is kept out: axe finds nothing, in both themes, on the places people come to."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from .hands import Mouse
from .messages import CLIENT, text
from .played import BEFORE_THE_END, OPENS, STACKS, WINNING
from .screens import EVERY_SCREEN, SCREENS, Screens
from .serving import Server
from .table import FOLLOW, Table
from .watch import Watch

AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"


EVERYWHERE = {"include": [["html"]]}
BESIDE_BOARDS = {**EVERYWHERE, "exclude": [['[data-testid="board"] > svg']]}


def home(table: Table) -> None:
    table.server.begin("Ed5ne", seats={"b": {"type": "engine", "level": 1}})
    table.page.goto(table.server.address)
    expect(table.page.get_by_test_id("games")).to_be_visible()


def how_to_play(table: Table) -> None:
    table.page.goto(f"{table.server.address}/how-to-play")
    for exercise in table.page.locator('[data-testid^="try-"]').all():
        exercise.scroll_into_view_if_needed()
        expect(exercise.get_by_test_id("board")).to_be_visible()


def results(table: Table) -> None:
    table.server.ask(f"/games/{table.server.begin(seats={'b': {'type': 'engine', 'level': 1}})}/resign", {})
    table.page.goto(f"{table.server.address}/results")
    expect(table.page.get_by_test_id("result-standard-1")).to_be_visible()


def puzzles(table: Table) -> None:
    table.page.goto(f"{table.server.address}/puzzles")
    expect(table.page.get_by_test_id("theme-win-1")).to_be_visible()
    expect(table.page.get_by_test_id("mode-day").locator("svg").first).to_be_attached()


def puzzle(table: Table) -> None:
    table.page.goto(f"{table.server.address}/puzzles/day")
    table.page.get_by_test_id("hint").click()
    expect(table.page.get_by_test_id("hint-words")).to_be_visible()
    table.page.get_by_test_id("solve").click()
    expect(table.page.get_by_test_id("step-next")).to_be_disabled()


def against_the_clock(table: Table) -> None:
    table.page.goto(f"{table.server.address}/puzzles/clock")
    table.page.get_by_test_id("start").click()
    expect(table.page.get_by_test_id("clock")).to_be_visible()
    table.page.get_by_test_id("give-up").click()
    expect(table.page.get_by_test_id("final-score")).to_be_visible()


def menu(table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    settings(table)
    table.page.get_by_test_id("menu").click()
    expect(table.page.get_by_test_id("menu-puzzles-link")).to_be_visible()


def two_with_names(table: Table) -> None:
    table.page.goto(table.server.address)
    table.page.get_by_test_id("opponent-person").check(force=True)
    expect(table.page.get_by_test_id("name-w")).to_be_visible()


def looking_back(table: Table) -> None:
    table.begin("Ed5ne", "Tl10n", "d5-d8n")
    table.page.keyboard.press("z")
    expect(table.page.get_by_test_id("redo")).to_be_visible()
    table.page.get_by_test_id("turns-in-words").click()
    table.page.keyboard.press(",")
    expect(table.page.get_by_test_id("to-game")).to_be_visible()


def settings(table: Table) -> None:
    table.page.goto(f"{table.server.address}/settings")
    expect(table.page.get_by_test_id("settings")).to_be_visible()


def start(table: Table) -> None:
    table.begin()


def mid_turn(table: Table) -> None:
    table.begin(position=STACKS)
    Mouse(table.page).choose("k10")
    Mouse(table.page).place("f10")
    table.space("k5").hover()
    expect(table.peek).to_be_visible()


def refused(table: Table) -> None:
    table.begin(position=STACKS)
    Mouse(table.page).choose("l14")
    expect(table.saying).to_be_visible()
    table.page.get_by_test_id("open-settings").click()


def legend(table: Table) -> None:
    table.begin(position=STACKS)
    table.page.get_by_test_id("open-legend").click()
    table.page.get_by_test_id("show-sides").check()
    expect(table.page.get_by_test_id("legend")).to_be_visible()


def end(table: Table) -> None:
    table.begin(*BEFORE_THE_END.split(), WINNING)
    expect(table.page.get_by_test_id("end")).to_be_visible()


def position(table: Table) -> None:
    table.page.goto(f"{table.server.address}/position?text={quote(STACKS)}")
    table.ready()
    Mouse(table.page).choose("l14")
    expect(table.page.get_by_test_id("spoken")).to_contain_text(text("notice.opponents_piece"))


def about(table: Table) -> None:
    table.page.goto(f"{table.server.address}/about")
    expect(table.page.get_by_test_id("about-page")).to_be_visible()


def missing(table: Table) -> None:
    settings(table)
    table.page.evaluate(FOLLOW, "/nowhere")
    expect(table.page.get_by_role("heading", name=text("missing.title"))).to_be_visible()


def keys(table: Table) -> None:
    settings(table)
    table.page.keyboard.press("?")
    expect(table.page.get_by_test_id("keys")).to_be_visible()


def coach(table: Table) -> None:
    """The coach asks, and shows why."""
    table.page.add_init_script("localStorage.setItem('punct.settings', JSON.stringify({ coach: true }))")
    table.begin(position=OPENS, seats={"b": {"type": "engine", "level": 1}})
    expect(table.page.get_by_test_id("coach")).to_be_visible()
    table.page.get_by_test_id("typed").fill("g13-e11se")
    table.page.keyboard.press("Enter")
    table.page.get_by_test_id("coach-why").click()
    expect(table.page.get_by_test_id("coach-next")).to_be_visible()


def moments(table: Table) -> None:
    """What was found after a game, and one of it on the board."""
    table.page.add_init_script("localStorage.setItem('punct.settings', JSON.stringify({ coach: true }))")
    table.begin(*BEFORE_THE_END.split(), WINNING, seats={"b": {"type": "engine", "level": 1}})
    table.page.locator('[data-testid="moments"] button').first.click(timeout=180_000)
    expect(table.page.get_by_test_id("moment-bar")).to_be_visible()


PLACES: dict[str, Callable[[Table], None]] = {
    place.__name__: place
    for place in (
        home,
        how_to_play,
        settings,
        start,
        mid_turn,
        refused,
        legend,
        end,
        results,
        puzzles,
        puzzle,
        against_the_clock,
        menu,
        two_with_names,
        looking_back,
        position,
        about,
        missing,
        keys,
        coach,
        moments,
    )
}


WIDE_AND_NARROW = ("desktop", "phone")
BRIEFLY = {place.__name__ for place in (how_to_play, puzzle, against_the_clock, menu, position, about, missing, keys)}
"""Looked at on a wide screen in the light and a narrow one in the dark, where not all are wanted: the ten boards of
how-to-play are a minute's work for axe on all screens, and the others have little that a size could change."""


def violations(page: Page, *rules: str, where: object = EVERYWHERE) -> list[str]:
    """Return what axe finds, one line for each element at fault: by all its rules, or by some."""
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    found = page.evaluate(
        "([where, options]) => axe.run(where, options).then(({ violations }) => violations)", [where, options]
    )
    return [
        f"{violation['id']} ({violation['help']}): {node['html'][:200]} {node.get('failureSummary', '')}"
        for violation in found
        for node in violation["nodes"]
    ]


def keeps_nobody_out(screens: Screens, page: Page, *names: str) -> None:
    """Check that axe finds nothing on a page, wide in the light and narrow in the dark, and that nothing is cut off."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for screen in screens.of(page, *(names or WIDE_AND_NARROW)):
        assert not (found := violations(page)), "\n".join(found)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= screen.width, f"{page.url} is {width} wide"


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(screens: Screens, server: Server, watch: Watch, place: str) -> None:
    if place == moments.__name__:
        watch.allow("404")  # the browser notes that nobody has reviewed the game yet
    table = Table(screens.open({}), server)
    PLACES[place](table)
    table.page.evaluate(AXE.read_text(encoding="utf-8"))
    if EVERY_SCREEN or place in BRIEFLY:
        for _ in screens.of(table.page, *(SCREENS if EVERY_SCREEN else WIDE_AND_NARROW)):
            assert not (found := violations(table.page)), "\n".join(found)
        return
    for screen in screens.of(table.page, both=True):
        # The theme changes colours alone; what else depends on the size shows on a wide screen and on a narrow one.
        if screen.name not in WIDE_AND_NARROW:
            if screen.theme == "dark":
                continue
            found = violations(table.page, "color-contrast", where=BESIDE_BOARDS)  # boards are only larger or smaller
        elif screen.theme == "dark":
            found = violations(table.page, "color-contrast")
        else:
            found = violations(table.page)
        assert not found, "\n".join(found)
