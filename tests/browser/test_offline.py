"""Without a server: the page opens, games are played in the browser, and the server gets them once each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect
from tests.subprocesses import running_program

from punct.puzzles import of_the_day
from punct.server.page.files import BUILT_PAGE

from .hands import Mouse, box
from .messages import text
from .played import OPENS
from .screens import TOUCHED, Screens
from .serving import Server
from .table import Table
from .test_accessibility import AXE, violations
from .test_board_hints import MARKS
from .test_learn import attempt
from .test_puzzles import shown, solve, solver, wait_for, wrong
from .test_server_gone import GONE, try_now
from .watch import OpenPage, Watch

ROOT = Path(__file__).parents[2]
NEW_BUILD = "c0ffeec0ffee"
KEPT = """async () => {
    await navigator.serviceWorker.ready
    const [name] = await caches.keys()
    const kept = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    return kept
}"""
LARGE = [file for ending in ("wasm", "bin") for file in BUILT_PAGE.glob(f"assets/*.{ending}")]
"""The kernel, and the network it plays by."""
READY = "() => document.querySelector('[data-testid=end]') || !document.querySelector('[data-testid=hint]').disabled"


@pytest.fixture
def visited(open_page: OpenPage, tmp_path: Path, watch: Watch) -> Iterator[tuple[Page, Server]]:
    """A page that was open once, and the server it came from."""
    watch.allow(GONE)  # the browser itself logs that nobody answers
    with Server(tmp_path) as server:
        page = open_page(fresh=True, service_workers="allow")
        page.goto(server.address)
        kept = page.evaluate(KEPT)
        assert {"/", *(file.name for file in LARGE)} <= {name.removeprefix("/assets/") for name in kept}, kept
        assert not any(name.startswith("/api") for name in kept), kept
        yield page, server
        page.close()  # before its server: nothing that it still asks for may be cut off


def begin(page: Page, *choices: str) -> Table:
    """Begin a game in the browser."""
    for choice in choices:
        page.get_by_test_id(choice).check(force=True)
    page.get_by_test_id("begin").click()
    page.wait_for_url(re.compile(r"/local/\w+$"))
    return Table(page, Server(Path())).ready()


def play_to_the_end(page: Page) -> int:
    """Play hints until the game is over; return how many turns it had."""
    for turn in range(60):
        page.wait_for_function(READY)
        if page.get_by_test_id("end").count():
            return page.locator('[data-testid="moves"] [data-ply]').count()
        page.get_by_test_id("hint").click()
        page.get_by_test_id("confirm").click()
        expect(page.locator(f'[data-testid="moves"] [data-ply="{2 * turn + 1}"]')).to_be_attached()
    raise AssertionError("the game has no end")


def games_of(server: Server) -> list[dict[str, Any]]:
    found = server.ask("/games")["games"]
    assert isinstance(found, list)
    return found


def counted(page: Page, level: int) -> list[str]:
    """Return how many games were won, drawn and lost against a level, as the page of results shows it."""
    row = page.get_by_test_id(f"result-standard-{level}")
    expect(row).to_be_visible()
    return row.get_by_role("cell").all_inner_texts()


def test_a_game_against_level_3_to_the_end_and_its_hand_over(visited: tuple[Page, Server], screens: Screens) -> None:
    page, server = visited
    server.kill()
    page.reload()
    expect(page.get_by_test_id("plays-here")).to_have_text(text("offline.plays_here"))
    begin(page, "level-3")
    expect(page.get_by_test_id("connection")).not_to_have_attribute("data-state", "lost")
    page.get_by_test_id("typed").fill("Ti9n")
    page.get_by_test_id("typed").press("Enter")
    expect(page.get_by_test_id("saying")).to_contain_text(text("reason.ADDED_IN_CENTRE"))
    plies = play_to_the_end(page)
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("end")).to_have_count(0)
    page.get_by_test_id("redo").click()
    expect(page.get_by_test_id("end")).to_be_visible()
    page.get_by_test_id("step-through").click()
    expect(page.get_by_test_id("looking-back")).to_have_text(text("moves.start"))
    page.reload()  # everything is still there
    expect(page.get_by_test_id("end")).to_be_visible()
    local = page.url
    page.goto(f"{local}/review?nodes=20")
    expect(page.get_by_test_id("review-summary")).to_be_visible()
    page.evaluate("sessionStorage.clear()")  # as if the tab were closed
    page.goto(f"{local}/review")  # at once: what is kept, not another one with the usual nodes
    expect(page.get_by_test_id("review-page")).to_contain_text(text("review.figures", nodes=20))
    page.get_by_test_id("to-the-game").click()
    page.wait_for_url(local)
    page.get_by_test_id("home").click()
    expect(page.get_by_test_id("in-browser")).to_have_text(text("offline.in_browser"))
    expect(page.get_by_test_id("to-hand-over")).to_have_text(text("offline.until_back", n=1))
    page.get_by_test_id("results").click()
    counts = counted(page, 3)
    assert sorted(counts) == ["0", "0", "1"]
    for screen in screens.of(page):
        expect(page.get_by_test_id("only-here")).to_have_text(text("results.only_here"))
        assert screen.spans(box(page.get_by_test_id("results-standard")))
    page.get_by_test_id("home").click()
    server.start()
    with page.expect_response(re.compile(r"/api/v1/games/[\w-]+/review$")) as reviewed:
        try_now(page)
    assert reviewed.value.ok
    expect(page.get_by_test_id("in-browser")).to_have_count(0)
    (game,) = games_of(server)
    assert game["ply"] == plies and game["seats"]["b"]["level"] == 3 and game["outcome"]
    expect(page.get_by_test_id(f"game-{game['id']}")).to_be_visible()
    assert server.ask(f"/games/{game['id']}/review")["nodes"] == 20
    (result,) = server.ask("/results")["results"]
    assert result["level"] == 3
    page.get_by_test_id("results").click()
    assert counted(page, 3) == counts  # once, whoever keeps it
    expect(page.get_by_test_id("only-here")).to_have_count(0)
    page.goto(local)  # which leads to where the game is now
    page.wait_for_url(f"{server.address}/game/{game['id']}")
    expect(page.get_by_test_id("end")).to_be_visible()
    page.reload()
    assert len(games_of(server)) == 1


def test_a_running_game_goes_on_with_the_server_even_if_its_answer_gets_lost(
    visited: tuple[Page, Server], watch: Watch
) -> None:
    watch.allow("ERR_FAILED")
    page, server = visited
    server.kill()
    page.reload()
    table = begin(page, "level-2")
    mouse = Mouse(page)
    mouse.take("w", "E")
    mouse.place("d5")
    mouse.head("ne")
    mouse.confirm()
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    mouse.take("w", "T")  # and the next turn is entered halfway

    lost: list[str] = []

    def lose(route: Route) -> None:
        """Let the server do it, and lose what it says."""
        if route.request.method != "POST" or len(lost) == 2:
            route.fallback()
            return
        lost.append(str(route.request.headers["idempotency-key"]))
        route.fetch()
        route.abort()

    page.route("**/api/v1/games", lose)
    server.start()
    page.evaluate("dispatchEvent(new Event('online'))")  # sooner than the page would find out by itself
    page.wait_for_url(re.compile(r"/game/[\w-]+$"))
    table.ready()
    assert len(set(lost)) == 1, lost
    (game,) = games_of(server)
    assert page.url.endswith(game["id"]) and game["ply"] == 2 and game["seats"]["b"]["level"] == 2
    expect(page.get_by_test_id("take-wT")).to_have_attribute("aria-pressed", "true")
    mouse.place("l4")
    mouse.confirm()
    expect(page.locator('[data-testid="moves"] [data-ply="4"]')).to_be_attached()
    assert len(games_of(server)) == 1 and server.game(game["id"])["ply"] == 4


def test_two_at_one_screen_two_tabs_and_a_damaged_game(visited: tuple[Page, Server], watch: Watch) -> None:
    page, server = visited
    server.kill()
    page.reload()
    begin(page, "opponent-person", "rules-basic")
    page.get_by_test_id("typed").fill("Ed5ne")
    page.get_by_test_id("typed").press("Enter")
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("Ed5ne")
    other = page.context.new_page()
    watch.on(other)
    other.goto(page.url)
    expect(other.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("Ed5ne")
    other.get_by_test_id("typed").fill("Tl10n")
    other.get_by_test_id("typed").press("Enter")
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_have_text("Tl10n")
    page.get_by_test_id("undo").click()
    expect(other.locator('[data-testid="moves"] [data-ply="2"]')).to_have_count(0)
    other.close()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("end")).to_contain_text(text("end.wins", colour=text("colour.w")))
    page.get_by_test_id("analyse").click()
    expect(page.get_by_test_id("tree")).to_contain_text("Ed5ne")
    page.get_by_test_id("home").click()
    expect(page.get_by_test_id("in-browser")).to_have_count(1)
    page.evaluate(
        """async () => {
            const opened = indexedDB.open('punct')
            await new Promise((resolve) => (opened.onsuccess = resolve))
            const change = opened.result.transaction('games', 'readwrite')
            change.objectStore('games').put({ id: 'bad', start: 7 })
            await new Promise((resolve) => (change.oncomplete = resolve))
            opened.result.close()
        }"""
    )
    page.reload()
    expect(page.get_by_test_id("damaged")).to_contain_text(text("offline.damaged", n=1))
    expect(page.get_by_test_id("in-browser")).to_have_count(1)  # the other one is still there
    page.goto(f"{server.address}/local/bad")
    expect(page.get_by_test_id("missing")).to_contain_text(text("error.broken_game"))
    page.goto(server.address)
    page.get_by_role("button", name=text("offline.delete_damaged")).click()
    expect(page.get_by_test_id("damaged")).to_have_count(0)


def test_the_coach_looks_on_without_the_network(visited: tuple[Page, Server]) -> None:
    """In a game that this browser keeps: the question, and the moments afterwards."""
    page, server = visited
    server.kill()
    page.goto(f"{server.address}/position?text={quote(OPENS)}")
    page.get_by_test_id("new-coach").check()
    begin(page, "colour-w")
    expect(page.get_by_test_id("coach")).to_be_visible()
    page.get_by_test_id("typed").fill("g13-e11se")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("coach-question")).to_be_visible()
    page.get_by_test_id("coach-play").click()
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    page.wait_for_function(READY)
    if not page.get_by_test_id("end").count():
        page.get_by_test_id("resign").click()
        page.get_by_test_id("sure").click()
    page.get_by_test_id("moment-0").click(timeout=180_000)
    expect(page.get_by_test_id("moment-bar")).to_contain_text("g13-e11se")
    page.get_by_test_id("moment-review").click()
    expect(page.get_by_test_id("turn-remark")).to_contain_text("g13-e11se")


def test_how_to_play_and_analysis_without_the_network(visited: tuple[Page, Server], screens: Screens) -> None:
    page, server = visited
    server.kill()
    page.goto(f"{server.address}/learn/aim")
    Mouse(page).take("w", "C")
    Mouse(page).place("o13")
    Mouse(page).confirm()
    expect(page.get_by_test_id("verdict")).to_have_text(text("lesson.aim.gap.done"))
    page.goto(f"{server.address}/puzzles")
    page.get_by_test_id("theme-defence").click()
    puzzle = shown(page)
    attempt(Mouse(page), wrong(puzzle), solver(puzzle))
    wait_for(page, puzzle, "missed")
    expect(page.get_by_test_id("step-next")).to_be_disabled()  # what is wrong with it was played
    page.get_by_test_id("again").click()
    solve(Mouse(page), puzzle)
    page.goto(f"{server.address}/how-to-play")
    exercise = page.get_by_test_id("try-add")
    exercise.scroll_into_view_if_needed()
    exercise.locator('[data-testid^="take-"]').first.click()
    exercise.locator('[data-space="c9"][role="button"]').click()
    exercise.get_by_test_id("confirm").click()
    expect(exercise.get_by_test_id("done")).to_be_visible()
    expect(page.get_by_test_id("legend").locator("svg")).to_have_count(len(MARKS))
    page.goto(f"{server.address}/position?text=standard%20w%20wTd5s")
    expect(page.get_by_test_id("position-page")).to_be_visible()
    page.goto(f"{server.address}/analysis")
    table = Table(page, server).ready()
    Mouse(page).take("w", "E")
    Mouse(page).place("d5")
    Mouse(page).confirm()
    expect(page.get_by_test_id("tree")).to_contain_text("Ed5")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_be_visible()
    assert table.page.get_by_test_id("explorer").get_by_role("status").inner_text() == text("error.offline")
    page.goto(server.address)
    begin(page)
    page.get_by_test_id("home").click()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for _ in screens.of(page, "desktop", "phone"):
        expect(page.get_by_test_id("in-browser")).to_be_visible()
        assert not violations(page)


class Host(NamedTuple):
    """A host of plain files, which has the static build in a folder."""

    address: str
    folder: Path

    def upgrade(self) -> None:
        """Put another version there: one with another name, and another name for its main script."""
        files = json.loads((self.folder / "files.json").read_text())
        page = (self.folder / "index.html").read_text(encoding="utf-8")
        script = self.folder / str(re.findall(r'assets/index-[^"]*\.js', page)[0])
        other = script.with_name("index-another1.js")
        for path in self.folder.rglob("*"):
            if path.suffix in {".js", ".html", ".json"}:
                told = path.read_text(encoding="utf-8").replace(script.name, other.name)
                path.write_text(told.replace(files["build"], NEW_BUILD), encoding="utf-8")
        script.rename(other)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The page as `make static BASE=/games/punct/` builds it, served by Python's own web server."""
    root = tmp_path_factory.mktemp("host")
    folder = root / "games" / "punct"
    subprocess.run(
        ["npm", "run", "--silent", "build", "--", "--logLevel", "warn", "--outDir", str(folder)],
        cwd=ROOT / "web",
        env={**os.environ, "PUNCT_STATIC": "1", "PUNCT_BASE": "/games/punct/"},
        check=True,
    )
    command = [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", str(root), "0"]
    with running_program(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as serving:
        assert serving.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", serving.stdout.readline())
        assert found
        yield Host(f"{found[0]}/games/punct/", folder)


def test_plain_files_play_a_turn_against_level_1(host: Host, open_page: OpenPage) -> None:
    page = open_page(fresh=True, service_workers="allow", viewport={"width": 390, "height": 844}, **TOUCHED)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(host.address)
    expect(page.get_by_test_id("plays-here")).to_have_text(text("offline.kept_here"))
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "online")
    begin(page, "level-1")
    page.get_by_test_id("hint").tap()
    page.get_by_test_id("confirm").tap()
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    page.evaluate(KEPT)
    page.reload()
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    page.get_by_test_id("resign").tap()
    page.get_by_test_id("sure").tap()
    expect(page.get_by_test_id("end")).to_be_visible()
    page.get_by_test_id("home").tap()
    expect(page.get_by_test_id("in-browser")).to_be_visible()
    expect(page.get_by_test_id("record-card")).to_have_count(0)
    page.get_by_test_id("results").tap()
    assert counted(page, 1) == ["0", "0", "1"]
    expect(page.get_by_test_id("only-here")).to_have_count(0)  # there is nobody else who could count
    page.goto(f"{host.address}learn")
    page.get_by_test_id("go-on").tap()
    page.get_by_test_id("hint").tap()
    expect(page.get_by_test_id("hint-words")).to_be_visible()
    now = datetime.now(UTC)
    page.clock.set_fixed_time(now)  # or midnight may come in between
    page.goto(f"{host.address}puzzles")
    page.get_by_test_id("mode-day").tap()
    wait_for(page, of_the_day(now.date()), "try")
    page.get_by_test_id("solve").tap()
    expect(page.get_by_test_id("step-next")).to_be_disabled()
    page.goto(f"{host.address}how-to-play")
    expect(page.get_by_test_id("legend").locator("svg")).to_have_count(len(MARKS))
    page.goto(f"{host.address}analysis")
    expect(page.get_by_test_id("analysis-page")).to_be_visible()
    expect(page.get_by_test_id("explorer")).to_have_count(0)
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_be_visible()
    page.goto(f"{host.address}analysis/c0ffee")
    expect(page.get_by_test_id("damage")).to_contain_text(text("offline.no_server"))
    assert not any("/api/" in url for url in asked), asked


def test_a_kernel_that_is_built_later_is_kept_when_it_is_there(host: Host, open_page: OpenPage, watch: Watch) -> None:
    watch.allow("404")  # as long as it is not there
    (built,) = host.folder.glob("assets/*.wasm")
    away = built.rename(built.with_suffix(".later"))
    page = open_page(fresh=True, service_workers="allow")
    page.goto(host.address)
    assert not any(name.endswith(".wasm") for name in page.evaluate(KEPT))
    page.get_by_test_id("begin").click()
    expect(page.get_by_test_id("new-game-form").get_by_role("alert")).to_have_text(text("error.no-kernel"))
    away.rename(built)
    page.reload()
    page.wait_for_function(f"async () => (await ({KEPT})()).some((name) => name.endsWith('.wasm'))")
    begin(page)


def test_after_one_visit_every_level_answers_without_any_network(host: Host, open_page: OpenPage, watch: Watch) -> None:
    watch.allow(GONE)
    page = open_page(fresh=True, service_workers="allow")
    page.goto(host.address)
    page.evaluate(KEPT)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.context.set_offline(True)
    for level in (1, 7):
        page.goto(host.address)
        begin(page, f"level-{level}")
        page.get_by_test_id("hint").click()
        page.get_by_test_id("confirm").click()
        expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()
    page.goto(f"{host.address}analysis")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("line-0")).to_be_visible()


