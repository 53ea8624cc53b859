"""The review of a finished game: looked at in the page, drawn, played through, kept; and what is learnt from it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from punct import Colour, Game
from punct.analysis.review import Analysis, Remark, analyse_game
from punct.engine import Engine, Limits

from .hands import Hand, Mouse, box
from .messages import text
from .played import BEFORE_THE_END, WINNING
from .screens import Screens
from .serving import Server
from .table import Table
from .test_accessibility import AXE, violations
from .watch import OpenPage, Watch

NODES = 60
"""For each position: enough to see what is hanging."""
TURNS = f"{BEFORE_THE_END} {WINNING}".split()


def finished(server: Server, **wanted: object) -> str:
    """Return a game that is over."""
    return server.begin(*TURNS, **wanted)


@pytest.fixture(scope="module")
def expected() -> Analysis:
    """What the library says about the same game, by the same number of nodes."""
    game = Game()
    for turn in TURNS:
        game.push(turn)
    return analyse_game(game, Engine(hash_mb=16), Limits(nodes=NODES), 1)


@pytest.fixture(autouse=True)
def new(watch: Watch) -> None:
    """A game that nobody has reviewed has no review: the browser notes that, too."""
    watch.allow("404")


def reviewed(page: Page, server: Server, game: str) -> None:
    """Open a review and wait until it is done."""
    page.goto(f"{server.address}/game/{game}/review?nodes={NODES}")
    expect(page.get_by_test_id("review-summary")).to_be_visible(timeout=60_000)


def current(page: Page) -> Locator:
    return page.locator('[data-testid="tree"] [aria-current="step"]')


def worst(expected: Analysis) -> Remark:
    """Return the turn that gave away the most."""
    return max((remark for remark in expected.remarks if remark.judgement), key=lambda remark: remark.given_away)


def test_a_game_is_reviewed_to_the_end_and_kept(page: Page, server: Server, expected: Analysis) -> None:
    """From the end panel on; stopped and resumed; what is kept is what the library says, to the last digit."""
    table = Table(page, server)
    table.id = finished(server)
    table.open()
    assert page.get_by_test_id("review").get_attribute("href") == f"/game/{table.id}/review"
    page.goto(f"{server.address}/game/{table.id}/review?nodes=100000")  # so many that somebody can stop it
    page.get_by_test_id("review-stop").click()
    expect(page.get_by_test_id("review-progress")).to_be_visible()
    page.get_by_test_id("review-resume").click()
    expect(page.get_by_test_id("review-stop")).to_be_visible()
    with page.expect_response(lambda response: response.request.method == "PUT") as stored:
        reviewed(page, server, table.id)  # which is shown before it is stored
    assert stored.value.ok
    expect(page.get_by_test_id("review-progress")).to_have_count(0)

    kept = server.ask(f"/games/{table.id}/review")
    assert (kept["nodes"], kept["start"]) == (NODES, expected.start)
    for told, remark in zip(kept["turns"], expected.remarks, strict=True):
        judgement = remark.judgement and remark.judgement.value
        assert (told["turn"], told["chance"], told["given_away"], told["proven"], told["judgement"]) == (
            str(remark.move),
            remark.chance,
            remark.given_away,
            remark.proven,
            judgement,
        )
        assert told["best"] == [str(move) for move in remark.best.pv[:8]]
    for colour in "wb":
        expect(page.get_by_test_id(f"accuracy-{colour}")).to_have_text(f"{kept['accuracy'][colour]:.0f}%")

    page.goto(f"{server.address}/game/{table.id}/review")  # with as many nodes as there are: it opens at once
    expect(page.get_by_test_id("review-summary")).to_be_visible()
    expect(page.get_by_test_id("review-progress")).to_have_count(0)
    expect(page.locator('[data-testid="curves-table"] tbody tr')).to_have_count(len(TURNS) + 1)


def test_the_curve_leads_to_turns_and_a_blunder_to_the_better_one(
    page: Page, server: Server, expected: Analysis
) -> None:
    reviewed(page, server, finished(server))
    curves = page.get_by_test_id("curves")
    bad = worst(expected)
    curves.focus()
    page.keyboard.press("Home")
    expect(curves).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    expect(curves).to_have_attribute("aria-valuenow", "1")  # a key counts from the turn that is shown
    page.keyboard.press("PageUp")
    expect(curves).to_have_attribute("aria-valuenow", "11")
    expect(current(page)).to_have_text(re.compile(re.escape(TURNS[10])))
    place = box(curves)
    page.mouse.click(place.x + place.width * 0.99, place.y + place.height / 2)
    expect(curves).to_have_attribute("aria-valuenow", str(len(TURNS)))

    page.get_by_test_id(f"bad-{bad.ply - 1}").click()
    expect(current(page)).to_have_text(re.compile(re.escape(str(bad.move)) + r"\?"))
    assert bad.judgement is not None
    remark = page.get_by_test_id("turn-remark")
    expect(remark).to_contain_text(text(f"review.judgement.{bad.judgement.value}"))
    expect(remark).to_contain_text(" ".join(str(move) for move in bad.best.pv[:8]))
    page.keyboard.press(",")  # before the turn, the better one stands on the board
    expect(page.locator('[data-testid="suggestions"] [data-rank="0"]')).to_have_count(1)
    page.keyboard.press(".")
    page.get_by_test_id("show-better").click()
    for move in bad.best.pv[:8]:
        expect(current(page)).to_have_text(str(move))
        page.keyboard.press(".")
    expect(page.get_by_test_id("in-variation")).to_be_visible()
    page.get_by_test_id("to-game-turn").click()
    page.get_by_test_id("next-bad").click()
    expect(page.get_by_test_id("turn-remark")).to_contain_text(str(bad.move))

    page.get_by_test_id("to-analysis").click()  # with marks, words and variations
    expect(page.get_by_test_id("analysis-page")).to_be_visible()
    expect(page.get_by_test_id("tree")).to_contain_text(f"{bad.move}?")
    expect(page.get_by_test_id("variation").first).to_be_visible()


def play(hand: Hand, turn: str, colour: str) -> None:
    """Enter a turn on the board."""
    found = re.fullmatch(r"(?:([TCEMLR])|([a-q]\d+)-)([a-q]\d+)([nsew]+)", turn)
    assert found is not None
    kind, origin, space, heading = found.groups()
    if kind:
        hand.take(colour, kind)
    else:
        hand.choose(origin)
    hand.place(space)
    hand.head(heading)
    hand.confirm()


def test_mistakes_are_learnt_from(page: Page, server: Server, expected: Analysis) -> None:
    """Two at one screen choose whose; a wrong turn is told so, the best one too, and the solution can be seen."""
    reviewed(page, server, finished(server))
    bad = [remark for remark in expected.remarks if remark.judgement and remark.colour is Colour.BLACK]
    page.get_by_test_id("learn-b").check(force=True)
    page.get_by_test_id("learn-begin").click()
    expect(page.get_by_test_id("learn-state")).to_contain_text(str(bad[0].move))
    mouse = Mouse(page)
    play(mouse, str(bad[0].move), "b")
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text(text("review.is_same"))
    page.get_by_test_id("learn-again").click()
    play(mouse, str(bad[0].best.move), "b")
    expect(verdict).to_contain_text(text("review.is_best"))
    page.get_by_test_id("learn-next").click()
    expect(page.get_by_test_id("learn-progress")).to_have_text(text("review.learn_progress", n=2, all=len(bad)))
    page.get_by_test_id("learn-solve").click()
    expect(page.get_by_test_id("solution")).to_contain_text(str(bad[1].best.move))
    for _ in bad[1:]:
        page.get_by_test_id("learn-skip").click()
    expect(page.get_by_test_id("learn-state")).to_have_text(text("review.learned", n=1, all=len(bad)))
    page.get_by_test_id("learn-leave").click()
    expect(page.get_by_test_id("curves")).to_be_visible()


def test_it_fits_and_keeps_nobody_out(screens: Screens, server: Server) -> None:
    page = screens.open({})
    reviewed(page, server, finished(server, seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 1}}))
    expect(page.get_by_test_id("learn-w")).to_have_count(0)  # there is only one person to learn
    page.get_by_test_id("next-bad").click()
    page.locator("summary").click()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for _ in range(2):
        for screen in screens.of(page, both=False):
            assert screen.spans(box(page.get_by_test_id("board")))
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= screen.width, f"{width} wide"
            if screen.name in ("desktop", "phone"):
                assert not (found := violations(page)), "\n".join(found)
        if page.get_by_test_id("learn-begin").is_visible():
            page.get_by_test_id("learn-begin").click()
            expect(page.get_by_test_id("learn")).to_be_visible()


def test_only_finished_games_are_reviewed_and_ways_lead_out(open_page: OpenPage, server: Server) -> None:
    page = open_page(permissions=("clipboard-read", "clipboard-write"), accept_downloads=True)
    running = server.begin(*TURNS[:6])
    page.goto(f"{server.address}/game/{running}/review")
    expect(page.get_by_test_id("review-trouble")).to_contain_text(text("review.not_over"))
    page.goto(f"{server.address}/game/{running}")
    Table(page, server).ready()
    page.get_by_test_id("more").click()
    expect(page.get_by_test_id("animation")).to_have_attribute("href", re.compile(r"animation\.gif\?from=0&to=6"))
    page.get_by_test_id("analyse-game").click()
    expect(page.get_by_test_id("analysis-page")).to_be_visible()
    expect(current(page)).to_have_text(TURNS[5])
    with page.expect_download() as sgf:
        page.get_by_test_id("save-sgf").click()
    assert sgf.value.path().read_text(encoding="utf-8").startswith("(;")
    with page.expect_download() as record:
        page.get_by_test_id("save-record").click()
    assert TURNS[0] in record.value.path().read_text(encoding="utf-8")
    address = page.get_by_test_id("share-animation").get_attribute("href")
    moving = page.request.get(f"{server.address}{address}")
    assert moving.ok and moving.headers["content-type"] == "image/gif"
    page.get_by_test_id("play-from").click()
    expect(page.get_by_test_id("new-game-form")).to_be_visible()
    page.get_by_test_id("edit").click()
    page.get_by_test_id("play-from").click()
    page.get_by_test_id("opponent-person").check(force=True)
    page.get_by_test_id("begin").click()
    assert TURNS[0].removeprefix("L") in Table(page, server).arrive().game["start"]
