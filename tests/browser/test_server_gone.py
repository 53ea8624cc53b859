"""The server is killed in the middle of a game and comes back: nothing is lost, and the page finds it again."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from .hands import Mouse
from .messages import text
from .serving import Server
from .table import Table
from .watch import Watch

GONE = (
    r"ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING"
    r"|SOCKET_NOT_CONNECTED)|WebSocket connection"
)
"""What a browser logs when a server is killed: before it answers, between the head of a response and its body (two
writes), or in the middle of a body."""


def try_now(page: Page) -> None:
    """Have the page look for the server sooner than it would by itself, unless it has done so meanwhile."""
    pressed = "words => [...document.querySelectorAll('button')].find((one) => one.innerText === words)?.click()"
    page.evaluate(pressed, text("page.try_now"))


def test_a_move_confirmed_without_the_server_waits_and_is_played_when_it_is_back(
    page: Page, tmp_path: Path, watch: Watch
) -> None:
    watch.allow(GONE)  # the browser itself logs that nobody answers
    with Server(tmp_path) as server:
        table = Table(page, server).begin("Ed5ne", "Tl10n")
        mouse = Mouse(page)
        mouse.choose("d5")
        mouse.place("d8")
        server.kill()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        mouse.head("n")
        mouse.confirm()  # into the void
        expect(page.get_by_test_id("waiting")).to_have_text(text("notice.waiting", move="d5-d8n"))
        expect(table.ghost).to_have_attribute("data-space", "d8")  # and it is still seen
        server.start()
        try_now(page)
        table.expect_played("d5-d8n", "move")
        expect(table.saying).to_have_text(text("notice.sent_now", move="d5-d8n"))
        expect(page.get_by_test_id("waiting")).to_have_count(0)


def test_the_computer_thinks_again_after_a_kill(page: Page, tmp_path: Path, watch: Watch) -> None:
    watch.allow(GONE)
    with Server(tmp_path) as server:
        table = Table(page, server).begin(seats={"w": {"type": "person"}, "b": {"type": "engine", "level": 8}})
        mouse = Mouse(page)
        mouse.take("w", "E")
        mouse.place("d5")
        mouse.head("ne")
        mouse.confirm()
        expect(page.get_by_test_id("thinking")).to_be_attached()
        server.kill()
        expect(page.get_by_test_id("connection")).to_have_attribute("data-state", "lost")
        server.start()
        try_now(page)
        expect(page.locator('[data-testid="moves"] [data-ply="2"]')).to_have_text(re.compile(r"^[TCEMLR][a-q]\d+"))
        assert table.game["turns"][0]["text"] == "Ed5ne"