def test_without_its_network_the_computer_says_so_and_the_board_does_not_mind(
    host: Host, open_page: OpenPage, watch: Watch
) -> None:
    """Neither at another strength: it waits for the file that all its levels play by."""
    watch.allow("404")
    (network,) = host.folder.glob("assets/network-*.bin")
    away = network.rename(network.with_suffix(".later"))
    page = open_page(fresh=True, service_workers="allow")
    page.goto(host.address)
    assert not any(name.endswith(".bin") for name in page.evaluate(KEPT))
    begin(page, "level-2")
    page.get_by_test_id("typed").fill("Ti9n")
    page.get_by_test_id("typed").press("Enter")
    expect(page.get_by_test_id("saying")).to_contain_text(text("reason.ADDED_IN_CENTRE"))
    page.get_by_test_id("typed").fill("Ed5ne")
    page.get_by_test_id("typed").press("Enter")
    expect(page.locator('[data-testid="moves"] [data-ply="1"]')).to_have_text("Ed5ne")
    said = text("game.thinking_failed", message=text("error.no-network"))
    expect(page.get_by_test_id("failure")).to_have_text(said)
    game = page.url
    page.goto(f"{host.address}analysis")
    page.get_by_test_id("engine-on").check()
    expect(page.get_by_test_id("engine-trouble")).to_have_text(text("error.no-network"))
    expect(page.get_by_test_id("line-0")).to_have_count(0)
    away.rename(network)
    page.get_by_test_id("engine-on").uncheck()
    page.get_by_test_id("engine-on").check()  # it is asked for again
    expect(page.get_by_test_id("line-0")).to_be_visible()
    page.goto(game)
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_be_attached()


def test_a_new_version_is_said_and_old_files_go(host: Host, open_page: OpenPage) -> None:
    page = open_page(fresh=True, service_workers="allow")
    page.goto(host.address)
    page.evaluate(KEPT)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    before = page.evaluate("caches.keys()")
    host.upgrade()
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    expect(page.get_by_test_id("connection")).to_contain_text(text("offline.new_version"))
    assert len(before) == 1 and set(page.evaluate("caches.keys()")) == {*before, f"punct-{NEW_BUILD}"}
    with page.expect_navigation():
        page.get_by_test_id("renew").click()
    page.wait_for_function(f"async () => String(await caches.keys()) === 'punct-{NEW_BUILD}'")
    assert page.locator('script[src$="index-another1.js"]').count() == 1
    expect(page.get_by_test_id("new-game-form")).to_be_visible()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "online")
