"""Home and the quiet places: beginning a game, going on with one, taking one in, learning the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .messages import text
from .serving import Server
from .table import Table
from .watch import Watch


@pytest.fixture
def own_server(tmp_path: Path) -> Server:
    """A server without games."""
    return Server(tmp_path)


def test_two_at_one_screen(table: Table) -> None:
    page = table.page
    page.goto(table.server.address)
    page.get_by_test_id("opponent-person").check(force=True)
    page.get_by_test_id("rules-basic").check(force=True)
    page.get_by_test_id("begin").click()
    table.arrive()
    game = table.game
    assert game["rules"] == "basic" and game["seats"]["w"]["type"] == game["seats"]["b"]["type"] == "person"
    page.goto(table.server.address)
    expect(page.get_by_test_id("opponent-person")).to_be_checked()  # the last wishes are offered again
    expect(page.get_by_test_id("rules-basic")).to_be_checked()


def test_the_computer_begins_if_one_takes_black(table: Table) -> None:
    page = table.page
    page.goto(table.server.address)
    page.get_by_test_id("colour-b").check(force=True)
    page.get_by_test_id("level-2").check(force=True)
    page.get_by_test_id("begin").click()
    table.arrive()
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_be_attached()
    seat = table.game["seats"]["w"]
    assert (seat["type"], seat["level"]) == ("engine", 2)
    expect(page.get_by_test_id("player-b")).to_contain_text(text("game.your_turn"))


def test_games_are_kept_gone_on_with_and_deleted(page: Page, own_server: Server) -> None:
    with own_server as server:
        page.goto(server.address)
        expect(page.get_by_test_id("begin")).to_be_visible()
        expect(page.get_by_test_id("games")).to_have_count(0)
        kept, other = server.begin("Ed5ne"), server.begin()
        page.reload()
        expect(page.get_by_test_id("games").get_by_role("article")).to_have_count(2)
        card = page.get_by_test_id(f"game-{other}")
        card.get_by_test_id("delete").click()
        card.get_by_test_id("delete-yes").click()
        expect(page.get_by_test_id("games").get_by_role("article")).to_have_count(1)
        page.get_by_test_id(f"game-{kept}").get_by_role("link").click()
        expect(Table(page, server).current).to_have_text("Ed5ne")
        page.go_back()
        expect(page.get_by_test_id("begin")).to_be_visible()
        assert server.ask("/games")["total"] == 1
        page.close()  # before its server: it may still ask for pictures


def test_a_record_is_taken_in_and_a_broken_one_is_refused(table: Table, watch: Watch) -> None:
    watch.allow("422")  # the browser logs the refusal
    page = table.page
    page.goto(table.server.address)
    page.get_by_test_id("record-text").fill("1. Ed5ne Ti9n *")
    page.get_by_test_id("take-in").click()
    expect(page.get_by_test_id("record-trouble")).to_contain_text("Ti9n")
    page.get_by_test_id("record-text").fill('[White "Anna"]\n\n1. Ed5ne Tl10n 2. d5-d8n *')
    page.get_by_test_id("take-in").click()
    expect(table.current).to_have_text("d5-d8n")
    expect(page.get_by_test_id("player-w")).to_contain_text("Anna")


def test_a_position_is_looked_at_and_played_on(table: Table) -> None:
    page = table.page
    page.goto(table.server.address)
    page.get_by_test_id("record-text").fill("standard b wEd5ne")
    page.get_by_test_id("take-in").click()
    page.wait_for_url(re.compile(r"/position\?text=standard"))
    expect(page.get_by_test_id("board").first).to_be_visible()
    page.get_by_test_id("opponent-person").check(force=True)
    page.get_by_test_id("begin").click()
    table.arrive()
    assert table.game["start"] == "standard b wEd5ne"


def test_the_rules_have_boards_to_try(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("how-to-play").click()
    for section in ("aim", "pieces", "add", "move", "turn", "jump", "bridge", "blocked", "end", "centre"):
        exercise = page.get_by_test_id(f"try-{section}")
        exercise.scroll_into_view_if_needed()
        expect(exercise.get_by_test_id("board")).to_be_visible()
    jump = page.get_by_test_id("try-jump")
    for space in ("i6", "i9"):
        jump.locator(f'[data-space="{space}"][role="button"]').click()
    jump.get_by_test_id("confirm").click()
    expect(jump.get_by_test_id("done")).to_have_text(text("rules.jump.done"))
    jump.get_by_test_id("again").click()
    expect(jump).to_contain_text(text("rules.jump.task"))


def test_places_that_are_not_there_say_so(page: Page, server: Server, watch: Watch) -> None:
    watch.allow("404")
    page.goto(f"{server.address}/nowhere")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(f"{server.address}/game/unknown")
    expect(page.get_by_test_id("missing")).to_contain_text(text("game.missing"))
    page.get_by_role("link", name=text("game.home")).click()
    expect(page.get_by_test_id("begin")).to_be_visible()


def test_the_keys_are_explained(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("keyboard-help").click()
    expect(page.get_by_test_id("keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("keys")).not_to_be_visible()
