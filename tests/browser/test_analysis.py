"""The analysis board: the kernel in the page judges and thinks, and a tree of variations grows."""

from __future__ import annotations

import re
import secrets
import zlib
from base64 import urlsafe_b64encode

from playwright.sync_api import Locator, Page, Route, expect

from .hands import Mouse, box
from .messages import text
from .played import BEFORE_THE_END, WINNING
from .screens import Screen, Screens
from .serving import Server
from .table import FOLLOW, Table
from .test_accessibility import AXE, violations
from .watch import OpenPage

LINE = "Ed5ne Tl10n d5-d8n"


def packed(record: str) -> str:
    """Return a record as a link holds it."""
    pressed = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(pressed.compress(record.encode()) + pressed.flush()).decode().rstrip("=")


def analysis(page: Page, server: Server, query: str = "") -> Table:
    page.goto(f"{server.address}/analysis{query}")
    return Table(page, server).ready()


def current(page: Page) -> Locator:
    return page.locator('[data-testid="tree"] [aria-current="step"]')


def play(table: Table, kind: str, space: str, colour: str) -> None:
    mouse = Mouse(table.page)
    mouse.take(colour, kind)
    mouse.place(space)
    mouse.confirm()


def test_variations_grow_and_are_edited(page: Page, server: Server) -> None:
    table = analysis(page, server)
    play(table, "E", "d5", "w")
    expect(page.get_by_test_id("tree")).to_contain_text("Ed5")
    play(table, "T", "l10", "b")
    expect(page.get_by_test_id("tree")).to_contain_text("Tl10")
    page.keyboard.press(",")
    play(table, "T", "l9", "b")
    expect(page.get_by_test_id("variation")).to_have_count(1)
    page.get_by_test_id("comment").fill("another way")
    page.get_by_test_id("comment").blur()
    page.get_by_test_id("mark-!?").click()
    expect(page.get_by_test_id("variation")).to_contain_text("!?")
    expect(page.get_by_test_id("variation")).to_contain_text("another way")
    page.get_by_test_id("promote").click()
    expect(page.get_by_test_id("variation")).to_contain_text("Tl10")
    page.get_by_test_id("undo-edit").click()
    expect(page.get_by_test_id("variation")).to_contain_text("Tl9")
    page.get_by_test_id("redo-edit").click()
    page.get_by_test_id("remove-turn").click()
    expect(page.get_by_test_id("variation")).to_have_count(0)
    page.keyboard.press("Home")
    expect(current(page)).to_have_count(0)
    page.keyboard.press("End")
    expect(current(page)).to_have_count(1)


