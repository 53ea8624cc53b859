"""Nobody is kept out: axe finds nothing, in both themes, on the places people come to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .hands import Mouse
from .messages import CLIENT
from .played import BEFORE_THE_END, STACKS, WINNING
from .serving import Server
from .table import Table
from .watch import OpenPage

AXE = CLIENT / "node_modules" / "axe-core" / "axe.min.js"


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
        two_with_names,
        looking_back,
    )
}


def violations(page: Page) -> list[str]:
    """Return what axe finds, one line for each element at fault."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']} ({violation['help']}): {node['html'][:200]} {node.get('failureSummary', '')}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(open_page: OpenPage, server: Server, place: str, theme: str) -> None:
    table = Table(open_page(color_scheme=theme), server)
    PLACES[place](table)
    expect(table.page.locator("html")).to_have_attribute("data-theme", theme)
    found = violations(table.page)
    assert not found, "\n".join(found)


def test_axe_finds_nothing_on_a_phone(phone: Page, server: Server) -> None:
    table = Table(phone, server)
    for place in (home, start):
        place(table)
        found = violations(phone)
        assert not found, "\n".join(found)
