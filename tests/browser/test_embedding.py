"""A board in another site's page: framed there, stepped through; and no other page of ours can be framed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page, Request, expect

from .screens import Screens
from .serving import Server
from .table import Table
from .test_accessibility import keeps_nobody_out
from .watch import OpenPage, Watch

HOST_PAGE = """<!doctype html><html lang="en"><title>Another site</title><main><h1>Another site</h1>
<iframe src="{}" title="A board" width="480" height="560"></iframe></main></html>"""


class OtherSite(ThreadingHTTPServer):
    """Another site: it shows whatever address is asked for in a frame."""

    daemon_threads = True

    class Handler(BaseHTTPRequestHandler):
        """Responds with the page."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(HOST_PAGE.format(self.path.partition("?")[2]).encode())

        def log_message(self, *_: object) -> None:
            pass

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Handler)
        # By its name: another site than 127.0.0.1, not only another origin.
        self.address = f"http://localhost:{self.server_port}/"


@pytest.fixture
def other_site() -> Iterator[OtherSite]:
    with OtherSite() as site:
        thread = threading.Thread(target=site.serve_forever, daemon=True)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


def addresses_asked(page: Page) -> list[str]:
    """Return a list that every address goes into which a page asks for."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    return asked


def test_a_board_is_framed_and_stepped_through(open_page: OpenPage, server: Server, other_site: OtherSite) -> None:
    game = server.begin("Ed5ne", "Tl10n", "Mb3n")
    page = open_page(fresh=True)
    page.goto(f"{other_site.address}?{server.address}/embed/game/{game}?lang=de&theme=dark")
    frame = page.frame_locator("iframe")
    board, place = frame.get_by_test_id("board"), frame.get_by_test_id("place")
    expect(place).to_have_text("3 / 3 · Mb3n")
    frame.get_by_role("button", name="Einen Zug zurück").click()
    expect(place).to_have_text("2 / 3 · Tl10n")
    frame.get_by_role("button", name="Einen Zug zurück").press("Home")
    expect(place).to_have_text("0 / 3")
    expect(frame.get_by_role("button", name="Zum Anfang")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("1 / 3 · Ed5ne")
    expect(board).to_have_attribute("src", f"/api/v1/games/{game}/picture.svg?ply=1&theme=dark&size=960")
    assert board.evaluate("async (image) => { await image.decode(); return image.naturalWidth }") > 0
    expect(frame.get_by_test_id("open")).to_have_attribute("href", f"/game/{game}?ply=1")
    assert page.context.cookies() == []


def test_an_embedded_board_is_light_and_axe_clean(open_page: OpenPage, screens: Screens, server: Server) -> None:
    page = open_page(fresh=True)
    asked = addresses_asked(page)
    page.goto(f"{server.address}/embed/game/{server.begin('Ed5ne')}")
    page.get_by_test_id("board").evaluate("(image) => image.decode()")
    assert len(asked) <= 5, asked  # the page, its script, its style, its icon, its picture
    assert not [url for url in asked if "/api/" in url and "/picture." not in url]
    # Its policy lets no foreign script in: by the debugger alone.
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    keeps_nobody_out(screens, page)


def test_no_other_page_can_be_framed(open_page: OpenPage, server: Server, watch: Watch, other_site: OtherSite) -> None:
    watch.allow("frame-ancestors")
    game = server.begin("Ed5ne")
    for path in (f"/game/{game}", "/", "/settings"):
        page = open_page(fresh=True)
        page.goto(f"{other_site.address}?{server.address}{path}")
        page.wait_for_load_state("networkidle")
        (frame,) = page.main_frame.child_frames
        assert frame.url.startswith("chrome-error:"), frame.url
        page.close()


def test_the_menu_gives_the_code(table: Table) -> None:
    table.begin("Ed5ne")
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.page.get_by_test_id("more").click()
    table.page.get_by_test_id("copy-embed").click()
    copied = table.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f'<iframe src="{table.server.address}/embed/game/{table.id}"')
