"""Back in time and forward again: nothing is lost, nothing is played by mistake, and the way back is always there."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from .hands import Keys, box, place_of
from .messages import text
from .screens import EVERY_SCREEN, SCREENS, THEMES, Screens
from .serving import Server
from .table import Table

TURNS = ("Ed5ne", "Tl10n", "d5-d8n")
AGAINST_LEVEL_1 = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}


def test_an_earlier_turn_says_that_it_is_one(screens: Screens, server: Server) -> None:
    for screen, hand in screens.at_hand():
        page = hand.page
        table = Table(page, server).begin(*TURNS)
        page.keyboard.press("Home")
        bar = page.get_by_test_id("turn-bar")
        expect(bar).to_contain_text(text("moves.start"))
        page.get_by_test_id("take-wE").click(force=True)  # trying to play
        expect(table.saying).to_have_text(text("notice.earlier_turn"))
        expect(page.get_by_test_id("undo")).to_be_disabled()
        back = bar.get_by_role("button", name=text("moves.to_game"))
        seen = box(back)
        assert screen.holds(seen) and seen.height >= 44
        back.click()
        expect(table.current).to_have_text(TURNS[-1])
        expect(back).to_have_count(0)
        expect(page.get_by_test_id("undo")).to_be_enabled()
        assert table.game["ply"] == len(TURNS)


def test_keys_step_wherever_the_focus_is(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page, press = mouse.page, mouse.page.keyboard.press
        table = Table(page, server).begin(*TURNS)
        for key, shown in (("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", 2), (",", 1), (".", 2)):
            press(key)
            expect(table.current).to_have_text(TURNS[shown])
        press("Home")
        expect(table.current).to_have_count(0)
        press("End")
        # On the board the arrows go over the spaces; the other keys step there too.
        press("b")
        expect(table.space("i9")).to_be_focused()
        press("ArrowLeft")
        expect(page.locator("[data-space]:focus")).to_have_attribute("data-space", re.compile(r"^h\d+$"))
        expect(table.current).to_have_text(TURNS[2])
        press(",")
        expect(table.current).to_have_text(TURNS[1])
        press("1")
        expect(table.saying).to_have_text(text("notice.earlier_turn"))
        press("z")  # nothing is taken back meanwhile
        expect(table.saying).to_have_text(text("notice.earlier_turn"))
        press("End")
        page.get_by_test_id("typed").focus()
        page.keyboard.type("h,z.")  # letters and no wishes
        expect(page.get_by_test_id("typed")).to_have_value("h,z.")
        assert table.game["ply"] == 3


def test_what_was_taken_back_is_played_again(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        table = Table(page, server).begin(*TURNS)
        expect(page.get_by_test_id("redo")).to_have_count(0)
        for shown in (TURNS[1], TURNS[0]):
            page.keyboard.press("z")
            expect(table.current).to_have_text(shown)
        page.get_by_test_id("redo").click()
        expect(table.current).to_have_text(TURNS[1])
        page.keyboard.press("Shift+Z")
        expect(table.current).to_have_text(TURNS[2])
        expect(page.get_by_test_id("redo")).to_have_count(0)


def test_what_was_taken_back_is_kept_until_another_way_is_taken(table: Table) -> None:
    page = table.begin(*TURNS).page
    page.keyboard.press("z")
    expect(table.current).to_have_text(TURNS[1])
    page.reload()  # the server keeps it
    table.ready()
    expect(page.get_by_test_id("redo")).to_be_enabled()
    page.get_by_test_id("typed").fill("Tb5n")
    page.get_by_test_id("typed").press("Enter")
    expect(table.current).to_have_text("Tb5n")
    expect(page.get_by_test_id("redo")).to_have_count(0)


def test_against_the_computer_the_same_answer_comes_back(table: Table) -> None:
    table.begin("Ed5ne", seats=AGAINST_LEVEL_1)
    answer = table.page.locator('[data-testid="moves"] [data-ply="2"]')
    expect(answer).to_be_attached()
    turns = table.game["turns"]
    table.page.get_by_test_id("undo").click()
    expect(table.page.get_by_test_id("moves")).to_contain_text(text("moves.none"))
    table.page.get_by_test_id("redo").click()
    expect(answer).to_have_text(turns[1]["text"])
    assert table.game["turns"] == turns


def test_turns_can_be_read_as_words(screens: Screens, server: Server) -> None:
    told = text(
        "turn.move",
        colour=text("colour.w"),
        piece=text("kind_a.E"),
        origin="d5",
        space="d8",
        heading=text("heading.n"),
    )
    page = screens.open({})
    table = Table(page, server).begin(*TURNS)
    for screen in screens.of(page):
        expect(table.current).to_have_accessible_name(f"d5-d8n: {told}")
        page.get_by_test_id("turns-in-words").click()
        expect(table.current).to_have_text(told)
        assert screen.spans(box(table.current))
        page.get_by_role("button", name=re.compile(f"^{text('colour.b')}.* l10")).click()
        expect(page.get_by_test_id("turn-bar")).to_contain_text(text("moves.looking_back", n=2))
        page.keyboard.press("End")
        page.get_by_test_id("turns-in-words").click()
        expect(table.current).to_have_text(TURNS[-1])
    page.get_by_test_id("turns-in-words").click()
    page.reload()
    table.ready()
    expect(table.current).to_have_text(told)  # and stays so


def test_the_tab_says_whose_turn_it_is(screens: Screens, server: Server) -> None:
    for screen, mouse in screens.clicked():
        page = mouse.page
        table = Table(page, server).begin(seats=AGAINST_LEVEL_1)
        expect(page).to_have_title(f"{text('game.your_turn')} · PÜNCT")
        table.begin("Ed5ne")
        expect(page).to_have_title(f"{text('game.turn_of', colour=text('colour.b'))} · PÜNCT")
        page.keyboard.press("q")
        question = page.get_by_role("alertdialog")
        expect(question).to_have_accessible_name(text("action.resign_sure_of", colour=text("colour.b")))
        assert screen.spans(box(question))
        page.get_by_test_id("sure").click()
        expect(page).to_have_title(f"{text('end.wins', colour=text('colour.w'))} · PÜNCT")
        expect(page.get_by_test_id("end")).to_contain_text(text("end.resignation", colour=text("colour.b")))
        assert table.game["outcome"] == {"winner": "w", "reason": "resignation"}


def test_two_players_have_names_everywhere(screens: Screens, server: Server) -> None:
    page = screens.open({})
    table = Table(page, server)
    page.goto(server.address)
    page.get_by_test_id("opponent-person").check(force=True)
    page.get_by_role("textbox", name=text("colour.w")).fill("Änne")
    page.get_by_role("textbox", name=text("colour.b")).fill("  Bartek ")
    for screen in screens.of(page):
        for colour in "wb":
            assert screen.holds(box(page.get_by_test_id(f"name-{colour}")))
    page.get_by_test_id("begin").click()
    table.arrive()
    for screen in screens.of(page):
        for colour, name in (("w", "Änne"), ("b", "Bartek")):
            shown = page.get_by_test_id(f"player-{colour}").get_by_text(name, exact=True)
            expect(shown).to_be_visible()
            assert screen.holds(box(shown))
    record = page.request.get(f"{server.address}/api/v1/games/{table.id}/record").text()
    assert '[White "Änne"]' in record and '[Black "Bartek"]' in record
    page.get_by_test_id("home").click()
    card = page.get_by_test_id(f"game-{table.id}")
    for screen in screens.of(page):
        expect(card).to_contain_text("Änne")
        expect(card).to_contain_text("Bartek")
        assert screen.spans(box(card))
    expect(page.get_by_test_id("name-w")).to_have_value("Änne")  # offered again


def test_turning_the_board_around_changes_the_panels_too(screens: Screens, server: Server) -> None:
    for screen, mouse in screens.clicked():
        page = mouse.page
        Table(page, server).begin(*TURNS[:2])  # White is to move
        assert page.evaluate(TOP, "player-w") > page.evaluate(TOP, "player-b")
        page.get_by_test_id("flip").click()
        expect(page.get_by_test_id("flip")).to_have_attribute("aria-pressed", "true")
        assert page.evaluate(TOP, "player-w") < page.evaluate(TOP, "player-b")
        page.get_by_test_id("take-wT").click()  # the set of whoever is to move is at hand there too
        expect(page.get_by_test_id("take-wT")).to_have_attribute("aria-pressed", "true")
        assert screen.holds(place_of(page.get_by_test_id("set-w")))
        page.get_by_test_id("flip").click()


TOP = "(name) => document.querySelector(`[data-testid=${name}]`).getBoundingClientRect().top"


MOTIONS = ("no-preference", "reduce")
LOOKS = list(product(MOTIONS, THEMES) if EVERY_SCREEN else zip(MOTIONS, THEMES, strict=True))


@pytest.mark.parametrize(("motion", "theme"), LOOKS)
@pytest.mark.parametrize("name", SCREENS)
def test_the_computers_reply_waits_until_ones_own_turn_was_seen(
    screens: Screens, server: Server, name: str, motion: str, theme: str
) -> None:
    page = screens.open({}, fresh=True, reduced_motion=motion)  # its clock is this test's
    next(screen for screen in screens.of(page, name, both=True) if screen.theme == theme)
    page.clock.install()
    heard: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda news: heard.append(news)))
    Table(page, server).begin(seats=AGAINST_LEVEL_1)
    keys = Keys(page)
    keys.take("w", "E")
    keys.place("d5")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))  # from here on time passes only as this test says
    keys.confirm()
    shown = page.locator('[data-testid="moves"] [data-ply]')
    while not any('"type":"game"' in str(news) and '"ply":2,' in str(news) for news in heard):
        page.evaluate("1")  # the reply is not here yet
    if motion == "no-preference":
        expect(shown).to_have_count(1)
        page.clock.run_for(499)
        expect(shown).to_have_count(1)
        page.clock.run_for(1)
    expect(shown).to_have_count(2)


def test_a_click_in_the_past_changes_nothing(screens: Screens, server: Server) -> None:
    for _, hand in screens.at_hand():
        page = hand.page
        table = Table(page, server).begin(*TURNS)
        page.keyboard.press("Home")
        expect(table.space("d5")).to_have_accessible_name(re.compile(f"^{text('space.empty', space='d5')}"))
        page.get_by_test_id("take-wE").click(force=True)
        hand.choose("d5")
        expect(table.ghost).to_have_count(0)
        assert [turn["text"] for turn in table.game["turns"]] == list(TURNS)
