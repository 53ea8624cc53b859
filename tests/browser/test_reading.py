"""Reading the board: refusals that teach and point, the legend, the sides, threats, and colours the system chooses."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from punct import Move

from .hands import Finger, Mouse, box
from .messages import text
from .played import STACKS
from .serving import Server
from .table import Table
from .watch import OpenPage

CROWDED = "standard w bTd5n bEg4n wLf8nw bTl12n wEm9n wTk14se"
"""On l10 there is room for no triangle: three headings meet White's pieces, three the central hexagon."""
NEARLY = "wEa5ne wEd8ne wEg11ne wEj13se wTm13n wTp13se bTe5n bEh7ne bMk8ne bTg13n bLn9n bEl15se"
"""White connects with any piece in the gap on the right."""


def pointed(page: Page) -> set[str]:
    """Return the spaces the board points at."""
    rings = page.locator("[data-pointed]")
    expect(rings.first).to_be_attached()
    return {str(ring.get_attribute("data-pointed")) for ring in rings.all()}


def counted(language: str, *faults: tuple[int, str]) -> str:
    """Return how many headings break which rule, in words."""
    each = ", ".join(f"{count} × {text(f'fault.{name}', language)}" for count, name in faults)
    return text("refusal.headings", language, faults=each)


def test_the_most_telling_reason_whatever_the_heading(table: Table) -> None:
    table.begin(position="standard w wTd5n wEk4n bTd8n bEk10n")
    mouse = Mouse(table.page)
    for piece, landing in (("d5", "d8"), ("k4", "k10"), ("k4", "k12")):
        mouse.choose(piece)
        for _ in range(2):  # another heading in hand changes nothing
            mouse.place(landing)
            expect(table.saying).to_have_text(text("reason.PUNCT_ON_OPPONENT"))
            assert pointed(table.page) == {landing}
            table.page.keyboard.press("r")
            expect(table.page.locator("[data-pointed]")).to_have_count(0)
            table.page.keyboard.press("Escape")
            mouse.choose(piece)
        table.page.keyboard.press("Escape")
    assert table.game["ply"] == 0


@pytest.mark.parametrize("language", ["en", "pl"])
def test_a_tap_says_how_many_headings_fail_for_which_reason(open_page: OpenPage, server: Server, language: str) -> None:
    table = Table(open_page(locale=language), server).begin(position=CROWDED)
    Mouse(table.page).take("w", "T")
    Mouse(table.page).place("l10")
    expect(table.saying).to_have_text(counted(language, (3, "SPACE_TAKEN"), (3, "ADDED_IN_CENTRE")))
    assert pointed(table.page) == {"m11", "m10", "k9", "k10"}
    Mouse(table.page).place("i9")  # the centre itself: no dot beside it matters
    expect(table.saying).to_have_text(text("reason.ADDED_IN_CENTRE", language))
    assert pointed(table.page) == {"i9"}


def test_what_lies_on_a_blocked_piece_is_pointed_at(phone: Page, server: Server) -> None:
    table = Table(phone, server).begin(position=STACKS)
    Finger(phone).choose("c4")
    expect(table.saying).to_have_text(text("notice.pinned"))
    assert pointed(phone) == {"d5", "d6", "d7"}  # the bridge
    Finger(phone).choose("k10")
    expect(phone.locator("[data-pointed]")).to_have_count(0)


def legend_in(place: Page | Locator) -> Locator:
    """Return the marks that are explained."""
    return place.get_by_test_id("legend").get_by_role("listitem")


def test_the_legend_and_the_sides_in_the_game(table: Table) -> None:
    page = table.begin(position=STACKS).page
    expect(page.get_by_test_id("sides")).to_have_count(0)
    page.get_by_test_id("open-legend").click()
    expect(legend_in(page)).to_have_count(8)
    for name in ("levels", "bridge", "blocked", "marker", "last", "arcs", "threat", "pointed"):
        item = legend_in(page).filter(has_text=text(f"legend.{name}"))
        expect(item).to_have_count(1)
        expect(item.locator("svg")).to_have_count(1)
    page.get_by_test_id("show-sides").check()
    board = page.get_by_test_id("board")
    for pair in range(3):  # two lines each, told apart by more than their colour
        lines = board.locator(f'[data-pair="{pair}"]')
        expect(lines).to_have_count(2)
    looks = {
        tuple(board.locator(f'[data-pair="{pair}"]').first.evaluate(LOOK)) for pair in range(3)
    }  # fmt: skip
    assert len({colour for colour, _ in looks}) == len({dashes for _, dashes in looks}) == 3
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("legend")).to_have_count(0)
    page.reload()
    table.ready()
    expect(page.get_by_test_id("sides")).to_be_attached()  # a setting like any other


