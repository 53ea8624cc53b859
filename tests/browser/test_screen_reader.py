"""What a screen reader gets to read, in games and beside them."""

from __future__ import annotations

from playwright.sync_api import expect

from .hands import Keys, box
from .messages import messages, text
from .played import BEFORE_THE_END, WINNING
from .screens import FOR_HANDS, Screens
from .serving import Server
from .table import Table
from .tree import Tree

AGAINST_LEVEL_1 = {"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}


FORMS = messages("en")["threat.yours"]
YOURS = {form.format(n=n) for form in (FORMS.values() if isinstance(FORMS, dict) else ()) for n in range(1, 400)}
"""That one can connect, in however many ways."""


def told(colour: str, kind: str, space: str, heading: str) -> str:
    return text(
        "turn.add", colour=text(f"colour.{colour}"), piece=text(f"kind_a.{kind}"), space=space, heading=text(heading)
    )


def test_every_step_of_an_exchange_is_said(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        tree = Tree(page)
        Table(page, server).begin(seats=AGAINST_LEVEL_1)
        keys = Keys(page)
        page.keyboard.press("b")
        keys.take("w", "E")
        keys.place("d5")
        keys.rotate()
        keys.confirm()
        expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
        kind, own = text("kind.E"), told("w", "E", "d5", "heading.ne")
        lines = tree.lines()
        assert lines[:4] == [
            text("entry.taken", kind=kind),
            f"{kind}, d5, {text('heading.n')}",
            f"{kind}, d5, {text('heading.ne')}",
            own,
        ]
        assert len(lines) == 5 and lines[4].startswith(text("colour.b")), lines


def test_a_board_to_try_something_on_says_every_step_too(screens: Screens, server: Server) -> None:
    page = screens.open({})
    tree = Tree(page)
    page.goto(f"{server.address}/how-to-play#jump")
    exercise = page.get_by_test_id("try-jump")
    jumped = text(
        "turn.jump",
        colour=text("colour.w"),
        piece=text("kind_a.E"),
        origin="i6",
        space="i9",
        heading=text("heading.ne"),
        level=2,
    )
    kind = text("kind.E")
    for _ in screens.of(page, *FOR_HANDS):
        for space in ("i6", "i9"):
            exercise.locator(f'[data-space="{space}"][role="button"]').click()
        exercise.get_by_test_id("rotate-right").click()
        exercise.get_by_test_id("confirm").click()
        expect(exercise.get_by_test_id("done")).to_be_visible()
        assert tree.lines()[-5:] == [
            text("entry.chosen", kind=kind, space="i6"),
            f"{kind}, i9, {text('heading.nw')}",
            f"{kind}, i9, {text('heading.ne')}",
            jumped,
            text("rules.jump.done"),
        ]
        exercise.get_by_test_id("again").click()


def test_the_analysis_board_says_every_step_too(screens: Screens, server: Server) -> None:
    page = screens.open({})
    tree = Tree(page)
    page.goto(f"{server.address}/analysis")
    Table(page, server).ready()
    keys, current = Keys(page), page.locator('[data-testid="tree"] [aria-current="step"]')
    kind = text("kind.E")
    for _ in screens.of(page, *FOR_HANDS):
        page.get_by_test_id("board").scroll_into_view_if_needed()
        keys.take("w", "E")
        keys.place("d5")
        keys.rotate()
        keys.confirm()
        expect(current).to_have_text("Ed5ne")
        page.keyboard.press(",")
        expect(current).to_have_count(0)
        assert tree.lines()[-5:] == [
            text("entry.taken", kind=kind),
            f"{kind}, d5, {text('heading.n')}",
            f"{kind}, d5, {text('heading.ne')}",
            told("w", "E", "d5", "heading.ne"),
            text("moves.start"),
        ]


def test_threats_and_the_end_are_said(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        tree = Tree(page)
        turns = BEFORE_THE_END.split()
        table = Table(page, server).begin(*turns[:-1])
        server.play(table.id, turns[-1])
        expect(page.get_by_test_id("spoken").locator("p")).to_have_count(2)
        lines = tree.lines()
        assert lines[0].startswith(text("colour.w"))
        assert lines[1] in YOURS
        server.play(table.id, WINNING)
        expect(page.get_by_test_id("end")).to_be_visible()
        wins = text("end.wins", colour=text("colour.b"))
        assert tree.lines()[-1] == f"{wins}. {text('end.connection')}"


def test_putting_back_stepping_and_taking_back_are_said(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        tree = Tree(page)
        table = Table(page, server).begin("Ed5ne", "Tl10n")
        press = page.keyboard.press
        press("1")
        press("Escape")
        press(",")
        expect(table.current).to_have_text("Ed5ne")
        press("End")
        expect(table.current).to_have_text("Tl10n")
        press("z")
        expect(table.current).to_have_text("Ed5ne")
        assert tree.lines() == [
            text("entry.taken", kind=text("kind.T")),
            text("entry.put_back"),
            told("w", "E", "d5", "heading.ne"),
            text("moves.latest"),
            f"{text('notice.taken_back')} {text('game.turn_of', colour=text('colour.b'))}.",
        ]


def test_buttons_name_their_keys_and_the_board_is_one_key_away(screens: Screens, server: Server) -> None:
    for _, mouse in screens.clicked():
        page = mouse.page
        tree = Tree(page)
        Table(page, server).begin("Ed5ne", "Tl10n")
        page.keyboard.press("z")
        expect(page.get_by_test_id("redo")).to_be_enabled()
        keys = {}
        for node in tree.look().of_role("button"):
            properties = {found["name"]: found["value"].get("value") for found in node["properties"]}
            keys[node["name"]["value"]] = properties.get("keyshortcuts")
        wanted = {"action.undo": "z", "action.redo": "Shift+Z", "action.hint": "h", "action.resign": "q"}
        steps = {"moves.first": "Home", "moves.previous": ",", "moves.next": ".", "moves.last": "End"}
        assert {name: keys[text(name)] for name in wanted | steps} == wanted | steps
        page.keyboard.press("b")
        (focused,) = [
            node
            for node in tree.look().of_role("button")
            if any(found["name"] == "focused" and found["value"]["value"] for found in node["properties"])
        ]
        assert focused["name"]["value"] == text("space.centre", space="i9")


def test_the_help_tells_every_key(screens: Screens, server: Server) -> None:
    page = screens.open({})
    Table(page, server).begin()
    page.keyboard.press("?")
    expect(page.get_by_test_id("keys")).to_be_visible()
    for screen in screens.of(page):
        keys = page.get_by_test_id("keys").locator("kbd")
        shown = keys.all_inner_texts()
        assert {"B", ",", ".", "←", "→", "Home", "End", "Z", "Shift+Z", "H", "Q", "N", "R", "P", "Esc"} <= set(shown)
        assert screen.holds(box(keys.first)) and screen.holds(box(keys.last))
