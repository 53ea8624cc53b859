"""Entering a turn: a jump, a bridge, a turn in place and a new piece, each by mouse, by touch and by keyboard alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .hands import Finger, Hand, Keys, Mouse, middle
from .messages import text
from .played import POSITION
from .serving import Server
from .table import Table
from .watch import OpenPage

WAYS: dict[str, type[Mouse] | type[Finger] | type[Keys]] = {"mouse": Mouse, "touch": Finger, "keyboard": Keys}


@pytest.fixture(params=list(WAYS))
def player(request: pytest.FixtureRequest, server: Server) -> tuple[Table, Hand]:
    """A table, and a hand to play at it: on a phone for touch."""
    page: Page = request.getfixturevalue("phone" if request.param == "touch" else "page")
    return Table(page, server).begin(position=POSITION), WAYS[request.param](page)


def test_a_jump(player: tuple[Table, Hand]) -> None:
    table, hand = player
    hand.choose("k10")
    hand.place("k4")
    expect(table.ghost).to_have_attribute("data-level", "2")
    expect(table.page.get_by_test_id("handle")).to_have_count(0)  # a single heading is taken at once
    assert table.game["ply"] == 0  # nothing is played before it is confirmed
    hand.confirm()
    table.expect_played("k10-k4n", "jump")


def test_a_bridge(player: tuple[Table, Hand]) -> None:
    table, hand = player
    hand.choose("d10")
    hand.place("d5")
    hand.head("n")
    hand.confirm()
    table.expect_played("d10-d5n", "bridge")
    expect(table.space("d6")).to_have_accessible_name(re.compile(f"^d6, {text('colour.w')}.*2"))


def test_a_turn_in_place(player: tuple[Table, Hand]) -> None:
    table, hand = player
    hand.choose("d10")
    hand.rotate()
    expect(table.ghost).to_have_attribute("data-space", "d10")
    hand.head("se")
    hand.confirm()
    table.expect_played("d10-d10se", "turn")


def test_a_new_piece(player: tuple[Table, Hand]) -> None:
    table, hand = player
    hand.take("w", "R")
    hand.place("g4")
    hand.head("s")
    hand.confirm()
    table.expect_played("Rg4s", "add")
    assert table.game["view"]["sets"]["w"]["R"] == 1
    expect(table.page.get_by_test_id("player-b")).to_contain_text(text("game.turn_of", colour=text("colour.b")))


def test_the_origin_and_the_escape_key_cancel(player: tuple[Table, Hand]) -> None:
    table, hand = player
    hand.choose("d10")
    hand.place("d3")
    hand.place("d10")  # where it came from
    expect(table.ghost).to_have_count(0)
    expect(table.page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))
    hand.take("w", "T")
    expect(table.page.get_by_test_id("take-wT")).to_have_attribute("aria-pressed", "true")
    table.page.keyboard.press("Escape")
    expect(table.page.get_by_test_id("take-wT")).to_have_attribute("aria-pressed", "false")
    assert table.game["ply"] == 0


def test_dragging_with_the_mouse(table: Table) -> None:
    table.begin(position=POSITION)
    mouse = table.page.mouse
    mouse.move(*middle(table.space("d10")))
    mouse.down()
    mouse.move(*middle(table.space("d8")), steps=4)
    mouse.move(*middle(table.space("d5")), steps=4)
    expect(table.ghost).to_have_attribute("data-space", "d5")
    mouse.up()
    Mouse(table.page).confirm()
    table.expect_played("d10-d5n", "bridge")
    mouse.move(*middle(table.page.get_by_test_id("take-bC")))  # and one from the set
    mouse.down()
    mouse.move(*middle(table.space("i13")), steps=8)
    expect(table.ghost).to_have_attribute("data-space", "i13")
    mouse.up()
    Mouse(table.page).head("se")
    Mouse(table.page).confirm()
    table.expect_played("Ci13se", "add")


def test_dragging_with_a_finger(phone: Page, server: Server) -> None:
    table = Table(phone, server).begin(position=POSITION)
    x, y = middle(table.space("d10"))
    _, goal = middle(table.space("d3"))
    finger = phone.context.new_cdp_session(phone)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    while table.ghost.count() == 0 or table.ghost.get_attribute("data-space") != "d3":
        assert y < goal + 120  # the ghost keeps clear of the finger, so the finger goes further down
        y += 6
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    Finger(phone).head("s")
    Finger(phone).confirm()
    table.expect_played("d10-d3s", "move")


def test_the_wheel_turns_the_ghost(table: Table) -> None:
    table.begin(position=POSITION)
    mouse = Mouse(table.page)
    mouse.choose("d10")
    mouse.place("d12")
    before = table.ghost.get_attribute("data-heading")
    assert before is not None
    table.page.mouse.wheel(0, 120)
    expect(table.ghost).not_to_have_attribute("data-heading", before)


def test_a_typed_turn(table: Table) -> None:
    table.begin(position=POSITION)
    typed = table.page.get_by_test_id("typed")
    typed.fill("k10-k4ne")
    typed.press("Enter")
    expect(table.saying).to_have_text(text("reason.ENDS_NOT_LEVEL"))
    typed.fill("nonsense")
    typed.press("Enter")
    expect(table.saying).to_have_text(text("reason.UNREADABLE"))
    assert table.game["ply"] == 0
    typed.fill(" K10-K4n ")
    typed.press("Enter")
    table.expect_played("k10-k4n", "jump")
    expect(typed).to_have_value("")


def test_one_tap_plays_where_that_is_wanted(table: Table) -> None:
    table.begin(position=POSITION)
    table.page.get_by_test_id("open-settings").click()
    table.page.get_by_test_id("setting-confirm").uncheck()
    table.page.get_by_test_id("open-settings").click()
    mouse = Mouse(table.page)
    mouse.choose("k10")
    mouse.place("k4")
    table.expect_played("k10-k4n", "jump")


REFUSALS = "standard w wEd5n wTd9n wEk4n bEk10n bEd7n"
"""Black's bridge holds White's pieces down on d7 and d9; in the column k, Black stands in the way."""


def test_a_refusal_says_why_and_the_turn_goes_on(table: Table) -> None:
    table.begin(position=REFUSALS)
    mouse = Mouse(table.page)
    mouse.choose("d5")
    expect(table.saying).to_have_text(text("notice.pinned"))
    mouse.choose("k10")
    expect(table.saying).to_have_text(text("notice.opponents_piece"))
    table.page.get_by_test_id("take-bT").click(force=True)
    expect(table.saying).to_have_text(text("notice.opponents_set"))
    mouse.choose("k4")
    mouse.place("k10")
    expect(table.saying).to_have_text(text("reason.PUNCT_ON_OPPONENT"))
    mouse.place("n9")
    expect(table.saying).to_have_text(text("reason.NOT_IN_LINE"))
    expect(table.space("k4")).to_have_accessible_name(re.compile(text("space.chosen")))
    mouse.place("k7")
    mouse.head("n")
    mouse.confirm()
    table.expect_played("k4-k7n", "move")
    mouse.take("b", "T")
    mouse.place("i9")
    expect(table.saying).to_have_text(text("reason.ADDED_IN_CENTRE"))
    assert table.game["ply"] == 1


def test_a_refusal_speaks_the_players_language(open_page: OpenPage, server: Server) -> None:
    table = Table(open_page(locale="de-DE"), server).begin(position=REFUSALS)
    Mouse(table.page).choose("d5")
    expect(table.saying).to_have_text(text("notice.pinned", "de"))
    Mouse(table.page).choose("k4")
    Mouse(table.page).place("k10")
    expect(table.saying).to_have_text(text("reason.PUNCT_ON_OPPONENT", "de"))
