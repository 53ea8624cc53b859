"""Whole games: against the computer, taken back, reloaded, ended, looked through and played again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from punct import Game, Move
from punct.engine import Engine, Limits

from .hands import Keys, Mouse
from .messages import text
from .played import BEFORE_THE_END, WINNING
from .screens import Screens
from .serving import Server
from .table import Table

AGAINST_LEVEL_1 = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}
ADDED = re.compile(f"{text('colour.b')}.* l10")
"""A turn in words, whichever they are."""


def enter(table: Table, mouse: Mouse, move: Move) -> None:
    """Play a turn with the mouse, whatever it is."""
    if move.origin is None:
        assert move.kind is not None
        mouse.take(table.game["turn"], str(move.kind))
        mouse.place(str(move.space))
    else:
        mouse.choose(str(move.origin))
        if move.origin == move.space:
            mouse.rotate()
        else:
            mouse.place(str(move.space))
    mouse.head(str(move.heading))
    mouse.confirm()


def test_a_whole_game_against_level_1_by_mouse(table: Table) -> None:
    page = table.page
    page.goto(table.server.address)
    page.get_by_test_id("opponent-computer").check(force=True)
    page.get_by_test_id("level-1").check(force=True)
    page.get_by_test_id("colour-w").check(force=True)
    page.get_by_test_id("begin").click()
    table.arrive()
    mouse = Mouse(page)
    mind = Engine(6, limits=Limits(nodes=200))  # somebody who knows how to win
    played = Game()
    while not played.outcome():
        move = mind.play(played).move
        enter(table, mouse, move)
        expect(page.locator(f'[data-testid="moves"] [data-ply="{len(played.moves) + 1}"]')).to_have_text(str(move))
        played.push(move)
        if not played.outcome():
            answer = page.locator(f'[data-testid="moves"] [data-ply="{len(played.moves) + 1}"]')
            expect(answer).to_be_attached()
            played.push(answer.inner_text())
    game = table.game
    assert [turn["text"] for turn in game["turns"]] == [str(move) for move in played.moves]
    assert game["result"] == played.result()
    expect(page.get_by_test_id("end")).to_be_visible()
    expect(page.get_by_test_id("ending").locator("ellipse")).to_have_count(2 * len(game["view"]["chain"]))


@pytest.mark.parametrize("against", ["the computer", "somebody"])
def test_taking_back(table: Table, against: str) -> None:
    table.begin(seats=AGAINST_LEVEL_1 if against == "the computer" else {})
    expect(table.page.get_by_test_id("undo")).to_be_disabled()
    mouse = Mouse(table.page)
    enter(table, mouse, Move.parse("Ed5ne"))
    if against == "the computer":
        expect(table.page.locator('[data-ply="2"]')).to_be_attached()  # its answer is taken back as well
    else:
        expect(table.current).to_have_text("Ed5ne")
    table.page.get_by_test_id("undo").click()
    expect(table.page.get_by_test_id("moves")).to_contain_text(text("moves.none"))
    assert table.game["ply"] == 0
    enter(table, mouse, Move.parse("Te4n"))
    expect(table.page.locator('[data-ply="1"]')).to_have_text("Te4n")


def test_a_hint_is_laid_down_to_be_confirmed(table: Table) -> None:
    table.begin(*BEFORE_THE_END.split())
    expect(table.page.get_by_test_id("threat")).to_be_visible()
    table.page.get_by_test_id("hint").click()
    expect(table.ghost).to_be_visible()
    expect(table.saying).to_have_text(text("hint.found", turn=table.game["view"]["threats"]["b"]["turns"][0]))
    Mouse(table.page).confirm()
    expect(table.page.get_by_test_id("end")).to_contain_text(text("end.wins", colour=text("colour.b")))


def test_the_end_shows_the_chain_and_the_ways_on(table: Table) -> None:
    table.begin(*BEFORE_THE_END.split(), seats={"w": {"name": "Anna"}, "b": {"name": "Ben"}})
    enter(table, Mouse(table.page), Move.parse(WINNING))
    end = table.page.get_by_test_id("end")
    expect(end).to_contain_text(text("end.wins", colour=text("colour.b")))
    expect(end).to_contain_text(text("end.connection"))
    expect(table.page.get_by_test_id("spoken")).to_contain_text(text("end.wins", colour=text("colour.b")))
    expect(table.page.get_by_test_id("ending").locator("ellipse").first).to_be_attached()
    table.page.get_by_test_id("step-through").click()
    expect(table.page.get_by_test_id("looking-back")).to_have_text(text("moves.start"))
    table.page.get_by_test_id("step-next").click()
    expect(table.current).to_have_text("Lo10nw")
    table.page.get_by_test_id("step-last").click()
    expect(end).to_be_visible()
    table.page.get_by_test_id("rematch").click()
    expect(table.page.get_by_test_id("moves")).to_contain_text(text("moves.none"))
    table.arrive()
    assert table.game["seats"]["w"]["name"] == "Ben"  # colours change


def test_resigning_is_asked_twice(table: Table) -> None:
    table.begin("Ed5ne")
    table.page.get_by_test_id("resign").click()
    table.page.get_by_test_id("keep-playing").click()
    assert table.game["outcome"] is None
    table.page.get_by_test_id("resign").click()
    table.page.get_by_test_id("sure").click()
    expect(table.page.get_by_test_id("end")).to_contain_text(text("end.wins", colour=text("colour.w")))
    assert table.game["outcome"] == {"winner": "w", "reason": "resignation"}


def test_a_reload_in_the_middle_of_a_turn_loses_nothing(table: Table) -> None:
    table.begin("Ed5ne", "Tl10n")
    page, mouse = table.page, Mouse(table.page)
    before = table.game
    mouse.choose("d5")
    expect(table.space("d5")).to_have_accessible_name(re.compile(text("space.chosen")))
    page.reload()
    table.ready()
    expect(table.space("d5")).to_have_accessible_name(re.compile(text("space.chosen")))
    mouse.place("d8")
    mouse.head("se")
    page.reload()
    table.ready()
    expect(table.ghost).to_have_attribute("data-space", "d8")
    expect(table.ghost).to_have_attribute("data-heading", "se")
    assert table.game == before
    mouse.confirm()
    table.expect_played("d5-d8se", "move")
    page.reload()
    table.ready()
    expect(table.ghost).to_have_count(0)  # what was played is no longer half done


def test_a_turn_half_entered_survives_a_reload(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        table = Table(hand.page, server).begin("Ed5ne", "Tl10n")
        hand.choose("d5")
        hand.place("d8")
        hand.head("se")
        hand.page.reload()
        table.ready()
        expect(table.ghost).to_have_attribute("data-space", "d8")
        expect(table.ghost).to_have_attribute("data-heading", "se")


def test_a_turn_half_entered_is_dropped_when_the_game_went_on(table: Table, server: Server) -> None:
    table.begin("Ed5ne", "Tl10n")
    Mouse(table.page).choose("d5")
    Mouse(table.page).place("d8")
    address = table.page.url
    table.page.goto(server.address)
    server.play(table.id, "Ee3n")
    server.play(table.id, "Tm9n")
    table.page.goto(address)
    table.ready()
    expect(table.page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))
    expect(table.ghost).to_have_count(0)
    Mouse(table.page).choose("d5")
    Mouse(table.page).place("d8")
    table.page.keyboard.press("Escape")
    table.page.reload()
    table.ready()
    expect(table.page.get_by_test_id("prompt")).to_have_text(text("entry.choose"))  # nor does it come back uncalled


def test_two_windows_show_the_same_game(table: Table, server: Server) -> None:
    table.begin("Ed5ne")
    mouse = Mouse(table.page)
    mouse.take("b", "T")
    server.play(table.id, "Tl10n")  # from another window
    expect(table.current).to_have_text("Tl10n")
    expect(table.page.get_by_test_id("spoken")).to_have_text(ADDED)


def test_saving_and_loading_a_record(table: Table, page: Page) -> None:
    table.begin("Ed5ne", "Tl10n", "d5-d8n")
    page.get_by_test_id("more").click()
    with page.expect_download() as waiting:
        page.get_by_test_id("save").click()
    record = waiting.value.path().read_bytes()
    assert b"1. Ed5ne Tl10n" in record
    first = page.url
    page.get_by_test_id("record-file").set_input_files(
        {"name": "game.punct", "mimeType": "text/plain", "buffer": record}
    )
    page.wait_for_url(lambda url: "/game/" in url and url != first)
    expect(table.current).to_have_text("d5-d8n")


def test_the_whole_way_by_keyboard(table: Table) -> None:
    table.begin()
    keys = Keys(table.page)
    keys.take("w", "T")
    keys.page.keyboard.press("Escape")
    keys.take("w", "E")
    keys.place("d5")
    keys.head("ne")
    keys.confirm()
    table.expect_played("Ed5ne", "add")
    keys.take("b", "T")
    keys.place("l10")
    keys.head("n")
    keys.confirm()
    table.expect_played("Tl10n", "add")
    expect(table.page.get_by_test_id("spoken")).to_have_text(ADDED)
