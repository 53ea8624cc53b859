"""Reading the board: refusals that teach and point, the legend, the sides, threats, and colours the system chooses."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from punct import Move, Position

from .hands import Hand, Mouse, box, place_of
from .messages import text
from .played import STACKS
from .screens import SCREENS, Screens
from .serving import Server
from .table import Table
from .test_pointer_input import lands
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


def test_the_most_telling_reason_whatever_the_heading(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        page = hand.page
        table = Table(page, server).begin(position="standard w wTd5n wEk4n bTd8n bEk10n")
        for piece, landing in (("d5", "d8"), ("k4", "k10"), ("k4", "k12")):
            hand.choose(piece)
            hand.place(landing)
            expect(table.saying).to_have_text(text("reason.PUNCT_ON_OPPONENT"))
            assert pointed(page) == {landing}
            page.keyboard.press("r")  # another heading in hand changes nothing
            expect(page.locator("[data-pointed]")).to_have_count(0)
            hand.place(landing)
            expect(table.saying).to_have_text(text("reason.PUNCT_ON_OPPONENT"))
            page.keyboard.press("Escape")
        assert table.game["ply"] == 0


def crowd(table: Table, hand: Hand, language: str) -> None:
    """Try to add a triangle where no heading allows it, and hear how many headings fail for which reason."""
    table.begin(position=CROWDED)
    hand.take("w", "T")
    hand.place("l10")
    expect(table.saying).to_have_text(counted(language, (3, "SPACE_TAKEN"), (3, "ADDED_IN_CENTRE")))
    assert pointed(table.page) == {"m11", "m10", "k9", "k10"}
    hand.place("i9")  # the centre itself: no dot beside it matters
    expect(table.saying).to_have_text(text("reason.ADDED_IN_CENTRE", language))
    assert pointed(table.page) == {"i9"}


def test_a_tap_says_how_many_headings_fail_for_which_reason(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        crowd(Table(hand.page, server), hand, "en")


def test_how_many_headings_fail_is_counted_in_ones_own_language(open_page: OpenPage, server: Server) -> None:
    page = open_page(locale="pl")
    crowd(Table(page, server), Mouse(page), "pl")


def test_what_lies_on_a_blocked_piece_is_pointed_at(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand(*SCREENS):
        page = hand.page
        table = Table(page, server).begin(position=STACKS)
        hand.choose("c4")
        expect(table.saying).to_have_text(text("notice.pinned"))
        assert pointed(page) == {"d5", "d6", "d7"}  # the bridge
        hand.choose("k10")
        expect(page.locator("[data-pointed]")).to_have_count(0)


def paint(locator: Locator, of: str) -> str:
    """Return a colour as it is shown."""
    return str(locator.evaluate(f"(element) => getComputedStyle(element).{of}"))


def opacity(locator: Locator) -> float:
    """Return how much of a thing is seen, whatever it is a part of."""
    found = locator.evaluate(
        """(element) => {
            let seen = 1
            for (let part = element; part; part = part.parentElement) seen *= getComputedStyle(part).opacity
            return seen
        }"""
    )
    return float(found)


def luminance(colour: str) -> float:
    """Return how bright a colour is, as WCAG reckons it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the ratio of two colours."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def legend_in(place: Page | Locator) -> Locator:
    """Return the marks that are explained."""
    return place.get_by_test_id("legend").get_by_role("listitem")


MARKS = ("levels", "bridge", "blocked", "marker", "last", "arcs", "threat", "pointed")
LOOK = "(line) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray]"


def test_the_legend_and_the_sides_in_the_game(screens: Screens, server: Server) -> None:
    page = screens.open({})
    table = Table(page, server).begin(position=STACKS)
    expect(page.get_by_test_id("sides")).to_have_count(0)
    page.get_by_test_id("open-legend").click()
    page.get_by_test_id("show-sides").check()
    for screen in screens.of(page):
        assert screen.holds(place_of(page.get_by_test_id("legend-panel")))
        expect(legend_in(page).locator("> span:last-child")).to_have_text([text(f"legend.{name}") for name in MARKS])
        for item in legend_in(page).all():
            assert screen.holds(box(item.locator("svg"))), item.inner_text()  # all of them can be scrolled to
        for colour in "wb":  # an arc lies on stone of its own colour as well
            arc, back = (legend_in(page).locator(f".collar.{colour}{kind}").first for kind in (":not(.back)", ".back"))
            assert contrast(paint(arc, "stroke"), paint(back, "stroke")) >= 3
        board = page.get_by_test_id("board")
        looks = []
        for pair in range(3):  # two lines each, told apart by more than their colour
            expect(board.locator(f'[data-pair="{pair}"]')).to_have_count(2)
            looks.append(board.locator(f'[data-pair="{pair}"]').first.evaluate(LOOK))
        assert len({colour for colour, _ in looks}) == len({dashes for _, dashes in looks}) == 3
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("legend")).to_have_count(0)
    page.reload()
    table.ready()
    expect(page.get_by_test_id("sides")).to_be_attached()  # a setting like any other


