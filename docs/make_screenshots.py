"""Photograph the board for the documentation: run ``make screenshots``.

A real browser opens a real server with games of its own, so that the pictures show what people will see.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, expect, sync_playwright
from tests.browser.chromium import launch
from tests.browser.hands import Finger, Mouse
from tests.browser.online.person import Person
from tests.browser.played import BEFORE_THE_END, OPENS, WINNING
from tests.browser.serving import COMMAND, Server
from tests.browser.table import Table
from tests.browser.test_learn import attempt
from tests.browser.test_puzzles import wrong
from tests.frozen_network import use_frozen_network

from punct import Game, records
from punct.puzzles import shipped

HERE: Final = Path(__file__).parent / "screenshots"
QUALITY: Final = 85
"""Of WebP: a quarter of PNG's size, and no difference to be seen. Every wheel has these pictures."""
DESKTOP: Final = {"viewport": {"width": 1240, "height": 800}}
PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 1.5,
    "has_touch": True,
    "is_mobile": True,
}
DARK: Final = {**DESKTOP, "color_scheme": "dark"}

PLAYED: Final = (
    "Cc6ne Ei12sw Le8ne Eg11nw Ck14ne Ci13ne Em16se Mp16n Mm17se Ck12se m16-j13sw g11-i11sw Ed6sw Ed5sw Ma2n Mf11se "
    "Eo15sw En15sw m17-f10nw Ro17sw Rf8s p16-g7sw Ec1n Lk16se Lj16s n15-c4s Rn15sw Rq15nw Tn13s Lo12ne Tn11sw "
    "k16-m16sw f8-f9se i13-i9ne f10-k10sw o12-l12sw j16-j9nw c4-c10sw c1-j8ne c10-e10s Tf7sw l12-g7nw Tc3se m16-e8se "
    "d6-g6ne e8-m16sw Te4n g7-l12sw g6-o14se"
)
"""A game that White wins with the last of these turns; after 44 there are stacks and two bridges on the board."""
MIDDLE: Final = 44
SEATS: Final = {"w": {"type": "person"}, "b": {"type": "engine", "level": 5}}


def at(table: Table, turns: int) -> Table:
    """Open the game after some turns, White's turn at this screen."""
    game = Game()
    for turn in PLAYED.split()[:turns]:
        game.push(turn)
    return table.begin(record=records.dumps([game]), seats=SEATS)


def home(table: Table) -> None:
    """Where everybody arrives."""
    table.page.goto(table.server.address)
    expect(table.page.get_by_test_id("board")).to_be_visible()


def start(table: Table) -> None:
    """The first turn."""
    table.begin(seats=SEATS)


def middle_game(table: Table) -> None:
    """Stacks, bridges, and what the computer just did."""
    at(table, MIDDLE)


def heading(table: Table) -> None:
    """A piece has its space and may still be turned."""
    at(table, MIDDLE)
    Mouse(table.page).choose("n13")
    Mouse(table.page).place("g6")
    expect(table.ghost).to_be_visible()


def peek(table: Table) -> None:
    """What lies beneath."""
    at(table, MIDDLE)
    table.space("e8").hover()
    expect(table.peek).to_be_visible()


def tilted(table: Table) -> None:
    """The same from the side."""
    at(table, MIDDLE)
    table.page.get_by_test_id("tilt").click()
    table.page.mouse.move(0, 0)


def phone(table: Table) -> None:
    """A turn on a phone."""
    at(table, MIDDLE)
    Finger(table.page).take("w", "T")
    Finger(table.page).place("h3")


def end(table: Table) -> None:
    """A chain from side to side."""
    *before, winning = PLAYED.split()
    at(table, len(before))
    table.server.play(table.id, winning)
    expect(table.page.get_by_test_id("end")).to_be_visible()


def meet(table: Table, turns: int) -> Person:
    """Play with somebody elsewhere, who answers from a browser of their own."""
    browser = table.page.context.browser
    assert browser is not None
    ada, kim = Person(table.page, table.server, "Ada"), Person(browser.new_page(), table.server, "Kim")
    ada.meet(kim, time="10+5", listed=True)
    for ply, turn in enumerate(PLAYED.split()[:turns]):
        (kim if ply % 2 else ada).ask("POST", f"/games/{ada.id}/turns", {"text": turn, "ply": ply})
    ada.sees(turn)
    return ada


def lesson(table: Table) -> None:
    """A board of the course that was done, and why it was right."""
    table.page.goto(f"{table.server.address}/learn/jump")
    hand = Mouse(table.page)
    hand.choose("i6")
    hand.place("i9")
    hand.head("nw")
    hand.confirm()
    expect(table.page.get_by_test_id("verdict")).to_be_visible()
    table.page.mouse.move(0, 0)


def puzzle(table: Table) -> None:
    """A wrong turn in a puzzle, and what is wrong with it."""
    wanted = next(puzzle for puzzle in shipped() if puzzle.goal == "hold" and not puzzle.also)
    table.page.goto(f"{table.server.address}/puzzles/{wanted.id}")
    attempt(Mouse(table.page), wrong(wanted), wanted.position.split()[1])
    expect(table.page.get_by_test_id("verdict")).to_be_visible()
    expect(table.page.get_by_test_id("step-next")).to_be_disabled()
    table.page.mouse.move(0, 0)


def coach(table: Table) -> None:
    """The coach shows why a turn had better not be played."""
    table.page.add_init_script("localStorage.setItem('punct.settings', JSON.stringify({ coach: true }))")
    table.begin(position=OPENS, seats=SEATS)
    expect(table.page.get_by_test_id("coach")).to_be_visible()
    hand = Mouse(table.page)
    hand.choose("g13")
    hand.place("e11")
    hand.head("se")
    hand.confirm()
    table.page.get_by_test_id("coach-why").click()
    expect(table.page.get_by_test_id("coach-next")).to_be_visible()
    table.page.mouse.move(0, 0)


