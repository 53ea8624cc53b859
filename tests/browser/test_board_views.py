"""Looking at the board without losing anything: beneath a stack, from the side, from the other side, back in time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .hands import Finger, Keys, Mouse, box, middle
from .messages import text
from .played import STACKS
from .serving import Server
from .table import Table


def test_a_resting_mouse_peeks_during_a_turn(table: Table) -> None:
    table.begin(position=STACKS)
    mouse = Mouse(table.page)
    mouse.choose("k10")
    mouse.place("f10")
    table.space("k5").hover()
    expect(table.peek).to_contain_text(text("peek.title", space="k5"))
    expect(table.peek.get_by_role("listitem")).to_have_count(2)
    expect(table.peek.get_by_role("listitem").first).to_contain_text(text("colour.b"))  # from the top down
    expect(table.ghost).to_have_attribute("data-space", "f10")  # the turn in progress waits
    table.space("n14").hover()
    expect(table.peek).to_have_count(0)
    mouse.head("s")
    mouse.confirm()
    table.expect_played("k10-f10s", "move")


def test_a_long_press_peeks_during_a_turn(phone: Page, server: Server) -> None:
    table = Table(phone, server).begin(position=STACKS)
    Finger(phone).choose("k10")
    Finger(phone).place("f10")
    x, y = middle(table.space("d5"))
    finger = phone.context.new_cdp_session(phone)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    expect(table.peek).to_contain_text(text("peek.title", space="d5"))
    expect(table.peek).to_contain_text(text("peek.bridge"))
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(table.peek).to_have_count(0)
    expect(table.ghost).to_have_attribute("data-space", "f10")
    Finger(phone).head("s")
    Finger(phone).confirm()
    table.expect_played("k10-f10s", "move")


def test_a_key_peeks_during_a_turn(table: Table) -> None:
    table.begin(position=STACKS)
    keys = Keys(table.page)
    keys.choose("k10")
    keys.place("f10")
    keys.go_to("k6")
    table.page.keyboard.press("p")
    expect(table.peek).to_contain_text(text("peek.title", space="k6"))
    table.page.keyboard.press("Escape")  # ends the look, not the turn
    expect(table.peek).to_have_count(0)
    expect(table.ghost).to_have_attribute("data-space", "f10")


@pytest.mark.parametrize("tilted", [False, True])
def test_flipping_and_tilting_keep_a_turn_in_progress(table: Table, tilted: bool) -> None:
    table.begin(position=STACKS)
    mouse = Mouse(table.page)
    if tilted:
        table.page.get_by_test_id("tilt").click()
        expect(table.page.get_by_test_id("tilt")).to_have_attribute("aria-pressed", "true")
    mouse.choose("k10")
    mouse.place("f10")
    x, y = middle(table.space("c3"))
    table.page.get_by_test_id("flip").click()
    expect(table.page.get_by_test_id("flip")).to_have_attribute("aria-pressed", "true")
    turned_x, turned_y = middle(table.space("c3"))
    assert turned_x > x and turned_y < y  # from the lower left to the upper right
    expect(table.ghost).to_have_attribute("data-space", "f10")
    mouse.head("s")
    mouse.confirm()
    table.expect_played("k10-f10s", "move")


def test_the_tilted_view_raises_stacks(table: Table) -> None:
    table.begin(position=STACKS)
    flat = box(table.page.get_by_test_id("board"))
    table.page.get_by_test_id("tilt").click()
    expect(table.page.locator('.tilted[data-testid="board"]')).to_be_visible()
    tilted = box(table.page.get_by_test_id("board"))
    assert tilted.width / tilted.height > flat.width / flat.height
    _, empty = middle(table.space("k8"))
    _, low = middle(table.space("k7"))
    _, high = middle(table.space("k6"))
    assert low - empty > high - low  # the space with two pieces is drawn higher than the board's plane
    table.page.get_by_test_id("tilt").click()
    expect(table.page.locator('.tilted[data-testid="board"]')).to_have_count(0)
    again = box(table.page.get_by_test_id("board"))
    assert again == flat


def test_looking_back_and_returning(table: Table) -> None:
    table.begin("Ed5ne", "Tl10n", "d5-d8n")
    table.page.get_by_test_id("step-previous").click()
    expect(table.current).to_have_text("Tl10n")
    expect(table.space("d5")).to_have_accessible_name(re.compile(text("colour.w")))
    Mouse(table.page).choose("d5")
    expect(table.saying).to_have_text(text("notice.earlier_turn"))  # the past cannot be changed
    table.page.get_by_test_id("step-first").click()
    expect(table.space("d5")).to_have_accessible_name(re.compile(f"^{text('space.empty', space='d5')}"))
    table.page.get_by_role("button", name=text("moves.to_game")).click()
    expect(table.current).to_have_text("d5-d8n")


def test_a_link_to_an_earlier_position(table: Table) -> None:
    table.id = table.server.begin("Ed5ne", "Tl10n", "d5-d8n")
    table.page.goto(f"{table.server.address}/game/{table.id}?ply=1")
    expect(table.current).to_have_text("Ed5ne")


def test_settings_persist(table: Table) -> None:
    table.begin()
    page = table.page
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_test_id("open-settings").click()
    for name in ("confirm", "hints", "threats", "sounds", "coordinates"):
        page.get_by_test_id(f"setting-{name}").uncheck()
    page.get_by_test_id("setting-tilted").check()
    page.get_by_test_id("setting-theme").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    table.ready()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_test_id("open-settings").click()
    for name in ("confirm", "hints", "threats", "sounds", "coordinates"):
        expect(page.get_by_test_id(f"setting-{name}")).not_to_be_checked()
    expect(page.get_by_test_id("setting-tilted")).to_be_checked()


def test_whoever_wants_less_motion_gets_none(table: Table) -> None:
    table.begin(position=STACKS)
    moving = """(theme) => {
        document.documentElement.dataset.theme = theme
        getComputedStyle(document.body).color
        return document.getAnimations().length
    }"""
    assert [table.page.evaluate(moving, theme) for theme in ("dark", "light")] == [0, 0]


def test_the_theme_follows_the_system(table: Table) -> None:
    table.begin()
    table.page.emulate_media(color_scheme="dark")
    expect(table.page.locator("html")).to_have_attribute("data-theme", "dark")
    table.page.emulate_media(color_scheme="light")
    expect(table.page.locator("html")).to_have_attribute("data-theme", "light")