def test_everybody_finds_it(page: Page, server: Server) -> None:
    page.goto(server.address)
    page.get_by_test_id("analysis").click()
    expect(page.get_by_test_id("analysis-page")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(server.address)
    expect(page.get_by_test_id("analysis")).to_be_hidden()  # on a phone it is at the foot
    page.locator("footer").get_by_role("link", name=text("analysis.title"), exact=True).click()
    expect(page.get_by_test_id("analysis-page")).to_be_visible()


def test_a_link_holds_the_whole_tree(open_page: OpenPage, server: Server) -> None:
    page = open_page(permissions=("clipboard-read", "clipboard-write"))
    game = server.begin(*LINE.split())
    analysis(page, server, f"?game={game}&ply=3")
    expect(current(page)).to_have_text("d5-d8n")
    page.get_by_test_id("board").hover()
    page.mouse.wheel(0, -100)
    expect(current(page)).to_have_text("Tl10n")
    page.get_by_test_id("tree").hover()
    page.mouse.wheel(0, 100)
    expect(current(page)).to_have_text("d5-d8n")
    page.mouse.wheel(0, -100)
    expect(current(page)).to_have_text("Tl10n")
    play(Table(page, server), "L", "j12", "w")
    link = shared(page)
    assert "/analysis#" in link
    other = open_page()
    other.goto(link)
    expect(other.get_by_test_id("variation")).to_have_count(1)
    expect(other.get_by_test_id("tree")).to_contain_text("d5-d8n")
    said = secrets.token_hex(5000)  # more than can be sent in a link
    page.goto(f"{server.address}/analysis#{packed(f'1. Ed5ne {{{said}}} Tl10n *')}")
    expect(page.get_by_test_id("tree")).to_contain_text(said)
    link = shared(page)
    assert re.search(r"/analysis/[\w-]{16,}$", link)
    other.goto(link)
    expect(other.get_by_test_id("tree")).to_contain_text(said)


COPIED = """async () => {
    for (;;) {
        const text = await navigator.clipboard.readText()
        if (text) return text
        await new Promise(requestAnimationFrame)
    }
}"""


def shared(page: Page) -> str:
    """Return the link that somebody copies, once it is there: the server may have to keep the tree first."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_test_id("share-link").click()
    return str(page.evaluate(COPIED))


def test_what_is_damaged_is_said_and_the_rest_is_there(page: Page, server: Server) -> None:
    game = server.begin(*LINE.split())
    tree, damage = page.get_by_test_id("tree"), page.get_by_test_id("damage")
    analysis(page, server, f"?game={game}&ply=99999")  # the game was longer once: its end is as near as can be
    expect(current(page)).to_have_text("d5-d8n")
    for ply in ("99999999999", "100000000", "-1", "1e8"):
        expect(damage).to_have_count(0)
        page.evaluate(FOLLOW, f"/analysis?game={game}&ply={ply}")
        expect(damage).to_have_text(text("analysis.bad_link"))
        expect(tree).to_contain_text("d5-d8n")
        page.evaluate(FOLLOW, f"/analysis?game={game}&ply=1")

    def follow(fragment: str, said: str, *turns: str) -> None:
        """Follow a link on the page that is open: only what comes after the # changes."""
        page.goto(f"{server.address}/analysis#{fragment}")
        expect(damage).to_contain_text(said)
        expect(page.locator('[data-testid="tree"] [data-path]')).to_have_text(list(turns))

    page.goto(f"{server.address}/analysis")
    page.get_by_test_id("engine-on").check()
    follow("damaged", text("analysis.bad_link"))
    expect(page.get_by_test_id("engine-on")).not_to_be_checked()
    follow(
        packed("1. Ed5ne Tl10n\n{never closed"),
        text("analysis.unread", line=2, token="{never closed"),
        *LINE.split()[:2],
    )
    follow(packed("1. Ed5ne Tl10n 2. Ed5ne Tl9n"), text("analysis.cut", turn="Ed5ne"), *LINE.split()[:2])
    follow(
        packed("1. Ed5ne (1. Ed4ne " + "(1. Ed4ne " * 50_000),
        text("analysis.unread", line=1, token="("),
        "Ed5ne",
        "Ed4ne",
    )
    follow(packed(" " * 5_000_000), text("analysis.bad_link"))
    page.goto(f"{server.address}/analysis#{packed('1. Ed5ne *')}")
    expect(damage).to_have_count(0)


def test_whoever_goes_on_meanwhile_is_not_called_back(page: Page, server: Server) -> None:
    """A record that takes its time is not shown at an address it does not belong to."""
    slow, quick = server.begin("Ed5ne"), server.begin("Tc3n")
    held: list[Route] = []
    page.route(f"**/api/v1/games/{slow}/record*", lambda route: held.append(route))
    analysis(page, server)
    page.evaluate(FOLLOW, f"/analysis?game={slow}")
    page.evaluate(FOLLOW, f"/analysis?game={quick}")
    expect(page.get_by_test_id("tree")).to_contain_text("Tc3n")
    with page.expect_response(re.compile(slow)):
        held[0].continue_()
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_be_visible()  # asked after everything that the late one would have asked
    expect(page.locator('[data-testid="tree"] [data-path]')).to_have_text(["Tc3n"])


def test_the_engine_thinks_beside_the_board(page: Page, server: Server) -> None:
    game = server.begin(*BEFORE_THE_END.split())
    analysis(page, server, f"?game={game}")
    page.keyboard.press("End")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_contain_text(text("analysis.wins_in", n=1))
    expect(page.locator('[data-testid="suggestions"] [data-rank="0"]')).to_have_count(1)
    page.get_by_test_id("engine-lines").select_option("5")
    expect(page.get_by_test_id("line-0")).to_be_visible()
    best = page.get_by_test_id("line-0").locator("span").inner_text()
    page.get_by_test_id("play-best").click()
    expect(current(page)).to_have_text(best)
    expect(page.get_by_test_id("analysis-state")).to_contain_text(text("analysis.over"))
    expect(page.get_by_test_id("eval-bar")).to_be_visible()
    for _ in range(8):  # it keeps up with stepping
        page.keyboard.press(",")
    expect(page.get_by_test_id("line-0")).to_be_visible()
    page.get_by_test_id("threat-view").click()
    expect(page.get_by_test_id("lines")).to_contain_text(re.compile("[a-q][0-9]"))
    expect(page.locator('[data-testid="suggestions"] .threat[data-rank="0"]')).to_have_count(1)


def test_a_position_is_set_up(page: Page, server: Server) -> None:
    table = analysis(page, server)
    page.get_by_test_id("edit").click()
    page.get_by_test_id("edit-b").check(force=True)
    play(table, "T", "l10", "b")
    expect(page.get_by_test_id("impossible")).to_contain_text(text("impossible.black_without_white"))
    page.get_by_test_id("edit-w").check(force=True)
    play(table, "E", "d5", "w")
    expect(page.get_by_test_id("impossible")).to_have_count(0)
    table.space("d5").click()
    page.get_by_test_id("edit-remove").click()
    expect(page.get_by_test_id("impossible")).to_be_visible()
    page.get_by_test_id("edit-text").fill("basic w wTd5n bTl10n")
    page.get_by_test_id("edit-text").press("Enter")
    expect(page.get_by_test_id("impossible")).to_have_count(0)
    page.get_by_test_id("edit-text").fill("nonsense")
    page.get_by_test_id("edit-text").press("Enter")
    expect(page.get_by_test_id("edit-trouble")).to_be_visible()
    page.get_by_test_id("edit-done").click()
    play(table, "E", "f8", "w")
    expect(page.get_by_test_id("tree")).to_contain_text("Ef8")


def test_what_was_played_here(page: Page, server: Server) -> None:
    analysis(page, server)
    first = page.get_by_test_id("explored").first
    expect(first).to_be_visible()
    turn = first.inner_text()
    first.click()
    expect(page.get_by_test_id("tree")).to_contain_text(turn)
    for source in ("server", "archives", "book"):
        page.get_by_test_id(f"source-{source}").uncheck()
    expect(page.get_by_test_id("explorer").get_by_role("status")).to_have_text(text("explorer.none"))
    expect(page.get_by_test_id("explored")).to_have_count(0)


def test_it_fits_and_keeps_nobody_out(screens: Screens, server: Server) -> None:
    page = screens.open({})
    game = server.begin(*BEFORE_THE_END.split(), WINNING)
    Table(page, server).id = game
    page.goto(f"{server.address}/game/{game}")
    page.get_by_test_id("analyse").click()
    Table(page, server).ready()
    page.keyboard.press("End")
    page.keyboard.press(",")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))

    def fits(screen: Screen) -> None:
        assert screen.spans(box(page.get_by_test_id("board")))
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= screen.width, f"{width} wide"
        if screen.name in ("desktop", "phone"):
            assert not (found := violations(page)), "\n".join(found)

    for screen in screens.of(page):
        fits(screen)
    page.get_by_test_id("edit").click()
    expect(page.get_by_test_id("editor")).to_be_visible()
    for screen in screens.of(page, "desktop", "phone"):
        fits(screen)