def moments(table: Table) -> None:
    """A game that was lost: one of its moments worth a look."""
    table.page.add_init_script("localStorage.setItem('punct.settings', JSON.stringify({ coach: true }))")
    table.begin(*BEFORE_THE_END.split(), WINNING, seats=SEATS)
    table.page.locator('[data-testid="moments"] button').first.click(timeout=180_000)
    expect(table.page.get_by_test_id("moment-bar")).to_be_visible()
    table.page.mouse.move(0, 0)


def lobby(table: Table) -> None:
    """Seats that wait for somebody, and games to watch."""
    browser = table.page.context.browser
    assert browser is not None
    for name, wanted in (("Noor", {"time": "5+3"}), ("Luca", {"time": "3d", "colour": "w"})):
        somebody = Person(browser.new_page(), table.server, name)
        somebody.ask("POST", "/me", {"name": name})
        somebody.ask("POST", "/challenges", {"listed": True, **wanted})
    ada = meet(table, 6)
    ada.go("/")
    ada.see("lobby").scroll_into_view_if_needed()
    ada.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    ada.page.get_by_test_id("lobby").evaluate("(lobby) => scrollTo(0, lobby.offsetTop - 300)")


def online(table: Table) -> None:
    """A game with somebody elsewhere: names, who is there, clocks."""
    table.page.add_init_script("localStorage.setItem('punct.notify', JSON.stringify({ asked: true }))")
    meet(table, MIDDLE).page.mouse.move(0, 0)


def online_phone(table: Table) -> None:
    """The same on a phone."""
    online(table)
    table.page.evaluate("scrollTo(0, 0)")


def analysis(table: Table) -> None:
    """A game on the analysis board, with the engine beside it."""
    game = table.server.begin(*PLAYED.split()[:MIDDLE])
    table.page.goto(f"{table.server.address}/analysis?game={game}&ply={MIDDLE - 12}")
    table.page.get_by_test_id("engine-on").check()
    expect(table.page.get_by_test_id("engine-figures")).to_contain_text("k ")


def review(table: Table) -> None:
    """A game that has been reviewed, before one of its blunders."""
    game = table.server.begin(*PLAYED.split())
    table.page.goto(f"{table.server.address}/game/{game}/review")
    expect(table.page.get_by_test_id("review-summary")).to_be_visible(timeout=300_000)
    for _ in range(2):
        table.page.get_by_test_id("previous-bad").click()
    table.page.mouse.move(0, 0)


def offline(table: Table) -> None:
    """The start page without the server, and the games that are kept until it is back."""
    page = table.page
    page.goto(table.server.address)
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    table.server.kill()
    for opponent, turns in (("opponent-person", PLAYED.split()[:MIDDLE]), ("opponent-computer", [])):
        page.goto(table.server.address)
        page.get_by_test_id(opponent).check(force=True)
        page.get_by_test_id("begin").tap()
        table.ready()
        for ply, turn in enumerate(turns):
            page.get_by_test_id("typed").fill(turn)
            page.get_by_test_id("typed").press("Enter")
            expect(page.locator(f'[data-testid="moves"] [data-ply="{ply + 1}"]')).to_be_attached()
    page.goto(table.server.address)
    expect(page.get_by_test_id("in-browser")).to_have_count(2)
    page.get_by_test_id("plays-here").evaluate("(element) => element.scrollIntoView()")
    page.wait_for_timeout(1000)


ONLINE: Final = ("lobby", "online", "online-phone")
"""These are taken where people meet."""

PICTURES: Final[Mapping[str, tuple[Callable[[Table], None], Mapping[str, Any]]]] = {
    "home": (home, DESKTOP),
    "start": (start, DESKTOP),
    "middle-game": (middle_game, DESKTOP),
    "heading": (heading, DESKTOP),
    "peek": (peek, DESKTOP),
    "tilted": (tilted, DESKTOP),
    "phone": (phone, PHONE),
    "dark": (middle_game, DARK),
    "end": (end, DESKTOP),
    "lesson": (lesson, DESKTOP),
    "puzzle": (puzzle, DESKTOP),
    "coach": (coach, DESKTOP),
    "moments": (moments, DESKTOP),
    "analysis": (analysis, DESKTOP),
    "review": (review, DESKTOP),
    "offline": (offline, {**PHONE, "color_scheme": "dark"}),
    "lobby": (lobby, DESKTOP),
    "online": (online, DESKTOP),
    "online-phone": (online_phone, PHONE),
}


def photograph(browser: Browser, name: str) -> None:
    """Take one picture, on a server without other games."""
    stage, options = PICTURES[name]
    command = [*COMMAND, "--online"] if name in ONLINE else COMMAND
    with tempfile.TemporaryDirectory() as data, Server(Path(data), command) as server:
        context = browser.new_context(locale="en-GB", reduced_motion="reduce", **options)
        page = context.new_page()
        stage(Table(page, server))
        page.wait_for_load_state("networkidle")
        shot = Image.open(BytesIO(page.screenshot(animations="disabled", caret="hide")))
        shot.convert("RGB").save(HERE / f"{name}.webp", quality=QUALITY, method=6)
        context.close()


def main() -> None:
    """Take the pictures named, or every one."""
    use_frozen_network()  # so that a stronger one changes no picture
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright, launch(playwright) as browser:
        for name in sys.argv[1:] or PICTURES:
            photograph(browser, name)
            print(f"{name}.webp  {(HERE / f'{name}.webp').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
