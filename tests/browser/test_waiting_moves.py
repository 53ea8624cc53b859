"""Without the server: a confirmed move waits, a game is seen as last known, and everything goes on afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from .hands import Finger, Mouse, box
from .messages import text
from .screens import PHONES, TOUCHED, Screens
from .serving import Server
from .table import Table
from .test_server_gone import GONE, try_now
from .watch import OpenPage, Watch

KEPT = """async () => {
    await navigator.serviceWorker.ready
    return (await caches.keys()).filter((name) => name.startsWith('punct-')).length
}"""
"""How many versions of the page the browser keeps, beside the moves that wait, whose cache stays once there is one."""
PHONE = {"width": 390, "height": 664}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that tests may end."""
    with Server(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture(params=["wide", "phone"])
def played(request: pytest.FixtureRequest, open_page: OpenPage, home: Server, watch: Watch) -> Table:
    """A game at one screen, in a browser that keeps the page, and a server that may go."""
    watch.allow(GONE)
    home.start()
    options = {"viewport": PHONE, **TOUCHED} if request.param == "phone" else {}
    page = open_page(service_workers="allow", **options)
    page.goto(home.address)
    assert page.evaluate(KEPT) == 1
    return Table(page, home).begin("Ed5ne", "Tl10n")


def hand(table: Table) -> Mouse | Finger:
    touched = table.page.evaluate("navigator.maxTouchPoints > 0")
    return Finger(table.page) if touched else Mouse(table.page)


def confirm_in_the_void(table: Table) -> None:
    """Confirm a move while nobody answers."""
    by = hand(table)
    by.choose("d5")
    by.place("d8")
    by.head("n")
    table.server.kill()
    by.confirm()
    expect(table.page.get_by_test_id("waiting")).to_have_text(text("notice.waiting", move="d5-d8n"))


def is_clear(table: Table, name: str) -> bool:
    """Whether something is not hidden by the word on the connection."""
    one, other = box(table.page.get_by_test_id(name)), box(table.page.get_by_test_id("connection"))
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return beside or one.y + one.height <= other.y or other.y + other.height <= one.y


def moves(table: Table) -> list[str]:
    return [turn["text"] for turn in table.game["turns"]]


def test_it_waits_over_a_reload_beside_the_game_as_last_known(played: Table, screens: Screens) -> None:
    page, server = played.page, played.server
    confirm_in_the_void(played)
    page.reload()
    played.ready()
    expect(page.get_by_test_id("waiting")).to_have_text(text("notice.waiting", move="d5-d8n"))
    expect(played.ghost).to_have_attribute("data-space", "d8")
    for screen in screens.of(page, "desktop", *PHONES):
        for name in ("waiting", "withdraw"):
            assert screen.spans(box(page.get_by_test_id(name))), name
            assert is_clear(played, name), name
    server.start()
    try_now(page)
    played.expect_played("d5-d8n", "move")
    assert moves(played) == ["Ed5ne", "Tl10n", "d5-d8n"]


def test_it_is_sent_from_another_page(played: Table) -> None:
    page, server = played.page, played.server
    confirm_in_the_void(played)
    page.goto(f"{server.address}/learn")
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    server.start()
    with page.expect_response(re.compile(r"/turns$")) as answer:
        try_now(page)
    assert answer.value.ok
    assert moves(played) == ["Ed5ne", "Tl10n", "d5-d8n"]


def test_it_is_not_played_in_a_game_that_went_on_elsewhere(played: Table, watch: Watch) -> None:
    watch.allow("409")  # as it should be: the server refuses what was meant for another ply, which browsers log
    page, server = played.page, played.server
    confirm_in_the_void(played)
    page.route("**/api/v1/**", lambda route: route.abort())  # this tab alone is still without
    server.start()
    server.play(played.id, "Ta2n")
    page.unroute("**/api/v1/**")
    try_now(page)
    expect(played.saying).to_have_text(text("notice.overtaken", move="d5-d8n"))
    assert moves(played) == ["Ed5ne", "Tl10n", "Ta2n"]
    page.reload()
    played.ready()
    expect(page.get_by_test_id("waiting")).to_have_count(0)


def test_the_same_is_said_to_whoever_has_opened_the_page_again(played: Table, watch: Watch) -> None:
    watch.allow("409|ERR_FAILED")
    page, server = played.page, played.server
    confirm_in_the_void(played)
    page.reload()
    played.ready()
    expect(page.get_by_test_id("waiting")).to_be_visible()
    page.route("**/api/v1/**", lambda route: route.abort())
    server.start()
    server.play(played.id, "Ta2n")
    page.unroute("**/api/v1/**")
    expect(played.saying).to_have_text(text("notice.overtaken", move="d5-d8n"))
    assert moves(played) == ["Ed5ne", "Tl10n", "Ta2n"]


def test_an_answer_that_gets_lost_is_no_second_move(played: Table, watch: Watch) -> None:
    watch.allow("ERR_FAILED")
    page = played.page
    keys: list[str] = []

    def lose(route: Route) -> None:
        """Let the server do it, and lose what it says."""
        keys.append(route.request.headers["idempotency-key"])
        route.fetch()
        route.abort()

    page.route("**/turns", lose)
    page.route("**/health", lambda route: route.abort())
    by = hand(played)
    by.choose("d5")
    by.place("d8")
    by.head("n")
    by.confirm()
    played.expect_played("d5-d8n", "move")  # which the live connection told, though every answer was lost
    page.unroute("**/turns")
    page.unroute("**/health")
    page.reload()
    played.ready()
    expect(page.get_by_test_id("waiting")).to_have_count(0)
    assert len(set(keys)) == 1
    assert moves(played) == ["Ed5ne", "Tl10n", "d5-d8n"]


def test_it_is_withdrawn(played: Table) -> None:
    page, server = played.page, played.server
    confirm_in_the_void(played)
    page.get_by_test_id("withdraw").click()
    expect(played.saying).to_have_text(text("notice.withdrawn"))
    server.start()
    try_now(page)
    expect(page.get_by_test_id("connection")).not_to_have_attribute("data-state", "lost")
    assert moves(played) == ["Ed5ne", "Tl10n"]
    hand(played).confirm()
    played.expect_played("d5-d8n", "move")


def test_what_is_not_sent_is_said(played: Table) -> None:
    page, server = played.page, played.server
    server.kill()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(played.saying).to_have_text(text("notice.unsent"))
    server.start()
    try_now(page)
    expect(page.get_by_test_id("connection")).not_to_have_attribute("data-state", "lost")
    assert played.game["outcome"] is None


def test_a_game_is_seen_as_last_known_and_goes_on_by_itself(played: Table, screens: Screens) -> None:
    page, server = played.page, played.server
    server.kill()
    page.reload()
    played.ready()
    expect(page.get_by_test_id("last-known")).to_contain_text(text("notice.last_known", when="").partition("(")[0])
    expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_have_text("Tl10n")
    for screen in screens.of(page, "desktop", *PHONES):
        assert screen.spans(box(page.get_by_test_id("last-known")))
        assert is_clear(played, "last-known")
    page.evaluate("window.stayed = true")
    server.start()
    server.play(played.id, "Ta2n")
    try_now(page)
    expect(played.current).to_have_text("Ta2n")
    expect(page.get_by_test_id("last-known")).to_have_count(0)
    assert page.evaluate("window.stayed")  # without a reload


def test_the_moves_of_a_game_as_last_known_are_stepped_through(played: Table) -> None:
    page, server = played.page, played.server
    server.kill()
    page.reload()
    played.ready()
    page.get_by_test_id("step-previous").click()
    expect(page.get_by_test_id("looking-back")).to_have_text(text("moves.looking_back", n=1))
    expect(played.current).to_have_text("Ed5ne")
    expect(page.get_by_test_id("board").locator(".piece")).to_have_count(1)  # by the page's own kernel
    page.get_by_test_id("step-first").click()
    expect(page.get_by_test_id("looking-back")).to_have_text(text("moves.start"))
    page.get_by_test_id("to-game").click()
    expect(page.get_by_test_id("last-known")).to_be_visible()
    expect(page.get_by_test_id("board").locator(".piece")).to_have_count(2)


def test_without_the_server_it_is_said_why_something_is_not_allowed(played: Table) -> None:
    page, server = played.page, played.server
    server.kill()
    expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
    typed = page.get_by_test_id("typed")
    typed.fill("Ti9n")
    typed.press("Enter")
    expect(played.saying).to_have_text(text("reason.ADDED_IN_CENTRE"))
    typed.fill("Ta2n")
    typed.press("Enter")
    expect(page.get_by_test_id("waiting")).to_have_text(text("notice.waiting", move="Ta2n"))
    server.start()
    try_now(page)
    played.expect_played("Ta2n", "add")


def test_a_game_that_is_gone_is_forgotten(played: Table, watch: Watch) -> None:
    watch.allow("404")
    page, server = played.page, played.server
    page.goto(f"{server.address}/about")
    page.evaluate("id => fetch(`/api/v1/games/${id}`, { method: 'DELETE' })", played.id)
    page.goto(f"{server.address}/game/{played.id}")
    expect(page.get_by_test_id("missing")).to_be_visible()
    server.kill()
    page.reload()
    expect(page.get_by_text(text("notice.offline")).first).to_be_visible()
    expect(page.locator("[data-space][role]")).to_have_count(0)
