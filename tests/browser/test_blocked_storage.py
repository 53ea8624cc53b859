"""A browser that keeps nothing for the page, or nothing more: everything works, as long as the page is open."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .hands import Mouse
from .messages import text
from .screens import TOUCHED
from .serving import Server
from .table import Table
from .test_learn import attempt, boards
from .test_learn import solve as solve_board
from .test_puzzles import one, shown, solve, solver, wrong
from .watch import OpenPage

DENIED = """
    const deny = () => { throw new DOMException('Access is denied for this document.', 'SecurityError') }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { configurable: true, get: deny })
    for (const name of ['serviceWorker', 'locks', 'storage'])
        Object.defineProperty(navigator, name, { configurable: true, get: deny })
"""
"""Site data is blocked: the very names throw."""
FULL = """
    const refuse = () => { throw new DOMException('There is no room.', 'QuotaExceededError') }
    Storage.prototype.setItem = refuse
    for (const name of ['put', 'add']) IDBObjectStore.prototype[name] = refuse
"""
"""The disk is full: nothing more is kept."""
PHONE = {"width": 390, "height": 664}


@pytest.fixture(
    params=[(DENIED, "wide"), (FULL, "wide"), (DENIED, "phone")], ids=["denied", "full", "denied on a phone"]
)
def blocked(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page in a browser that keeps nothing."""
    script, screen = request.param
    options = {"viewport": PHONE, **TOUCHED} if screen == "phone" else {}
    page = open_page(fresh=True, service_workers="allow", **options)
    page.add_init_script(script)
    return page


def test_a_game_is_begun_and_played(blocked: Page, server: Server) -> None:
    page = blocked
    page.goto(server.address)
    page.get_by_test_id("level-1").check(force=True)
    page.get_by_test_id("colour-w").check(force=True)
    page.get_by_test_id("begin").click()
    table = Table(page, server).arrive()
    mouse = Mouse(page)
    mouse.take("w", "E")
    mouse.place("d5")
    mouse.head("ne")
    mouse.confirm()
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    page.reload()
    table.ready()
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("Ed5ne")
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("end")).to_be_visible()
    assert table.game["outcome"]["reason"] == "resignation"


def test_a_puzzle_is_solved_and_a_streak_is_run(blocked: Page, server: Server) -> None:
    page = blocked
    puzzle = one("win")
    page.goto(f"{server.address}/puzzles/{puzzle.id}")
    solve(Mouse(page), puzzle)
    page.get_by_test_id("all-puzzles").click()  # in the page: what was done is still known
    expect(page.get_by_test_id("solved")).to_have_text(text("puzzle.of", n=1, all=1))
    page.get_by_test_id("mode-streak").click()
    first = shown(page)
    attempt(Mouse(page), wrong(first), solver(first))
    expect(page.get_by_test_id("run-over")).to_contain_text(text("puzzle.over.streak", n=0))


def test_a_lesson_is_done(blocked: Page, server: Server) -> None:
    page = blocked
    page.goto(f"{server.address}/learn/aim")
    solve_board(Mouse(page), "aim", boards("aim")[0])


def test_a_position_is_analysed_and_settings_hold(blocked: Page, server: Server) -> None:
    page = blocked
    page.goto(f"{server.address}/settings")
    coordinates = page.get_by_test_id("setting-coordinates")
    coordinates.click()
    expect(coordinates).not_to_be_checked()
    page.goto(f"{server.address}/analysis")
    Table(page, server).ready()
    mouse = Mouse(page)
    mouse.take("w", "E")
    mouse.place("d5")
    mouse.confirm()
    expect(page.get_by_test_id("tree")).to_contain_text("Ed5")
    page.get_by_test_id("engine-on").check(force=True)
    expect(page.get_by_test_id("line-0")).to_be_visible()