def test_how_to_play_explains_how_to_read(screens: Screens, server: Server) -> None:
    page = screens.open({})
    page.goto(f"{server.address}/how-to-play#reading")
    expect(legend_in(page).locator("svg")).to_have_count(len(MARKS))
    assert 0 <= place_of(page.locator("#reading h2")).y < 380  # in the upper half, whenever the drawings come
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_test_id("try-aim").locator("[data-pair]")).to_have_count(6)
    for screen in screens.of(page):
        page.evaluate("scrollTo(0, 0)")
        aim = page.get_by_test_id("try-aim")
        assert screen.spans(box(aim.get_by_test_id("sides")))
        expect(page.get_by_test_id("try-add").get_by_test_id("sides")).to_have_count(0)
        neighbours = page.get_by_test_id("neighbours")
        expect(neighbours.locator("[data-neighbour]")).to_have_count(6)
        assert screen.holds(box(neighbours))
        # The basic game's first piece, and that a lifted piece's own spaces count as empty.
        for section in ("add", "move"):
            words = page.get_by_text(text(f"rules.{section}.text").rpartition("\n")[2])
            words.scroll_into_view_if_needed()
            expect(words).to_be_in_viewport()
        page.get_by_role("link", name=text("legend.title")).click()
        expect(legend_in(page).locator("> span:last-child")).to_have_text([text(f"legend.{name}") for name in MARKS])
        assert 0 <= place_of(page.locator("#reading h2")).y < screen.height / 2
        for item in legend_in(page).all():
            assert screen.holds(box(item)), item.inner_text()


def test_peeking_inside_how_to_play_is_not_clipped(screens: Screens, server: Server) -> None:
    page = screens.open({})
    page.goto(f"{server.address}/how-to-play#blocked")
    exercise = page.get_by_test_id("try-blocked")
    exercise.scroll_into_view_if_needed()
    for screen in screens.of(page):
        page.mouse.move(0, 0)
        expect(exercise.get_by_test_id("peek")).to_have_count(0)
        exercise.locator('[data-space="i9"][role="button"]').hover()
        peek = exercise.get_by_test_id("peek")
        expect(peek).to_be_visible()
        assert peek.evaluate("(panel) => panel.matches(':popover-open')")  # above every frame that could cut it off
        assert screen.holds(place_of(peek))


def threat_on(table: Table) -> Locator:
    """Return the threat on the board."""
    return table.page.get_by_test_id("threat-mark")


def test_threats_are_drawn(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked(*SCREENS):
        page = mouse.page
        table = Table(page, server).begin(position=f"standard b {NEARLY}")
        theirs = table.game["view"]["threats"]["w"]
        landing = str(Move.parse(theirs["turns"][0]).space)
        expect(threat_on(table)).to_have_attribute("data-first", landing)
        rings = [ring.get_attribute("data-threat") for ring in threat_on(table).locator("[data-threat]").all()]
        assert rings == theirs["chain"] and len(rings) > 8
        expect(threat_on(table)).not_to_have_class(re.compile(r"\bown\b"))
        mouse.choose("e5")  # while a turn is entered it stays, more quietly
        expect(threat_on(table)).to_have_class(re.compile(r"\bquiet\b"))
        assert opacity(threat_on(table).locator("[data-threat]").first) == 1  # finer, not paler
        mouse.place(min(lands(Position(f"standard b {NEARLY}"), "e5")))
        expect(table.ghost).to_be_visible()
        assert opacity(page.get_by_test_id("board").locator(".targets .light").first) == 1
        page.get_by_test_id("open-settings").click()
        page.get_by_test_id("setting-threats").uncheck()
        expect(threat_on(table)).to_have_count(0)
        page.get_by_test_id("setting-threats").check()


def test_a_chance_of_ones_own_is_drawn_until_a_piece_is_in_hand(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand(*SCREENS):
        page = hand.page
        table = Table(page, server).begin(position=f"standard w {NEARLY}")
        expect(threat_on(table)).to_have_class(re.compile(r"\bown\b"))
        hand.take("w", "T")
        expect(threat_on(table)).to_have_count(0)


def test_colours_the_system_chooses_keep_the_players_apart(
    open_page: OpenPage, screens: Screens, server: Server
) -> None:
    page = open_page(forced_colors="active")
    Table(page, server).begin(position=STACKS)
    board = page.get_by_test_id("board")
    for _ in screens.of(page):
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        stones = [page.locator(f'[data-testid="player-{colour}"] header > :first-child') for colour in "wb"]
        white, black = (paint(stone, "backgroundColor") for stone in stones)
        assert white in ("rgb(245, 240, 229)", "rgb(239, 233, 220)")
        assert black in ("rgb(52, 55, 66)", "rgb(38, 40, 47)")
        levels = [board.locator(f".piece.{colour} text.height").first for colour in "wb"]
        assert len({paint(level, "fill") for level in levels}) == 2  # and each can be read on its own stone
        tops = [board.locator(f".piece.{colour} .rim").first for colour in "wb"]
        assert len({paint(top, "stroke") for top in tops}) == 2