LOOK = "(line) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray]"


def test_how_to_play_explains_how_to_read(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/how-to-play")
    aim = page.get_by_test_id("try-aim")
    expect(aim.locator("[data-pair]")).to_have_count(6)
    expect(page.get_by_test_id("try-add").get_by_test_id("sides")).to_have_count(0)
    neighbours = page.get_by_test_id("neighbours")
    expect(neighbours.locator("[data-neighbour]")).to_have_count(6)
    page.get_by_role("link", name=text("legend.title")).click()
    expect(legend_in(page)).to_have_count(8)
    assert 0 <= box(page.locator("#reading h2")).y < 300


@pytest.mark.parametrize("width", [1120, 390])
def test_peeking_inside_how_to_play_is_not_clipped(open_page: OpenPage, server: Server, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 760})
    page.goto(f"{server.address}/how-to-play#blocked")
    exercise = page.get_by_test_id("try-blocked")
    exercise.scroll_into_view_if_needed()
    exercise.locator('[data-space="i9"][role="button"]').hover()
    peek = exercise.get_by_test_id("peek")
    expect(peek).to_be_visible()
    assert peek.evaluate("(panel) => panel.matches(':popover-open')")  # above every frame that could cut it off
    seen = box(peek)
    assert seen.x >= 0 and seen.y >= 0 and seen.x + seen.width <= width and seen.y + seen.height <= 760


def threat_on(table: Table) -> Locator:
    """Return the threat on the board."""
    return table.page.get_by_test_id("threat-mark")


def test_threats_are_drawn(table: Table) -> None:
    table.begin(position=f"standard b {NEARLY}")
    theirs = table.game["view"]["threats"]["w"]
    landing = str(Move.parse(theirs["turns"][0]).space)
    expect(threat_on(table)).to_have_attribute("data-first", landing)
    rings = [ring.get_attribute("data-threat") for ring in threat_on(table).locator("[data-threat]").all()]
    assert rings == theirs["chain"] and len(rings) > 8
    expect(threat_on(table)).not_to_have_class(re.compile(r"\bown\b"))
    Mouse(table.page).choose("e5")  # while a turn is entered it stays, more quietly
    expect(threat_on(table)).to_have_class(re.compile(r"\bquiet\b"))
    table.page.get_by_test_id("open-settings").click()
    table.page.get_by_test_id("setting-threats").uncheck()
    expect(threat_on(table)).to_have_count(0)


def test_a_chance_of_ones_own_is_drawn_until_a_piece_is_in_hand(table: Table) -> None:
    table.begin(position=f"standard w {NEARLY}")
    expect(threat_on(table)).to_have_class(re.compile(r"\bown\b"))
    Mouse(table.page).take("w", "T")
    expect(threat_on(table)).to_have_count(0)


def test_colours_the_system_chooses_keep_the_players_apart(open_page: OpenPage, server: Server) -> None:
    table = Table(open_page(forced_colors="active"), server).begin(position=STACKS)
    assert table.page.evaluate("matchMedia('(forced-colors: active)').matches")

    def paint(locator: Locator, of: str) -> str:
        return str(locator.evaluate(f"(element) => getComputedStyle(element).{of}"))

    stones = [table.page.locator(f'[data-testid="player-{colour}"] header .stone') for colour in "wb"]
    white, black = (paint(stone, "backgroundColor") for stone in stones)
    assert (white, black) == ("rgb(245, 240, 229)", "rgb(52, 55, 66)")
    board = table.page.get_by_test_id("board")
    levels = [board.locator(f".piece.{colour} text.height").first for colour in "wb"]
    assert len({paint(level, "fill") for level in levels}) == 2  # and each can be read on its own stone
    tops = [board.locator(f".piece.{colour} .rim").first for colour in "wb"]
    assert len({paint(top, "stroke") for top in tops}) == 2
